import { removeAfterAnimation } from '../../ui/remove-when-gone.ts';
import styles from './curtain.module.css';

/** What the evening leaves on the screen: sky and hearts, and no word. Nothing waits for it, and an evening without it is whole: a chunk of its own. */

/** It dissolves over the page that comes. */
export function dropCurtain(): void {
  const curtain = hang();
  if (curtain === null) return;
  curtain.inert = true;
  curtain.classList.add(styles['dissolving'] ?? '');
  removeAfterAnimation(curtain);
}

/*
 * After an end the figure of the hearts goes on over the finished visit: those still on their way settle, lines join them, they are held, and gather to
 * one point, which is the wax of the closed envelope; her name is written on it. Durations in milliseconds.
 */
const SETTLES = 1_400;
const JOINS = 900;
const HOLDS = 2_400;
const GATHERS = 1_300;
const UNCOVERS = 1_000;
const WRITES = 900;
const SKIPPED = 300;

/** Closes the letter over the access screen, which is already there. Any tap or key ends it at once. */
export async function closeLetter(): Promise<void> {
  const hasTickets = document.querySelector('main[data-hour] [data-head="true"]') !== null;
  const curtain = hang();
  if (curtain === null) return;
  const page: Animation[] = [];
  const skip = new AbortController();
  skip.signal
    .addEventListener('abort', () => {
      for (const animation of page) animation.finish();
      curtain.animate({ opacity: 0 }, { duration: SKIPPED, fill: 'forwards' }).onfinish = () =>
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
  const uncovers: KeyframeAnimationOptions = { duration: UNCOVERS, fill: 'forwards', easing: 'ease-in-out' };
  await curtain.animate({ opacity: 0 }, calm ? uncovers : { ...uncovers, delay: GATHERS }).finished;
  if (skip.signal.aborted) return;
  curtain.remove();
  await Promise.all(page.map(({ finished }) => finished));
  skip.abort();
}

/** The night as it is now, over everything. Null where there is none. */
function hang(): HTMLElement | null {
  const night = document.querySelector<HTMLElement>('main[data-hour]');
  if (night === null) return null;
  const curtain = document.createElement('div');
  curtain.className = `${night.className} ${styles['curtain']}`;
  // Its own, so that nothing of it is worked out anew when the page takes on another under it.
  Object.assign(curtain.dataset, night.dataset, { palette: 'night' });
  curtain.ariaHidden = 'true';
  curtain.append(...[...night.querySelectorAll('[data-stays]')].map(copyOf));
  document.body.append(curtain);
  return curtain;
}

/** A copy that stands where the original is on its way: an animation would begin anew in it. */
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
    duration: calm ? 0 : SETTLES,
    easing: 'ease-out',
    fill: 'forwards',
  };
  for (const heart of curtain.querySelectorAll('[data-heart], [data-heart] > *'))
    heart.animate({ transform: 'none', scale: '1', opacity: '1' }, timing);
  const lines = curtain.querySelector('[data-lines]');
  lines?.firstElementChild?.animate({ opacity: 1 }, timing);
  lines?.animate({ opacity: 0.6 }, { ...timing, duration: JOINS, delay: SETTLES });
  await curtain.animate(null, SETTLES + JOINS + HOLDS).finished;
}

type Point = { x: number; y: number };

function middleOf(element: Element): Point {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Everything goes to one point: the hearts one after another, and what she kept of her tickets, which can't be opened any more. */
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
  const longest = GATHERS / 3;
  for (const [index, each] of flying.entries()) {
    const from = middleOf(each);
    const way = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
    const delay = (longest * index) / flying.length;
    const gone = { transform: `${way} scale(0.2)`, opacity: 0 };
    each.animate([{ offset: 0.3, opacity: 1 }, { offset: 0.85, opacity: 1 }, gone], {
      ...timing,
      duration: GATHERS - longest,
      delay,
    });
  }
  const point = document.createElement('div');
  point.className = styles['point'] ?? '';
  Object.assign(point.style, { left: `${to.x}px`, top: `${to.y}px` });
  curtain.append(point);
  point.animate(
    { transform: ['scale(0)', 'scale(1)'], opacity: [0, 1] },
    { ...timing, duration: GATHERS, fill: 'both' },
  );
}

/** The point becomes the wax while the night dissolves, and then the name is written. */
function sealAndWrite(wax: Element): Animation[] {
  const stamp = { transform: ['scale(0.3)', 'scale(1.12)', 'scale(1)'] };
  const stamped = wax.animate(stamp, {
    duration: UNCOVERS,
    delay: GATHERS,
    easing: 'ease-out',
    fill: 'backwards',
  });
  const name = document.querySelector('[data-addressee]');
  const written: KeyframeAnimationOptions = {
    duration: WRITES,
    delay: GATHERS + UNCOVERS / 2,
    easing: 'ease-in-out',
    fill: 'backwards',
  };
  // What covers it goes one way, and it the other.
  const cover = name?.animate({ transform: ['translateX(-100%)', 'none'] }, written);
  const words = name?.firstElementChild?.animate({ transform: ['translateX(100%)', 'none'] }, written);
  return [stamped, cover, words].filter((animation) => animation !== undefined);
}
