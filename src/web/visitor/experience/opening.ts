import { tick } from '../../ui/tick.ts';
import { pause } from '../../ui/waiting.ts';
import { letter, SEALED } from '../letter.ts';
import { addressee } from './addressee.ts';

/*
 * How the letter opens (decision 059). Address and evening change at once, as ever; the opening lies over them until its time is over, or the
 * next tap comes, and the evening has something to show. Nothing that is loaded waits for it.
 */

/**
 * From the tap to the night, in milliseconds: 2.4 s at most, of which a slow phone's frames take what is missing here. Of those it opens for at least so many,
 * however late the answer.
 */
const MOVEMENT_MS = 2_250;
const SHORTEST_MS = 650;
/** So long it dissolves; of a phone that is late with everything else, at least so long. */
const LEAVING_MS = 600;
const LEAVING_LATE_MS = 400;

/** What is seen of it once it is broken: wanted once in an evening. Where it can't be fetched the light has to do. */
export const prepareLetter = () => import('./broken-seal.tsx');

let run = 0;
let letGo = () => {};

/** Nobody sees the evening yet: the letter is over it. */
export const isCovered = (): boolean => letter.state().phase === 'opening';
export const onCoverChange = letter.subscribe;

/**
 * The way into the evening is free: the letter opens over it.
 * @param tappedAt when the code was sent, on the page's clock; without it nothing is broken, and one screen dissolves into the other
 */
export async function openLetter(tappedAt?: number): Promise<void> {
  run += 1;
  const mine = run;
  const evening = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const ms = tappedAt === undefined || wantsRest() ? 0 : lengthOf(performance.now() - tappedAt);
  letter.set({ ...SEALED, phase: 'opening', ms });
  if (ms > 0) {
    // Large letters make the page longer than the screen, and the letter is at its head.
    scrollTo(0, 0);
    void breakSeal(mine);
  }
  const skip = new AbortController();
  for (const touch of ['pointerdown', 'keydown'])
    addEventListener(touch, () => skip.abort(), { signal: skip.signal });
  await pause(ms, skip.signal);
  await evening;
  skip.abort();
  if (run !== mine) return;
  const leaving = tappedAt === undefined ? LEAVING_MS : leavingFor(performance.now() - tappedAt);
  letter.set({ ...letter.state(), phase: 'leaving', leaving });
  await pause(leaving);
  if (run === mine) letter.set(SEALED);
}

async function breakSeal(mine: number): Promise<void> {
  const { BrokenSeal } = await prepareLetter().catch(() => ({ BrokenSeal: null }));
  if (run !== mine) return;
  tick();
  letter.set({ ...letter.state(), Broken: BrokenSeal });
}

/** The evening has something to show. */
export function eveningIsThere(): void {
  letGo();
}

/** The evening is left: the next letter is whole. */
export function sealLetter(): void {
  run += 1;
  letter.set(SEALED);
  addressee.set(null);
}

/** A late answer of the server takes from the opening's own time. */
function lengthOf(waited: number): number {
  return Math.max(SHORTEST_MS, MOVEMENT_MS - LEAVING_MS - waited);
}

/** And what took longer than it should, from the dissolving's. */
function leavingFor(passed: number): number {
  return Math.min(LEAVING_MS, Math.max(LEAVING_LATE_MS, MOVEMENT_MS - passed));
}

function wantsRest(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
