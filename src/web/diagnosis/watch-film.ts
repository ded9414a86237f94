import type { Findings } from '../../domain/diagnosis.ts';
import type { VideoStage } from '../visitor/media/stage.ts';
import { mediaHost } from '../visitor/media-host.ts';

type Decoded = HTMLVideoElement & {
  readonly webkitAudioDecodedByteCount?: number;
  readonly mozHasAudio?: boolean;
};

export type FilmWatch = {
  /** For the tap that starts it, inside it. */
  tapped(): void;
  /** What was seen so far; how it ended is the caller's word. */
  found(film: NonNullable<Findings['film']>): Findings;
  stop(): void;
};

/** Watches the evening's own stage play the film of the trial. */
export function watchFilm(stage: VideoStage): FilmWatch {
  const { video } = mediaHost();
  const ended = new AbortController();
  let began: number | null = null;
  let first_frame_ms: number | undefined;
  let stops = 0;
  let phase = stage.state().phase;
  let full_screen: NonNullable<Findings['full_screen']> = 'css';
  let awake: Findings['awake'];

  const unsubscribe = stage.subscribe(() => {
    const now = stage.state();
    if (now.fullScreen === 'element' && full_screen === 'css') full_screen = 'element';
    if (now.phase === phase) return;
    if (now.phase === 'playing' && began !== null) first_frame_ms ??= Math.round(performance.now() - began);
    if (now.phase === 'stalled' && phase === 'playing') stops += 1;
    phase = now.phase;
  });
  const native = () => {
    full_screen = 'phone';
  };
  video.addEventListener('webkitbeginfullscreen', native, { signal: ended.signal });

  return {
    tapped() {
      began ??= performance.now();
      void holdAwake(ended.signal, (held) => {
        awake = held;
      });
    },
    found: (film) => ({
      film: film === 'played' && stops > 0 ? 'stopped' : film,
      first_frame_ms,
      full_screen,
      audio_decoded: film === 'played' ? audioDecoded(video) : undefined,
      awake,
    }),
    stop() {
      unsubscribe();
      ended.abort();
    },
  };
}

/**
 * Does the screen stay on while the film runs? Asked inside a tap, as the evening does, and given back when the watch ends. A phone takes it
 * away from a page that nobody sees, which is no fault; one that takes it from a page on the screen keeps it from nobody's sleep.
 */
async function holdAwake(
  ended: AbortSignal,
  tell: (held: NonNullable<Findings['awake']>) => void,
): Promise<void> {
  if (!('wakeLock' in navigator)) return tell('missing');
  try {
    const lock = await navigator.wakeLock.request('screen');
    tell('held');
    lock.addEventListener('release', () => {
      if (!ended.aborted && !document.hidden) tell('refused');
    });
    if (ended.aborted) await lock.release();
    else ended.addEventListener('abort', () => void lock.release().catch(() => undefined));
  } catch {
    tell('refused');
  }
}

/** Only some browsers tell; that nothing was decoded is believed of Chromium alone, where the number is true. */
function audioDecoded(video: Decoded): boolean | undefined {
  const { webkitAudioDecodedByteCount: bytes, mozHasAudio } = video;
  if (bytes !== undefined && bytes > 0) return true;
  if (bytes === 0 && /Chrome\//.test(navigator.userAgent)) return false;
  return mozHasAudio;
}
