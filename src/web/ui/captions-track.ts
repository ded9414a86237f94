import { retryDelayMs, sleep } from './waiting.ts';

/** Between two tries to have captions that couldn't be had, in milliseconds. */
const AGAIN_MS = { first: 2_000, longest: 30_000 };

type Track = { url: string; always: boolean };

/**
 * Follows a film's captions and tells what is to be read now (`''` for nothing), so that the page draws it. The browser draws nothing itself but in
 * the phone's own full screen, where the page can't. Whether there is something to be read is the phone's choice: where captions are turned on,
 * its browser shows the track by itself. Captions that can't be had are tried again, and are nothing to the film.
 * @param always to be read whatever the phone's choice
 * @returns what takes them away
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

/** What the captions of a moment say, markup aside. */
function textIn(cues: TextTrackCueList | null): string {
  const texts = [...(cues ?? [])].map((cue) => (cue as VTTCue).getCueAsHTML().textContent ?? '');
  return texts.join('\n');
}
