import { SONG_FADE } from '../../domain/limits.ts';

/** Sets the volume from 0 to 1, by any means the phone has. */
export type SetLevel = (level: number) => void;

/** Runs `run` after `ms` milliseconds unless the returned function is called first. */
export type Schedule = (ms: number, run: () => void) => () => void;

const STEPS = Math.round(1 / SONG_FADE.step);

/** Fades from full to silent in 20 steps of 5 %, one every 100 ms (spec 4). Returns a cancel function. */
export function fadeOut(level: SetLevel, after: Schedule, done: () => void): () => void {
  let cancel = () => {};
  const stepTo = (step: number) => {
    level((STEPS - step) / STEPS);
    if (step === STEPS) return done();
    cancel = after(SONG_FADE.everyMs, () => stepTo(step + 1));
  };
  cancel = after(SONG_FADE.everyMs, () => stepTo(1));
  return () => cancel();
}

/** Steps of 50 ms to full volume: at the song's start, and when it resumes. */
const RAMPS = { entrance: 24, return: 4 } as const;

export type Ramp = keyof typeof RAMPS;

/**
 * Raises the volume from silence to full: in 1.2 s as an entrance, in 200 ms as a return. Returns a cancel function.
 */
export function rampUp(level: SetLevel, after: Schedule, ramp: Ramp): () => void {
  return glide(level, after, { from: 0, to: 1, steps: RAMPS[ramp] });
}

/** Volume of the dip before a destination, and its duration in ms. */
const DIPPED = 0.4;
const DIPPED_MS = 700;

/** Lowers the volume to 40 % in 300 ms and raises it again in 1.2 s. Returns a cancel function. */
export function dip(level: SetLevel, after: Schedule): () => void {
  const cuts: (() => void)[] = [];
  const rise = () => cuts.push(glide(level, after, { from: DIPPED, to: 1, steps: RAMPS.entrance }));
  const rest = () => cuts.push(after(DIPPED_MS, rise));
  cuts.push(glide(level, after, { from: 1, to: DIPPED, steps: 6 }, rest));
  return () => {
    for (const cut of cuts) cut();
  };
}

const INTERVAL_MS = 50;

function glide(
  level: SetLevel,
  after: Schedule,
  { from, to, steps }: { from: number; to: number; steps: number },
  done?: () => void,
): () => void {
  let cancel = () => {};
  const stepTo = (step: number) => {
    level(from + ((to - from) * step) / steps);
    if (step < steps) cancel = after(INTERVAL_MS, () => stepTo(step + 1));
    else done?.();
  };
  stepTo(0);
  return () => cancel();
}
