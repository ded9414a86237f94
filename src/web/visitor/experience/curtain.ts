import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import styles from './curtain.module.css';

/** The evening's last picture: sky and hearts without text. Optional, therefore a separate chunk. */

/** Fades the last picture out over the next page. */
export function dropCurtain(): void {
  const curtain = showLastPicture();
  if (curtain === null) return;
  curtain.inert = true;
  curtain.classList.add(styles['dissolving'] ?? '');
  removeAfterAnimation(curtain);
}

/*
 * After the end, the last picture covers the finished visit: hearts settle, lines join them, they pause and gather into one point. The
 * point becomes the wax of the closed envelope, on which the recipient's name is written. Durations in ms.
 */
const SETTLE_MS = 1_400;
const JOIN_MS = 900;
const HOLD_MS = 2_400;
const GATHER_MS = 1_300;
const UNCOVER_MS = 1_000;
const WRITE_MS = 900;
const SKIP_MS = 300;

/** Closes the letter over the access screen, which is already rendered. Any tap or key ends the animation. */
export async function closeLetter(): Promise<void> {
  const hasTickets = document.querySelector('main[data-hour] [data-head="true"]') !== null;
  const curtain = showLastPicture();
  if (curtain === null) return;
  const page: Animation[] = [];
  const skip = new AbortController();
  skip.signal
    .addEventListener('abort', () => {
      for (const animation of page) animation.finish();
      curtain.animate({ opacity: 0 }, { duration: SKIP_MS, fill: 'forwards' }).onfinish = () =>
        curtain.remove();
    });
  for (const touch of ['pointerdown', 'keydown', 'orientationchange'])
    addEventListener(touch, () => skip.abort(), { signal: skip.signal });
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  await joinHearts(curtain, calm);
  if (skip.signal.aborted) return;
  const wax = document.querySelector('[data-wax]');
  if (wax !== null && !calm) {
    const at = middleOf(wax);
    gather(curtain, at, hasTickets);
    page.push(...sealAndWrite(wax));
  }
  const uncovers: KeyframeAnimationOptions = {
    duration: UNCOVER_MS,
    fill: 'forwards',
    easing: 'ease-in-out',
  };
  await curtain.animate({ opacity: 0 }, calm ? uncovers : { ...uncovers, delay: GATHER_MS }).finished;
  if (skip.signal.aborted) return;
  curtain.remove();
  await Promise.all(page.map(({ finished }) => finished));
  skip.abort();
}

/** Covers the page with a copy of the current night. Returns null without one. */
function showLastPicture(): HTMLElement | null {
  const night = document.querySelector<HTMLElement>('main[data-hour]');
  if (night === null) return null;
  const curtain = document.createElement('div');
  curtain.className = `${night.className} ${styles['curtain']}`;
  // Has a separate palette, so that the page's palette change below recomputes none of its styles.
  Object.assign(curtain.dataset, night.dataset, { palette: 'night' });
  curtain.ariaHidden = 'true';
  curtain.append(...[...night.querySelectorAll('[data-stays]')].map(copyOf));
  document.body.append(curtain);
  return curtain;
}

/** Returns a copy frozen in the original's current position, because animations restart in a copy. */
function copyOf(part: Element): Node {
  const copy = part.cloneNode(true) as Element;
  const originals = [part, ...part.querySelectorAll('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll<HTMLElement>('*')].entries()) {
    const { opacity, transform, scale } = getComputedStyle(originals[index] ?? part);
    Object.assign((element as HTMLElement).style, { opacity, transform, scale });
  }
  return copy;
}

async function joinHearts(curtain: HTMLElement, calm: boolean): Promise<void> {
  const timing: KeyframeAnimationOptions = {
    duration: calm ? 0 : SETTLE_MS,
    easing: 'ease-out',
    fill: 'forwards',
  };
  for (const heart of curtain.querySelectorAll('[data-heart], [data-heart] > *'))
    heart.animate({ transform: 'none', scale: '1', opacity: '1' }, timing);
  const lines = curtain.querySelector('[data-lines]');
  lines?.firstElementChild?.animate({ opacity: 1 }, timing);
  lines?.animate({ opacity: 0.6 }, { ...timing, duration: JOIN_MS, delay: SETTLE_MS });
  await curtain.animate(null, SETTLE_MS + JOIN_MS + HOLD_MS).finished;
}

type Point = { x: number; y: number };

function middleOf(element: Element): Point {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Gathers the hearts one after another in one point, and with them the tickets, which can no longer be opened. */
function gather(curtain: HTMLElement, to: Point, hasTickets: boolean): void {
  const timing: KeyframeAnimationOptions = { easing: 'cubic-bezier(0.6, 0, 0.4, 1)', fill: 'forwards' };
  const lines = curtain.querySelector('[data-lines]');
  lines?.animate({ opacity: 0 }, { ...timing, duration: 400 });
  const flying = [...curtain.querySelectorAll('[data-heart]')];
  if (hasTickets) {
    const ticket = document.createElement('div');
    ticket.className = styles['ticket'] ?? '';
    curtain.append(ticket);
    flying.push(ticket);
  }
  const longest = GATHER_MS / 3;
  for (const [index, each] of flying.entries()) {
    const from = middleOf(each);
    const way = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
    const delay = (longest * index) / flying.length;
    const hiddenState = { transform: `${way} scale(0.2)`, opacity: 0 };
    each.animate([{ offset: 0.3, opacity: 1 }, { offset: 0.85, opacity: 1 }, hiddenState], {
      ...timing,
      duration: GATHER_MS - longest,
      delay,
    });
  }
  const point = document.createElement('div');
  point.className = styles['point'] ?? '';
  Object.assign(point.style, { left: `${to.x}px`, top: `${to.y}px` });
  curtain.append(point);
  point.animate(
    { transform: ['scale(0)', 'scale(1)'], opacity: [0, 1] },
    { ...timing, duration: GATHER_MS, fill: 'both' },
  );
}

/** Stamps the wax at the point while the night fades, then writes the name. */
function sealAndWrite(wax: Element): Animation[] {
  const stamp = { transform: ['scale(0.3)', 'scale(1.12)', 'scale(1)'] };
  const stamped = wax.animate(stamp, {
    duration: UNCOVER_MS,
    delay: GATHER_MS,
    easing: 'ease-out',
    fill: 'backwards',
  });
  const name = document.querySelector('[data-addressee]');
  const written: KeyframeAnimationOptions = {
    duration: WRITE_MS,
    delay: GATHER_MS + UNCOVER_MS / 2,
    easing: 'ease-in-out',
    fill: 'backwards',
  };
  // Cover and text move in opposite directions.
  const cover = name?.animate({ transform: ['translateX(-100%)', 'none'] }, written);
  const words = name?.firstElementChild?.animate({ transform: ['translateX(100%)', 'none'] }, written);
  return [stamped, cover, words].filter((animation) => animation !== undefined);
}
