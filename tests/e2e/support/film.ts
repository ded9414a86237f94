import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { probe } from './walk.ts';

/** The film's element, and actions of phones, users and networks on it. */
export const FILM = 'document.querySelector("video")';

/** A film of eight seconds, long enough for checks while it plays. */
export const LONG_FILM = resolve(import.meta.dirname, '../../fixtures/video-big.mp4');

export const COVERS_ALL = `(() => {
  const { left, top, width, height } = ${FILM}.getBoundingClientRect();
  const fits = left === 0 && top === 0 && width === innerWidth && height === innerHeight;
  const corners = [[1, 1], [innerWidth - 2, 1], [1, innerHeight - 2], [innerWidth - 2, innerHeight - 2]];
  return fits && corners.every(([x, y]) => ${FILM}.parentElement.contains(document.elementFromPoint(x, y)));
})()`;

export function position(page: Page): Promise<number> {
  return probe(page, `${FILM}.currentTime`);
}

/** Runs a script in the page outside any user gesture. */
export async function meanwhile(page: Page, expression: string): Promise<void> {
  await probe(page, `void Promise.resolve().then(() => { ${expression} })`);
}

/** Hides or shows the page as a phone does. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  const state = hidden ? 'hidden' : 'visible';
  await probe(
    page,
    `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
     Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
     document.dispatchEvent(new Event('visibilitychange'))`,
  );
}
