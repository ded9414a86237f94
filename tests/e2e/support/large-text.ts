import type { Page } from '@playwright/test';
import { expect } from './stage.ts';
import { probe } from './walk.ts';

/** What is read or pressed, and stands out on a side of the screen. */
const CUT_OFF = `[...document.querySelectorAll('h1, h2, p, dt, dd, label, input, button, a')]
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 1 && (left < -1 || right > innerWidth + 1);
  })
  .map((element) => element.outerHTML)`;

/** Who has set her phone's letters to twice their size still reads everything without moving the page sideways. */
export async function expectRoomForLargeText(page: Page): Promise<void> {
  await probe(page, 'document.documentElement.style.fontSize = "200%"');
  expect(await probe(page, CUT_OFF)).toEqual([]);
  await probe(page, 'document.documentElement.style.fontSize = ""');
}
