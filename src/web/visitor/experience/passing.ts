import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import { nextTask, orTimeout, sleep } from '../../ui/waiting.ts';
import styles from './passing.module.css';

/** How one scene passes into the next. Nothing waits for it, and an evening without it is whole: a chunk of its own. */

/** The titles are gone before the picture has left the card free; milliseconds. */
const WORDS_GO_MS = 240;
/** The picture draws back for so long, and then gives way to the card's own for so long; milliseconds. */
const DRAWS_BACK_MS = 1_150;
const GIVES_WAY_MS = 260;
/** The destination's picture is dark for so long, and then an iris opens from its focus for so long, on a first trip; milliseconds. */
const DARK_MS = 600;
const OPENS_MS = 1_300;
/** The second trip's picture comes as a second sky dawns in its own hues, from below, in so many milliseconds. */
const DAWNS_MS = 2_200;
/** As small as the iris begins, as a share. */
const PINHOLE = 0.04;
/** Between so many places on the way the browser draws straight lines. */
const PLACES = 24;
/** How round the corners are half-way, in pixels, and how long the card's own picture may take to be there, in milliseconds. */
const CORNER = 22;
const DECODES_MS = 3_000;
/** The picture that two scenes share. */
const PICTURE = '[data-picture]';

/**
 * Keeps what a scene shows on the screen, out of reach, until it has dissolved over the next one. Called before React takes the scene off; the nodes
 * themselves move, so that no picture has to be decoded again. They come back once React is done: a button that has the focus would be given it again where
 * it lies now, and for that the browser lays out both scenes in the middle of the change.
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
    // After the picture has been taken out of it (`arrive`), however late that is: else it would grow dark with the rest.
    nextTask(() => left.classList.add(styles['dissolving'] ?? 'dissolving'));
  });
}

/** Where the scene before showed the same picture, that draws back from the whole screen into its place in this one, once this one is laid out. */
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
    left.style.animationDuration = `${WORDS_GO_MS}ms`;
    const frame = layer(styles['frame']);
    const focus = focusOf(after);
    const way = placesBetween(left.getBoundingClientRect(), after.getBoundingClientRect());
    before.className = styles['picture'] ?? 'picture';
    before.style.visibility = '';
    frame.append(before);
    left.before(frame);
    drawBack(frame, before, way, focus, after);
  });
}

/** The point of a picture that stays in view, as shares of its width and height, and of the place that it covers. */
function focusOf(picture: HTMLElement): { x: number; y: number } {
  const [x = 50, y = 50] = getComputedStyle(picture).objectPosition.split(' ').map(Number.parseFloat);
  return { x: x / 100, y: y / 100 };
}

/** Uncovers a destination's picture once it is there, after a moment of dark. */
async function enter(picture: HTMLImageElement, entrance: 'iris' | 'dawn'): Promise<void> {
  const around = picture.parentElement;
  if (around === null || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  picture.style.visibility = 'hidden';
  const began = performance.now();
  const dark = sleep(DARK_MS);
  await orTimeout(
    picture.decode().catch(() => {}),
    DECODES_MS,
  );
  await dark;
  if (entrance === 'iris') return openIris(picture, around, began);
  picture.style.visibility = '';
  const dawn = layer(styles['dawn']);
  picture.after(dawn);
  const timing = { duration: DAWNS_MS, easing: 'cubic-bezier(0.4, 0, 0.4, 1)', fill: 'both' } as const;
  dawn.animate({ transform: ['none', 'translateY(-66%)'], opacity: [1, 1, 0] }, timing).onfinish = () =>
    dawn.remove();
}

/** Uncovers it from its focus by a circle that only scales, and the picture in it against that. @param began when its own movement did */
function openIris(picture: HTMLImageElement, around: HTMLElement, began: number): void {
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
    // As far on its way as the picture itself, which takes its place.
    animationDelay: `${began - performance.now()}ms`,
  });
  delete inside.dataset['picture'];
  iris.append(inside);
  picture.after(iris);
  const timing = { duration: OPENS_MS, easing: 'cubic-bezier(0.4, 0, 0.2, 1)', fill: 'both' } as const;
  // In equal steps of size, so that the two stay each other's inverse between them.
  const scales = Array.from({ length: PLACES + 1 }, (_, index) => PINHOLE ** (1 - index / PLACES));
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

/** From one place to another, both relative to the first. */
function placesBetween(from: PictureRect, to: PictureRect): PictureRect[] {
  return Array.from({ length: PLACES + 1 }, (_, index) => {
    const share = index / PLACES;
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
 * The frame becomes smaller and another shape, and the picture covers it all the way, its focus where it always is. Both only scale and move, which
 * the compositor does by itself. Then the card's own picture takes its place.
 */
function drawBack(
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
    duration: DRAWS_BACK_MS,
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
  // Apart from the movement, which is to stay with the compositor.
  const corners = cornersOf(after);
  frame.animate(
    scales.map(([sx, sy], index) => {
      const share = index / PLACES;
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
      DECODES_MS,
    );
    frame.animate({ opacity: [1, 0] }, { duration: GIVES_WAY_MS, fill: 'forwards' }).onfinish = () =>
      frame.remove();
  };
}

/** The radii of a picture's corners in pixels, as `border-radius` lists them. */
function cornersOf(picture: HTMLElement): number[] {
  const style = getComputedStyle(picture);
  return (['TopLeft', 'TopRight', 'BottomRight', 'BottomLeft'] as const).map(
    (corner) => Number.parseFloat(style[`border${corner}Radius`]) || 0,
  );
}
