import type { LockEvent, PlayerState } from '../../../experience/video-lock/lock-types.ts';
import type { PrebufferSample } from '../../../experience/video-lock/prebuffer.ts';

/** Returns the element's state and environment for the lock's rules. */
export function readPlayerState(video: HTMLVideoElement): Omit<PlayerState, 'lighter'> {
  return {
    now: performance.now(),
    hidden: document.visibilityState === 'hidden',
    online: navigator.onLine,
    position: video.currentTime,
    duration: video.duration,
    paused: video.paused,
    ended: video.ended,
    seeking: video.seeking,
    rate: video.playbackRate,
    undecodable: video.error?.code === MediaError.MEDIA_ERR_DECODE,
    bufferedTo: bufferedTo(video),
  };
}

export function prebufferSample(
  video: HTMLVideoElement,
  player: ReturnType<typeof readPlayerState>,
): PrebufferSample {
  const { now, position, duration, rate, bufferedTo: to } = player;
  const isIdle = video.networkState === HTMLMediaElement.NETWORK_IDLE;
  const playable = video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA;
  return { now, position, duration, rate, bufferedTo: to, playable, loadingStopped: isIdle && playable };
}

/** Returns the end of the buffered range at the current position, or the position itself. */
export function bufferedTo({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime + 0.25 && buffered.end(index) >= currentTime)
      return buffered.end(index);
  }
  return currentTime;
}

const OWN = [
  'loadedmetadata',
  'playing',
  'timeupdate',
  'pause',
  'seeking',
  'seeked',
  'ratechange',
  'error',
  'ended',
] as const;

/** Converts all browser events about the film into the lock's events. */
export function listenToFilm(
  video: HTMLVideoElement,
  send: (event: LockEvent) => void,
  loading: () => void,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  for (const type of OWN) video.addEventListener(type, () => send({ type }), { signal });
  for (const type of ['progress', 'canplay', 'suspend', 'durationchange']) {
    video.addEventListener(type, loading, { signal });
  }
  video.addEventListener('webkitendfullscreen', () => send({ type: 'nativeLeft' }), { signal });
  const seen = () => send({ type: document.visibilityState === 'hidden' ? 'hidden' : 'visible' });
  document.addEventListener('visibilitychange', seen, { signal });
  for (const type of ['pageshow', 'focus']) addEventListener(type, seen, { signal });
  for (const type of ['online', 'offline'] as const) addEventListener(type, () => send({ type }), { signal });
  return () => stop.abort();
}
