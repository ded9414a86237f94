import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import { nextTask, orTimeout, sleep } from '../../ui/waiting.ts';
import styles from './passing.module.css';

/** Transitions between scenes. Optional, therefore a separate chunk. */

/** Duration in ms of the titles' fade, shorter than the picture's way to the card. */
const TITLES_FADE_MS = 240;
/** Durations in ms: the picture shrinks, then fades into the card's own. */
const SHRINK_MS = 1_150;
const CROSSFADE_MS = 260;
/** First trip, in ms: the destination's picture stays dark, then an iris opens from its focus point. */
const DARK_MS = 600;
const IRIS_MS = 1_300;
/** Second trip, in ms: the picture appears in a dawn that rises from below in its colours. */
const DAWN_MS = 2_200;
/** Initial size of the iris, as a share. */
const PINHOLE = 0.04;
/** Number of steps of an animation, which the browser interpolates linearly. */
const STEPS = 24;
/** Corner radius half-way, in px, and longest wait for a picture to decode, in ms. */
const CORNER = 22;
const DECODE_TIMEOUT_MS = 3_000;
/** The picture that two scenes share. */
const PICTURE = '[data-picture]';

/**
 * Keeps a scene visible but inert until it has faded over the next one. Called before React removes it. Moves the nodes themselves, so
 * that no picture is decoded again, and re-inserts them after React is done. Otherwise React would restore the focus of a button in them,
 * which forces a layout of both scenes.
 */
