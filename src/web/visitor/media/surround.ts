import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import { mediaHost } from '../media-host.ts';
import { copyOf } from './cover.ts';
import styles from './film.module.css';
import { savesData } from './preload.ts';

/** Between two looks at the film, in milliseconds: its surroundings drift, they don't play. */
const EVERY_MS = 200;
/** So little of a picture is kept, in pixels of width; spread over a screen it is a glow. */
const GRAIN = 16;
const CANVAS = 96;
/** What each look adds to the one before. */
const FRESH = 0.45;
/** The night over it, so that the film stays the brightest thing. */
const DARKENED = 'rgb(11 5 10 / 58%)';
/** A film that leaves less than this share of the screen free has no bars worth filling. */
const BARS = 0.02;

type Picture = HTMLVideoElement | HTMLImageElement;
type Size = { width: number; height: number };

export type Surround = {
  /** Draws another picture (the poster). */
  show(picture: HTMLImageElement): void;
  /**
   * Leaves the film's last picture, in what surrounds it, on the page when the film is taken off; none where motion isn't wanted.
   * @returns what lets it dissolve
   */
  leaveAfterImage(): () => void;
  remove(): void;
};

/**
 * Fills the bars beside the film with a blurred, darkened copy of its picture: a canvas under it, drawn from the element that plays. It costs a
 * few hundred pixels five times a second, and nothing while the film rests or there are no bars. Where motion isn't wanted or data are saved
 * it stays with its first picture.
 */
export function surroundFilm(): Surround {
  const { wrapper, video } = mediaHost();
  const canvas = document.createElement('canvas');
  const glow = glowOn(canvas);
  canvas.className = styles['surround'] ?? 'surround';
  canvas.ariaHidden = 'true';
  wrapper.prepend(canvas);
  const edges = document.createElement('div');
  edges.className = styles['edges'] ?? 'edges';
  video.after(edges);
  const still = savesData() || matchMedia('(prefers-reduced-motion: reduce)').matches;
  let drawn = false;
  // Told by the browser when it has laid the page out anyway: asked for it, it would do so once more.
  let around: Size | undefined;
  const sized = new ResizeObserver(([entry]) => {
    around = entry?.contentRect;
  });
  sized.observe(wrapper);
  const show = (picture: Picture) => {
    if (around !== undefined) {
      const wide = sizeOf(picture).width > sizeOf(picture).height;
      wrapper.dataset['turn'] = String(wide && around.height > around.width);
      edges.style.inset = softened(barsOf(picture, around));
      if (!hasBars(picture, around)) return;
    }
    // A poster takes the place of the frame that was drawn before it was there.
    glow(picture, drawn && picture === video ? FRESH : 1);
    drawn = true;
  };
  const look = () => {
    if (document.hidden || video.readyState < video.HAVE_CURRENT_DATA) return;
    // A film that rests is drawn once: many phones show its first picture before it begins.
    if (!drawn || !(video.paused || still)) show(video);
  };
  const timer = setInterval(look, EVERY_MS);
  return {
    show,
    leaveAfterImage: () => leaveAfterImage(canvas),
    remove() {
      clearInterval(timer);
      sized.disconnect();
      canvas.remove();
      edges.remove();
      delete wrapper.dataset['turn'];
    },
  };
}

function leaveAfterImage(around: HTMLCanvasElement): () => void {
  const { video } = mediaHost();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still || video.readyState < video.HAVE_CURRENT_DATA) return () => {};
  const image = document.createElement('div');
  image.className = styles['afterImage'] ?? 'afterImage';
  image.ariaHidden = 'true';
  const parts = [
    copyOf(around, around, styles['surround']),
    copyOf(video, withinScreen(sizeOf(video)), styles['poster']),
  ];
  image.append(...parts.filter((part) => part !== null));
  document.body.append(image);
  return () => {
    image.dataset['fading'] = 'true';
    removeAfterAnimation(image);
  };
}

/** No more pixels than the page has units of length: a picture that dissolves needs none finer, and each costs the slow phone that draws it while its film ends. */
function withinScreen({ width, height }: Size): Size {
  const scale = Math.min(1, innerWidth / width, innerHeight / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Draws a picture small, spreads it, and lays the night over it. */
function glowOn(canvas: HTMLCanvasElement): (picture: Picture, alpha: number) => void {
  const small = document.createElement('canvas');
  const [grain, light] = [small.getContext('2d'), canvas.getContext('2d')];
  return (picture, alpha) => {
    const { width, height } = sizeOf(picture);
    if (grain === null || light === null || width === 0 || height === 0) return;
    const tall = height / width;
    if (canvas.height !== Math.round(CANVAS * tall) || canvas.width !== CANVAS) {
      small.width = GRAIN;
      small.height = Math.max(1, Math.round(GRAIN * tall));
      canvas.width = CANVAS;
      canvas.height = Math.max(1, Math.round(CANVAS * tall));
    }
    grain.drawImage(picture, 0, 0, small.width, small.height);
    grain.fillStyle = DARKENED;
    grain.fillRect(0, 0, small.width, small.height);
    // Copies beside each other round off the corners that a single enlargement has.
    const step = CANVAS / GRAIN / 2;
    for (const [x, y] of [
      [0, 0],
      [step, 0],
      [-step, 0],
      [0, step],
      [0, -step],
    ] as const) {
      light.globalAlpha = x === 0 && y === 0 ? alpha : alpha * 0.4;
      light.drawImage(small, x, y, canvas.width, canvas.height);
    }
  };
}

function hasBars(picture: Picture, around: Size): boolean {
  const bars = barsOf(picture, around);
  return Math.max(bars.x / around.width, bars.y / around.height) * 2 > BARS;
}

/** How wide each of the two bars beside a picture is, and how high those above and below, in pixels. */
function barsOf(picture: Picture, around: Size): { x: number; y: number } {
  const { width, height } = sizeOf(picture);
  const scale = Math.min(around.width / width, around.height / height);
  return { x: (around.width - width * scale) / 2, y: (around.height - height * scale) / 2 };
}

/** Where the film's edges are softened; where it has no bar, that is off the screen. */
function softened({ x, y }: { x: number; y: number }): string {
  return [y, x].map((bar) => `${bar > 1 ? Math.round(bar) : -80}px`).join(' ');
}

function sizeOf(picture: Picture): Size {
  return picture instanceof HTMLVideoElement
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : { width: picture.naturalWidth, height: picture.naturalHeight };
}
