import { hapticTick } from '../../ui/tick.ts';
import { sleep } from '../../ui/waiting.ts';
import { letter, SEALED } from '../letter.ts';
import { playSound } from './media.ts';

/*
 * How the letter is opened and read (decision 059). Address and evening change at once; the letter lies over them until it has been read, or the next
 * tap comes, and the evening has something to show. Nothing that is loaded waits for it.
 */

/** How long her name is held once it is written, in milliseconds. */
const HELD_MS = 1_200;
/** A browser that tells of no animation's end has shown it by then, in milliseconds. */
const LONGEST_MS = { opening: 8_000, leaving: 3_000 };

/** The open letter: wanted once in an evening. Where it can't be fetched the sealed one dissolves. */
export const prepareLetter = () => import('./broken-seal.tsx');

let run = 0;
let deleteOffline = () => {};
let written = () => {};

/** Nobody sees the evening yet: the letter is over it. */
export const isCovered = (): boolean => letter.state().phase !== 'sealed';
export const onCoverChange = letter.subscribe;

/**
 * Opens the letter over the evening, whose way is free.
 * @param name the recipient's, null without one; undefined breaks nothing, and one screen dissolves into the other
 * @param sounds whether the wax is heard
 */
export async function openLetter(name?: string | null, sounds = false): Promise<void> {
  run += 1;
  const mine = run;
  const evening = new Promise<void>((resolve) => {
    deleteOffline = resolve;
  });
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  letter.set({ ...SEALED, phase: 'opening', name, held: name === undefined });
  const skip = new AbortController();
  for (const touch of ['pointerdown', 'keydown'])
    addEventListener(touch, () => skip.abort(), { signal: skip.signal });
  if (name !== undefined) {
    // Large letters make the page longer than the screen, and the letter is at its head.
    scrollTo(0, 0);
    void breakSeal(mine, sounds);
    await Promise.race([isWritten, sleep(LONGEST_MS.opening, skip.signal)]);
    if (run === mine && !skip.signal.aborted) {
      letter.set({ ...letter.state(), held: true });
      await sleep(HELD_MS, skip.signal);
    }
  }
  await evening;
  skip.abort();
  if (run !== mine) return;
  const isGone = new Promise<void>((gone) => {
    letter.set({ ...letter.state(), phase: 'leaving', gone });
  });
  await Promise.race([isGone, sleep(LONGEST_MS.leaving)]);
  if (run === mine) letter.set(SEALED);
}

async function breakSeal(mine: number, sounds: boolean): Promise<void> {
  const { BrokenSeal } = await prepareLetter().catch(() => ({ BrokenSeal: null }));
  if (run !== mine) return;
  if (BrokenSeal === null) return written();
  hapticTick();
  playSound('letter', sounds);
  letter.set({ ...letter.state(), Broken: BrokenSeal });
}

/** Her name is written. */
export const nameIsWritten = (): void => written();

/** The evening has something to show. */
export function markEveningReady(): void {
  deleteOffline();
}

/** The evening is left: the next letter is whole. */
export function sealLetter(): void {
  run += 1;
  letter.set(SEALED);
}
