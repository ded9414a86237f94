import { retryDelayMs, sleep } from './waiting.ts';

/** Wait before captions that failed to load are requested again, in ms. */
const AGAIN_MS = { first: 2_000, longest: 30_000 };

type Track = { url: string; always: boolean };

/**
 * Follows a film's captions and passes their current text to the callback (`''` for none); the page draws it. The browser draws only in
 * the phone's own full screen, where the page can't. If captions are enabled on the phone, its browser shows the track. Captions that
 * fail to load are retried and never affect the film.
 * @param always show captions even if they are disabled on the phone
 * @returns the function that removes them
 */
export function followCaptions(
  video: HTMLVideoElement,
  { url, always }: Track,
  tell: (text: string) => void,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let failures = 0;
  let element = attach();

  function attach(): HTMLTrackElement {
    const added = document.createElement('track');
    added.kind = 'captions';
    added.srclang = 'it';
    added.label = 'Italiano';
    added.src = url;
    added.addEventListener('error', () => void again(), { signal });
    added.track.addEventListener('cuechange', settle, { signal });
    video.append(added);
    if (always) added.track.mode = 'hidden';
    return added;
  }

  async function again(): Promise<void> {
    await sleep(retryDelayMs(failures++, AGAIN_MS), signal);
    if (signal.aborted) return;
    element.remove();
    element = attach();
    element.track.mode = 'hidden';
  }

  function settle(): void {
    const { track } = element;
    const own = video.webkitDisplayingFullscreen === true;
    if (track.mode === 'disabled' && always && !own) track.mode = 'hidden';
    if (track.mode === 'showing' && !own) track.mode = 'hidden';
    if (track.mode === 'hidden' && own) track.mode = 'showing';
    tell(track.mode === 'hidden' ? textIn(track.activeCues) : '');
  }

  video.textTracks.addEventListener('change', settle, { signal });
  for (const type of ['playing', 'webkitbeginfullscreen', 'webkitendfullscreen'])
    video.addEventListener(type, settle, { signal });
  return () => {
    stop.abort();
    element.remove();
    tell('');
  };
}

/** Returns the text of the active cues without markup. */
function textIn(cues: TextTrackCueList | null): string {
  const texts = [...(cues ?? [])].map((cue) => (cue as VTTCue).getCueAsHTML().textContent ?? '');
  return texts.join('\n');
}
