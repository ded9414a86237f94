import { unlockMedia } from '../media-host.ts';

/**
 * What only a tap may do, before anything is awaited: unlock the media and the screen's wake lock, and lay the one history
 * entry that the way into the experience will replace. Browsers skip entries that were not made in a tap.
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

/** At most one, however many codes are tried. */
function layGuardEntry(): void {
  const state: RouterState = history.state;
  if (state?.guard) return;
  // `idx` is the router's own count of entries: it must go on counting.
  history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, guard: true }, '');
}
