import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import { mediaHost, UNDER_THE_PAGE } from '../media-host.ts';
import styles from './film.module.css';

/**
 * Lays the film's wrapper over the whole page and takes the page out of reach: inert, dark, not scrolling.
 * @param carried elements of ours that must stay visible above the film (the notices); they move into the wrapper and back
 * @returns what lifts the cover; calling it again does nothing
 */
export function coverPage(carried: readonly HTMLElement[]): () => void {
  const { wrapper, overlay } = mediaHost();
  const undo = [...carried.map(carry), darkenPage(), ...othersInert(wrapper), stopScrolling()];
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
 * A poster under the overlay: a phone shows nothing of a film that never moved. Returns what takes it away, at once or dissolving.
 * @param onShown the poster is there to be seen
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

/** Lays the picture that the film shows now over it, for as long as its element is empty: instead of black. Returns what takes it away; null where it shows none. */
export function freezeFrame(): (() => void) | null {
  const { video, overlay } = mediaHost();
  if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  const picture = copyOf(video, { width: video.videoWidth, height: video.videoHeight }, styles['poster']);
  if (picture === null) return null;
  overlay.before(picture);
  return () => picture.remove();
}

/** A canvas of that size, in pixels, with the picture of the film or of another canvas; null where nothing can be drawn. */
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

function carry(element: HTMLElement): () => void {
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

/** The night's darkest, at the edges of the film. */
const EDGE = '#0c0712';

/** Strips that a phone leaves under fixed layers, and its own bars, take the page's colours. */
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