export function fadeOutScene(scene: HTMLElement): void {
  const around = scene.parentElement;
  if (around === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const left = layer(styles['left']);
  const { scrollTop = 0 } = scene.firstElementChild ?? {};
  const { top, width, height } = scene.getBoundingClientRect();
  Object.assign(left.style, { top: `${top}px`, width: `${width}px`, height: `${height}px` });
  left.append(...scene.childNodes);
  queueMicrotask(() => {
    around.append(left);
    if (scrollTop > 0) left.firstElementChild?.scrollTo(0, scrollTop);
    removeAfterAnimation(left);
    // After `shrinkIntoPlace` has taken the picture out, which may come late: the picture would fade with the rest.
    nextTask(() => left.classList.add(styles['dissolving'] ?? 'dissolving'));
  });
}

/** Shrinks the previous scene's picture into its place in this scene, if both show the same one. Runs after this scene's layout. */
export function shrinkIntoPlace(scene: HTMLElement): void {
  const after = scene.querySelector<HTMLImageElement>(PICTURE);
  if (after === null) return;
  nextTask(() => {
    const { picture: entrance } = after.dataset;
    if (entrance === 'iris' || entrance === 'dawn') return void enter(after, entrance);
    const left = scene.parentElement?.querySelector<HTMLElement>(`.${styles['left']}`);
    const before = left?.querySelector<HTMLImageElement>(PICTURE);
    if (left == null || before == null || before.naturalHeight === 0) return;
    scene.dataset['drawn'] = 'true';
    left.style.animationDuration = `${TITLES_FADE_MS}ms`;
    const frame = layer(styles['frame']);
    const focus = focusOf(after);
    const way = rectsBetween(left.getBoundingClientRect(), after.getBoundingClientRect());
    before.className = styles['picture'] ?? 'picture';
    before.style.visibility = '';
    frame.append(before);
    left.before(frame);
    animateShrink(frame, before, way, focus, after);
  });
}

/** Returns a picture's focus point as shares of its width and height, and of the area that it covers. */
function focusOf(picture: HTMLElement): { x: number; y: number } {
  const [x = 50, y = 50] = getComputedStyle(picture).objectPosition.split(' ').map(Number.parseFloat);
  return { x: x / 100, y: y / 100 };
}

/** Uncovers a destination's picture once it is decoded, after a dark moment. */
async function enter(picture: HTMLImageElement, entrance: 'iris' | 'dawn'): Promise<void> {
  const around = picture.parentElement;
  if (around === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  picture.style.visibility = 'hidden';
  const startedAt = performance.now();
  const dark = sleep(DARK_MS);
  await orTimeout(
    picture.decode().catch(() => {}),
    DECODE_TIMEOUT_MS,
  );
  await dark;
  if (entrance === 'iris') return openIris(picture, around, startedAt);
  picture.style.visibility = '';
  const dawn = layer(styles['dawn']);
  picture.after(dawn);
  const timing = { duration: DAWN_MS, easing: 'cubic-bezier(0.4, 0, 0.4, 1)', fill: 'both' } as const;
  dawn.animate({ transform: ['none', 'translateY(-66%)'], opacity: [1, 1, 0] }, timing).onfinish = () =>
    dawn.remove();
}

/**
 * Uncovers the picture from its focus point by a circle that only scales; the picture inside scales inversely.
 * @param startedAt start of the picture's own animation
 */
function openIris(picture: HTMLImageElement, around: HTMLElement, startedAt: number): void {
  const { width, height } = around.getBoundingClientRect();
  const focus = focusOf(picture);
  const [x, y] = [focus.x * width, focus.y * height];
  const radius = Math.hypot(Math.max(x, width - x), Math.max(y, height - y));
  const iris = layer(styles['iris']);
  const place = { left: `${x - radius}px`, top: `${y - radius}px` };
  Object.assign(iris.style, { ...place, width: `${2 * radius}px`, height: `${2 * radius}px` });
  const inside = picture.cloneNode() as HTMLImageElement;
  Object.assign(inside.style, {
    inset: 'auto',
    left: `${radius - x}px`,
    top: `${radius - y}px`,
    width: `${width}px`,
    height: `${height}px`,
    transformOrigin: `${x}px ${y}px`,
    visibility: '',
    // In step with the picture itself, which replaces it.
    animationDelay: `${startedAt - performance.now()}ms`,
  });
  delete inside.dataset['picture'];
  iris.append(inside);
  picture.after(iris);
  const timing = { duration: IRIS_MS, easing: 'cubic-bezier(0.4, 0, 0.2, 1)', fill: 'both' } as const;
  // Equal ratios between steps keep the two scales inverse when interpolated.
  const scales = Array.from({ length: STEPS + 1 }, (_, index) => PINHOLE ** (1 - index / STEPS));
  inside.animate({ transform: scales.map((scale) => `scale(${1 / scale})`) }, timing);
  iris.animate({ transform: scales.map((scale) => `scale(${scale})`) }, timing).onfinish = () => {
    picture.style.visibility = '';
    iris.remove();
  };
}

function layer(className = 'layer'): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.inert = true;
  element.ariaHidden = 'true';
  return element;
}

type PictureRect = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>;

/** Returns the steps from one rectangle to another, relative to the first. */
function rectsBetween(from: PictureRect, to: PictureRect): PictureRect[] {
  return Array.from({ length: STEPS + 1 }, (_, index) => {
    const share = index / STEPS;
    const between = (a: number, b: number) => a + (b - a) * share;
    return {
      x: between(0, to.x - from.x),
      y: between(0, to.y - from.y),
      width: between(from.width, to.width),
      height: between(from.height, to.height),
    };
  });
}

/**
 * Shrinks and reshapes the frame while the picture keeps covering it with a fixed focus point, then shows the card's own picture. Both
 * only scale and move, so that the compositor runs the animation.
 */
function animateShrink(
  frame: HTMLElement,
  picture: HTMLImageElement,
  way: readonly PictureRect[],
  focus: { x: number; y: number },
  after: HTMLImageElement,
): void {
  const ratio = picture.naturalWidth / picture.naturalHeight;
  const covering = ({ width, height }: PictureRect) => Math.max(width, height * ratio);
  const [whole] = way;
  if (whole === undefined) return;
  const wide = covering(whole);
  Object.assign(picture.style, { width: `${wide}px`, height: `${wide / ratio}px` });
  const timing: KeyframeAnimationOptions = {
    duration: SHRINK_MS,
    easing: 'cubic-bezier(0.55, 0, 0.15, 1)',
    fill: 'forwards',
  };
  const scales = way.map(({ width, height }) => [width / whole.width, height / whole.height] as const);
  const drawn = frame.animate(
    way.map(({ x, y }, index) => ({
      transform: `translate(${x}px, ${y}px) scale(${scales[index]?.join(', ')})`,
    })),
    timing,
  );
  // Separate, so that the movement stays on the compositor.
  const corners = cornersOf(after);
  frame.animate(
    scales.map(([sx, sy], index) => {
      const share = index / STEPS;
      const round = corners.map((end) => end * share + CORNER * 4 * share * (1 - share));
      return {
        borderRadius: [sx, sy].map((scale) => round.map((px) => `${px / scale}px`).join(' ')).join(' / '),
      };
    }),
    timing,
  );
  picture.animate(
    way.map((place, index) => {
      const across = covering(place);
      const x = (place.width - across) * focus.x;
      const y = (place.height - across / ratio) * focus.y;
      const [sx = 1, sy = 1] = scales[index] ?? [];
      return {
        transform: `scale(${1 / sx}, ${1 / sy}) translate(${x}px, ${y}px) scale(${across / wide})`,
      };
    }),
    timing,
  );
  drawn.onfinish = async () => {
    await orTimeout(
      after.decode().catch(() => {}),
      DECODE_TIMEOUT_MS,
    );
    frame.animate({ opacity: [1, 0] }, { duration: CROSSFADE_MS, fill: 'forwards' }).onfinish = () =>
      frame.remove();
  };
}

/** Returns the radii of a picture's corners in px, in the order of `border-radius`. */
function cornersOf(picture: HTMLElement): number[] {
  const style = getComputedStyle(picture);
  return (['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft'] as const).map(
    (corner) => Number.parseFloat(style[`border${corner}Radius`]) || 0,
  );
}
