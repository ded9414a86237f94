/** Keys with which browsers seek, pause, mute or resize a film. Tab, Escape and system shortcuts keep their function. */
const FILM_KEYS = new Set([
  ' ',
  'k',
  'K',
  'j',
  'J',
  'l',
  'L',
  'm',
  'M',
  'f',
  'F',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
  'MediaPlayPause',
  'MediaPlay',
  'MediaPause',
  'MediaStop',
  'MediaTrackNext',
  'MediaTrackPrevious',
]);

type PhoneVideo = HTMLVideoElement & {
  webkitPresentationMode?: string;
  webkitSetPresentationMode?: (mode: string) => void;
};

/** Blocks keys, context menu and picture in picture on the film while `locked()`. Buttons and lists above it stay usable by keyboard. */
export function guardFilm(wrapper: HTMLElement, video: HTMLVideoElement, locked: () => boolean): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const onKey = (event: KeyboardEvent) => {
    const shortcut = event.ctrlKey || event.metaKey || event.altKey;
    const onControl =
      event.target instanceof Element && event.target.closest('button, a, input, select') !== null;
    if (locked() && !shortcut && !onControl && FILM_KEYS.has(event.key)) event.preventDefault();
  };
  document.addEventListener('keydown', onKey, { capture: true, signal });
  wrapper.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
  wrapper.addEventListener('dragstart', (event) => event.preventDefault(), { signal });
  video.addEventListener('enterpictureinpicture', leavePictureInPicture, { signal });
  video.addEventListener('webkitpresentationmodechanged', () => backInline(video), { signal });
  return () => stop.abort();
}

function leavePictureInPicture(): void {
  document.exitPictureInPicture().catch(() => undefined);
}

/** Leaves only picture in picture: the caller that entered the phone's own full screen also leaves it. */
function backInline(video: PhoneVideo): void {
  if (video.webkitPresentationMode === 'picture-in-picture') video.webkitSetPresentationMode?.('inline');
}
