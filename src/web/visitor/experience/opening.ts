import { hapticTick } from '../../ui/tick.ts';
import { sleep } from '../../ui/waiting.ts';
import { letter, SEALED } from '../letter.ts';
import { playSound } from './media.ts';

/*
 * Opens the letter (decision 058). Address and evening change at once; the letter covers them until it was read or tapped, and until the
 * evening has content. Loading never waits for it.
 */

/** Time in ms for which the written name stays. */
const HELD_MS = 1_200;
/** Fallbacks in ms for browsers that report no animation end: every animation is over by then. */
const LONGEST_MS = { opening: 8_000, leaving: 3_000 };

/** Loads the open letter, once per evening. If it can't be loaded, the sealed letter fades. */
export const prepareLetter = () => import('./broken-seal.tsx');

let run = 0;
let resolveEvening = () => {};
let resolveWritten = () => {};

/** Returns true while the letter covers the evening. */
export const isCovered = (): boolean => letter.state().phase !== 'sealed';
export const onCoverChange = letter.subscribe;

/**
 * Opens the letter over the evening, which loads behind it.
 * @param name the recipient's name, null without one; undefined keeps the seal whole, and one screen fades into the other
 * @param sounds play the sound of the wax
 */
export async function openLetter(name?: string | null, sounds = false): Promise<void> {
  run += 1;
  const currentRun = run;
  const evening = new Promise<void>((resolve) => {
    resolveEvening = resolve;
  });
  const isWritten = new Promise<void>((resolve) => {
    resolveWritten = resolve;
  });
  letter.set({ ...SEALED, phase: 'opening', name, held: name === undefined });
  const skip = new AbortController();
  for (const touch of ['pointerdown', 'keydown'])
    addEventListener(touch, () => skip.abort(), { signal: skip.signal });
  if (name !== undefined) {
    // With large letters the page is longer than the screen; the letter is at its top.
    scrollTo(0, 0);
    void breakSeal(currentRun, sounds);
    await Promise.race([isWritten, sleep(LONGEST_MS.opening, skip.signal)]);
    if (run === currentRun && !skip.signal.aborted) {
      letter.set({ ...letter.state(), held: true });
      await sleep(HELD_MS, skip.signal);
    }
  }
  await evening;
  skip.abort();
  if (run !== currentRun) return;
  const isGone = new Promise<void>((gone) => {
    letter.set({ ...letter.state(), phase: 'leaving', onFaded: gone });
  });
  await Promise.race([isGone, sleep(LONGEST_MS.leaving)]);
  if (run === currentRun) letter.set(SEALED);
}

async function breakSeal(currentRun: number, sounds: boolean): Promise<void> {
  const { BrokenSeal } = await prepareLetter().catch(() => ({ BrokenSeal: null }));
  if (run !== currentRun) return;
  if (BrokenSeal === null) return resolveWritten();
  hapticTick();
  playSound('letter', sounds);
  letter.set({ ...letter.state(), Broken: BrokenSeal });
}

/** Reports that the name is written. */
export const nameIsWritten = (): void => resolveWritten();

/** Reports that the evening has content. */
export function markEveningReady(): void {
  resolveEvening();
}

/** Resets the letter when the evening is left. */
export function sealLetter(): void {
  run += 1;
  letter.set(SEALED);
}
