import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import { mediaHost } from '../media-host.ts';
import { copyOf } from './cover.ts';
import styles from './film.module.css';
import { savesData } from './preload.ts';

/** Interval between two updates, in ms; the surround drifts slowly. */
const INTERVAL_MS = 200;
/** Widths in px of the reduced picture and of the canvas; enlarged to the screen it is a glow. */
const GRAIN = 16;
const CANVAS = 96;
/** Weight of each new picture over the previous ones. */
const BLEND = 0.45;
/** Dark layer over it, so that the film stays the brightest part. */
const DARKENED = 'rgb(11 5 10 / 58%)';
/** Smallest share of the screen that bars must cover to be filled. */
const MIN_BARS = 0.02;

type Picture = HTMLVideoElement | HTMLImageElement;
type Size = { width: number; height: number };

export type Surround = {
  /** Draws another picture (the poster). */
  show(picture: HTMLImageElement): void;
  /**
   * Leaves the film's last picture with its surround on the page when the film is removed; not with reduced motion.
   * @returns the function that fades it out
   */
  leaveAfterImage(): () => void;
  remove(): void;
};

/**
 * Fills the bars next to the film with a blurred, darkened copy of its picture: a canvas under it, drawn from the playing element. Draws
 * a few hundred pixels five times a second, and nothing while the film pauses or has no bars. With reduced motion or the data saver the
 * first picture stays.
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
  // The observer reports sizes after regular layouts; reading the size would force another one.
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
    // A poster replaces the frame that was drawn before it was loaded.
    glow(picture, drawn && picture === video ? BLEND : 1);
    drawn = true;
  };
  const update = () => {
    if (document.hidden || video.readyState < video.HAVE_CURRENT_DATA) return;
    // A paused film is drawn once: many phones show its first picture before it starts.
    if (!drawn || !(video.paused || still)) show(video);
  };
  const timer = setInterval(update, INTERVAL_MS);
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

/** Limits a size to the page's CSS pixels: a fading picture needs no more, and slow phones draw it while the film ends. */
function withinScreen({ width, height }: Size): Size {
  const scale = Math.min(1, innerWidth / width, innerHeight / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Returns a function that draws a picture small, enlarges it and darkens it. */
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
    // Shifted copies round off the corners that a single enlargement shows.
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
  return Math.max(bars.x / around.width, bars.y / around.height) * 2 > MIN_BARS;
}

/** Returns the width of a bar at either side of a picture, and the height of one above or below, in px. */
function barsOf(picture: Picture, around: Size): { x: number; y: number } {
  const { width, height } = sizeOf(picture);
  const scale = Math.min(around.width / width, around.height / height);
  return { x: (around.width - width * scale) / 2, y: (around.height - height * scale) / 2 };
}

/** Returns the inset of the softened edges; off the screen on sides without a bar. */
function softened({ x, y }: { x: number; y: number }): string {
  return [y, x].map((bar) => `${bar > 1 ? Math.round(bar) : -80}px`).join(' ');
}

function sizeOf(picture: Picture): Size {
  return picture instanceof HTMLVideoElement
    ? { width: picture.videoWidth, height: picture.videoHeight }
    : { width: picture.naturalWidth, height: picture.naturalHeight };
}
