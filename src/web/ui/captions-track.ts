import { retryDelayMs, sleep } from './waiting.ts';

/** Wait before captions that failed to load are requested again, in ms. */
const RETRY_MS = { first: 2_000, longest: 30_000 };

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
  onText: (text: string) => void,
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
    added.addEventListener('error', () => void reload(), { signal });
    added.track.addEventListener('cuechange', update, { signal });
    video.append(added);
    if (always) added.track.mode = 'hidden';
    return added;
  }

  async function reload(): Promise<void> {
    await sleep(retryDelayMs(failures++, RETRY_MS), signal);
    if (signal.aborted) return;
    element.remove();
    element = attach();
    element.track.mode = 'hidden';
  }

  function update(): void {
    const { track } = element;
    const isNativeFullScreen = video.webkitDisplayingFullscreen === true;
    if (track.mode === 'disabled' && always && !isNativeFullScreen) track.mode = 'hidden';
    if (track.mode === 'showing' && !isNativeFullScreen) track.mode = 'hidden';
    if (track.mode === 'hidden' && isNativeFullScreen) track.mode = 'showing';
    onText(track.mode === 'hidden' ? cueText(track.activeCues) : '');
  }

  video.textTracks.addEventListener('change', update, { signal });
  for (const type of ['playing', 'webkitbeginfullscreen', 'webkitendfullscreen'])
    video.addEventListener(type, update, { signal });
  return () => {
    stop.abort();
    element.remove();
    onText('');
  };
}

/** Returns the text of the active cues without markup. */
function cueText(cues: TextTrackCueList | null): string {
  const texts = [...(cues ?? [])].map((cue) => (cue as VTTCue).getCueAsHTML().textContent ?? '');
  return texts.join('\n');
}
