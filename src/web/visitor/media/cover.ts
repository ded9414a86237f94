import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import { mediaHost, UNDER_THE_PAGE } from '../media-host.ts';
import styles from './film.module.css';

/**
 * Covers the whole page with the film's wrapper and makes the page inert, dark and unscrollable.
 * @param carried elements that must stay visible above the film (the notices); moved into the wrapper and back
 * @returns the function that removes the cover; repeated calls do nothing
 */
export function coverPage(carried: readonly HTMLElement[]): () => void {
  const { wrapper, overlay } = mediaHost();
  const undo = [...carried.map(moveIntoWrapper), darkenPage(), ...othersInert(wrapper), stopScrolling()];
  wrapper.style.cssText = '';
  wrapper.classList.add(styles['film'] ?? 'film');
  overlay.classList.add(styles['overlay'] ?? 'overlay');
  return () => {
    for (const step of undo.splice(0)) step();
    wrapper.classList.remove(styles['film'] ?? 'film');
    wrapper.style.cssText = UNDER_THE_PAGE;
  };
}

/**
 * Shows a poster under the overlay, because phones show nothing of a film that has never moved.
 * @param onShown called when the poster is loaded
 * @returns the function that removes it, at once or by fading
 */
export function showPoster(
  url: string | null,
  onShown: (poster: HTMLImageElement) => void,
): (dissolves?: boolean) => void {
  if (url === null) return () => {};
  const poster = document.createElement('img');
  poster.className = styles['poster'] ?? 'poster';
  poster.alt = '';
  poster.addEventListener('load', () => onShown(poster));
  poster.src = url;
  mediaHost().overlay.before(poster);
  return (dissolves = false) => {
    if (!dissolves) return poster.remove();
    if (poster.dataset['fading'] !== undefined) return;
    poster.dataset['fading'] = 'true';
    removeAfterAnimation(poster);
  };
}

/**
 * Covers the film with its current picture while its element is reloaded, instead of black.
 * @returns the function that removes it; null if the film shows no picture
 */
export function freezeFrame(): (() => void) | null {
  const { video, overlay } = mediaHost();
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  const picture = copyOf(video, { width: video.videoWidth, height: video.videoHeight }, styles['poster']);
  if (picture === null) return null;
  overlay.before(picture);
  return () => picture.remove();
}

/** Returns a canvas of that size in px with the film's or another canvas' picture; null if drawing is impossible. */
export function copyOf(
  source: HTMLVideoElement | HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  className = '',
): HTMLCanvasElement | null {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width, height, className, ariaHidden: 'true' });
  const drawn = copy.getContext('2d');
  drawn?.drawImage(source, 0, 0, width, height);
  return drawn && copy;
}

function moveIntoWrapper(element: HTMLElement): () => void {
  const place = document.createComment('');
  element.before(place);
  mediaHost().wrapper.append(element);
  return () => place.replaceWith(element);
}

function othersInert(wrapper: HTMLElement): (() => void)[] {
  const others = [...document.body.children].filter((child) => child instanceof HTMLElement);
  const reachable = others.filter((child) => child !== wrapper && !child.inert);
  return reachable.map((child) => {
    child.inert = true;
    return () => {
      child.inert = false;
    };
  });
}

/** The darkest colour of the night, for the film's edges. */
const EDGE = '#0c0712';

/** Gives the page's colours to strips that phones leave under fixed layers, and to the phone's own bars. */
function darkenPage(): () => void {
  const { documentElement: root, body } = document;
  const themes = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  const before = {
    root: root.style.background,
    body: body.style.background,
    themes: themes.map((meta) => meta.content),
  };
  root.style.background = body.style.background = EDGE;
  for (const meta of themes) meta.content = EDGE;
  return () => {
    root.style.background = before.root;
    body.style.background = before.body;
    for (const [index, meta] of themes.entries()) meta.content = before.themes[index] ?? '';
  };
}

function stopScrolling(): () => void {
  const { style } = document.documentElement;
  const before = style.overflow;
  style.overflow = 'hidden';
  return () => {
    style.overflow = before;
  };
}
