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

/** How the song is let in: up from silence when it begins, softly where it goes on. Steps and the time between them, in milliseconds. */
const RAMPS = { entrance: { steps: 24, everyMs: 50 }, return: { steps: 4, everyMs: 50 } } as const;

export type Ramp = keyof typeof RAMPS;

/** From silent to full: in 1.2 s as an entrance, in 200 ms as a return. Returns what cuts it short. */
export function rampUp(level: Level, after: After, ramp: Ramp): () => void {
  const { steps, everyMs } = RAMPS[ramp];
  let cancel = () => {};
  const stepTo = (step: number) => {
    level(step / steps);
    if (step < steps) cancel = after(everyMs, () => stepTo(step + 1));
  };
  stepTo(0);
  return () => cancel();
}
