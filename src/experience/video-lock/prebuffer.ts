import { SONG_AHEAD_SECONDS } from '../timings.ts';
import { END_SLACK_S } from './timings.ts';

/**
 * Rules for the start button: enabled once the film could run, after 6 s in any case («Sto preparando il video…» until
 * then). On a connection slower than the film, a progress bar is shown until 10 s are buffered, for 20 s at most; the
 * button works already.
 */
export const PREBUFFER = { enableAfter: 6_000, enoughS: 10, fillFor: 20_000, measureOver: 1_000 } as const;

export type Prebuffer = {
  openedAt: number;
  /** First sample of the buffer, to measure its growth. */
  first: { at: number; bufferedTo: number } | null;
  stage: 'preparing' | 'filling' | 'ready';
  /** Share of the required buffer that is filled, 0 to 1. */
  filled: number;
};

/** State of the element. `resting`: the browser has stopped loading, and no more data will come before the start. */
export type PrebufferSample = {
  now: number;
  playable: boolean;
  loadingStopped: boolean;
  position: number;
  bufferedTo: number;
  duration: number;
  rate: number;
};

/**
 * Returns the initial state.
 * @param now monotonic ms
 * @param loads false if nothing loads before the tap (data saver)
 */
export function newPrebuffer(now: number, loads: boolean): Prebuffer {
  return { openedAt: now, first: null, stage: loads ? 'preparing' : 'ready', filled: loads ? 0 : 1 };
}

/** Adds a sample of the buffer. A ready state stays ready. */
export function watchPrebuffer(prebuffer: Prebuffer, sample: PrebufferSample): Prebuffer {
  if (prebuffer.stage === 'ready') return prebuffer;
  const growing = sample.bufferedTo > sample.position;
  const first = growing
    ? (firstSample(prebuffer, sample) ?? { at: sample.now, bufferedTo: sample.bufferedTo })
    : null;
  const filled = Math.max(prebuffer.filled, share(sample));
  return { ...prebuffer, first, filled, stage: nextStage({ ...prebuffer, first }, sample, filled) };
}

/** Returns the first sample. A smaller buffer means that another film is loading, so the measurement restarts. */
function firstSample({ first }: Prebuffer, { bufferedTo }: PrebufferSample): Prebuffer['first'] {
  return first !== null && bufferedTo >= first.bufferedTo ? first : null;
}

function nextStage(prebuffer: Prebuffer, sample: PrebufferSample, filled: number): Prebuffer['stage'] {
  const waited = sample.now - prebuffer.openedAt;
  const playable = sample.playable || waited >= PREBUFFER.enableAfter;
  if (!playable) return prebuffer.stage;
  if (filled >= 1 || sample.loadingStopped || waited >= PREBUFFER.fillFor) return 'ready';
  const speed = growth(prebuffer, sample);
  if (speed === null) return waited >= PREBUFFER.enableAfter ? 'ready' : 'filling';
  return speed >= sample.rate ? 'ready' : 'filling';
}

/** Returns the seconds of film that arrive per second, or null if too little time has passed. */
function growth(prebuffer: Prebuffer, sample: PrebufferSample): number | null {
  if (prebuffer.first === null || sample.now - prebuffer.first.at < PREBUFFER.measureOver) return null;
  return ((sample.bufferedTo - prebuffer.first.bufferedTo) * 1_000) / (sample.now - prebuffer.first.at);
}

function share(sample: PrebufferSample): number {
  const left = Number.isFinite(sample.duration) ? sample.duration - sample.position : PREBUFFER.enoughS;
  const requiredS = Math.max(0.1, Math.min(PREBUFFER.enoughS, left - 0.1));
  return Math.min(1, Math.max(0, (sample.bufferedTo - sample.position) / requiredS));
}

/** Returns true if the running film needs the network no more, or only briefly, so that other files may be fetched. */
export function needsNoMore({
  position,
  duration,
  bufferedTo,
}: Pick<PrebufferSample, 'position' | 'duration' | 'bufferedTo'>): boolean {
  return duration > 0 && (bufferedTo >= duration - END_SLACK_S || position >= duration - SONG_AHEAD_SECONDS);
}
