import { SONG_FADE } from '../../domain/limits.ts';

/** Sets loudness from 0 to 1, by whatever means the phone has. */
export type Level = (level: number) => void;

/** Runs `run` after `ms` milliseconds unless the returned function is called first. */
export type After = (ms: number, run: () => void) => () => void;

const STEPS = Math.round(1 / SONG_FADE.step);

/** From full to silent in 20 steps of 5 %, one every 100 ms (spec 4). Returns what cuts it short. */
export function fadeOut(level: Level, after: After, done: () => void): () => void {
  let cancel = () => {};
  const stepTo = (step: number) => {
    level((STEPS - step) / STEPS);
    if (step === STEPS) return done();
    cancel = after(SONG_FADE.everyMs, () => stepTo(step + 1));
  };
  cancel = after(SONG_FADE.everyMs, () => stepTo(1));
  return () => cancel();
}

const RAMP = { steps: 4, everyMs: 50 } as const;

/** A soft entrance of 200 ms. */
export function rampUp(level: Level, after: After): () => void {
  let cancel = () => {};
  const stepTo = (step: number) => {
    level(step / RAMP.steps);
    if (step < RAMP.steps) cancel = after(RAMP.everyMs, () => stepTo(step + 1));
  };
  stepTo(0);
  return () => cancel();
}
