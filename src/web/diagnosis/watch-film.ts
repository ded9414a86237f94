import type { Findings } from '../../domain/diagnosis.ts';
import type { VideoStage } from '../visitor/media/stage.ts';
import { mediaHost } from '../visitor/media-host.ts';

type Decoded = HTMLVideoElement & {
  readonly webkitAudioDecodedByteCount?: number;
  readonly mozHasAudio?: boolean;
};

export type FilmWatch = {
  /** Called inside the tap that starts the film. */
  tapped(): void;
  /** Returns the findings so far; the caller states how the film ended. */
  findings(film: NonNullable<Findings['film']>): Findings;
  stop(): void;
};

/** Watches the evening's stage while it plays the diagnosis film. */
export function watchFilm(stage: VideoStage): FilmWatch {
  const { video } = mediaHost();
  const ended = new AbortController();
  let startedAt: number | null = null;
  let first_frame_ms: number | undefined;
  let stops = 0;
  let phase = stage.state().phase;
  let full_screen: NonNullable<Findings['full_screen']> = 'css';
  let awake: Findings['awake'];

  const unsubscribe = stage.subscribe(() => {
    const now = stage.state();
    if (now.fullScreen === 'element' && full_screen === 'css') full_screen = 'element';
    if (now.phase === phase) return;
    if (now.phase === 'playing' && startedAt !== null)
      first_frame_ms ??= Math.round(performance.now() - startedAt);
    if (now.phase === 'stalled' && phase === 'playing') stops += 1;
    phase = now.phase;
  });
  const native = () => {
    full_screen = 'phone';
  };
  video.addEventListener('webkitbeginfullscreen', native, { signal: ended.signal });

  return {
    tapped() {
      startedAt ??= performance.now();
      void holdAwake(ended.signal, (status) => {
        awake = status;
      });
    },
    findings: (film) => ({
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
 * Tests whether the wake lock holds while the film runs. Requested inside a tap, as in the evening, and released at the end. A release
 * while the page is hidden is normal; on a visible page it counts as refused.
 */
async function holdAwake(
  ended: AbortSignal,
  report: (status: NonNullable<Findings['awake']>) => void,
): Promise<void> {
  if (!('wakeLock' in navigator)) return report('missing');
  try {
    const lock = await navigator.wakeLock.request('screen');
    report('held');
    lock.addEventListener('release', () => {
      if (!ended.aborted && !document.hidden) report('refused');
    });
    if (ended.aborted) await lock.release();
    else ended.addEventListener('abort', () => void lock.release().catch(() => undefined));
  } catch {
    report('refused');
  }
}

/** Returns whether audio was decoded; undefined if the browser does not report it. A count of 0 is reliable only in Chromium. */
function audioDecoded(video: Decoded): boolean | undefined {
  const { webkitAudioDecodedByteCount: bytes, mozHasAudio } = video;
  if (bytes !== undefined && bytes > 0) return true;
  if (bytes === 0 && /Chrome\//.test(navigator.userAgent)) return false;
  return mozHasAudio;
}
