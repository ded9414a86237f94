import { mediaHost, UNDER_THE_PAGE } from '../media-host.ts';
import styles from './film.module.css';

/**
 * Lays the film's wrapper over the whole page and takes the page out of reach: inert, black, not scrolling.
 * @param carried elements of ours that must stay visible above the film (the notices); they move into the wrapper and back
 * @returns what lifts the cover; calling it again does nothing
 */
export function coverPage(carried: readonly HTMLElement[]): () => void {
  const { wrapper, overlay } = mediaHost();
  const undo = [...carried.map(carry), blackenPage(), ...othersInert(wrapper), stopScrolling()];
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
 * A poster under the overlay: a phone shows nothing of a film that never moved. Returns what takes it away.
 * @param onShown the poster is there to be seen
 */
export function showPoster(url: string | null, onShown: (poster: HTMLImageElement) => void): () => void {
  if (url === null) return () => {};
  const poster = document.createElement('img');
  poster.className = styles['poster'] ?? 'poster';
  poster.alt = '';
  poster.addEventListener('load', () => onShown(poster));
  poster.src = url;
  mediaHost().overlay.before(poster);
  return () => poster.remove();
}

/** Lays the picture that the film shows now over it, for as long as its element is empty: instead of black. Returns what takes it away; null where it shows none. */
export function holdPicture(): (() => void) | null {
  const { video, overlay } = mediaHost();
  const picture = document.createElement('canvas');
  picture.width = video.videoWidth;
  picture.height = video.videoHeight;
  const drawn = picture.getContext('2d');
  if (drawn === null || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  picture.className = styles['poster'] ?? 'poster';
  picture.ariaHidden = 'true';
  drawn.drawImage(video, 0, 0);
  overlay.before(picture);
  return () => picture.remove();
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

/** Strips that a phone leaves under fixed layers, and its own bars, take the page's colours. */
function blackenPage(): () => void {
  const { documentElement: root, body } = document;
  const themes = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
  const before = {
    root: root.style.background,
    body: body.style.background,
    themes: themes.map((meta) => meta.content),
  };
  root.style.background = body.style.background = '#000';
  for (const meta of themes) meta.content = '#000000';
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
