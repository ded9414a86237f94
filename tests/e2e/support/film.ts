import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { probe } from './walk.ts';

/** The film's element, and what phones, hands and networks do to it. */
export const FILM = 'document.querySelector("video")';

/** Eight seconds: what is tried while it plays is tried before it ends. */
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

/** Does something in the page outside any gesture, as a script or a phone would. */
export async function meanwhile(page: Page, expression: string): Promise<void> {
  await probe(page, `void Promise.resolve().then(() => { ${expression} })`);
}

/** The page is hidden or shown as a phone does it. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  const state = hidden ? 'hidden' : 'visible';
  await probe(
    page,
    `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
     Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
     document.dispatchEvent(new Event('visibilitychange'))`,
  );
}

/** Of files like this nothing arrives after so many bytes, and nothing is said of it, until `bytes` is raised. */
export async function stallAfter(page: Page, files: string, bytes: number): Promise<{ bytes: number }> {
  const line = { bytes };
  await page.route(files, async (route) => {
    const start = Number(/bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '')?.[1] ?? 0);
    const length = line.bytes - start;
    if (length <= 0) return;
    const answer = await route.fetch();
    const body = await answer.body();
    if (body.length <= length) return route.fulfill({ response: answer, body });
    const range = `bytes ${start}-${line.bytes - 1}/${start + body.length}`;
    const headers = { ...answer.headers(), 'content-range': range, 'content-length': `${length}` };
    return route.fulfill({ status: 206, headers, body: body.subarray(0, length) });
  });
  return line;
}
