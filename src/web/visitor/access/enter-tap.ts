import { unlockMedia } from '../media-host.ts';

/**
 * Does everything that requires a tap, before anything is awaited: unlocks media and wake lock, and pushes a history entry. The
 * experience later replaces that entry; browsers skip entries that were pushed without a tap.
 */
export function prepareEntry(): void {
  try {
    unlockMedia();
  } catch (error) {
    console.error(error);
  }
  layGuardEntry();
}

type RouterState = { idx?: number; guard?: true } | null;

/** Pushes one entry at most, for any number of codes. */
function layGuardEntry(): void {
  const state: RouterState = history.state;
  if (state?.guard) return;
  // `idx` is the router's count of entries and must continue.
  history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, guard: true }, '');
}
