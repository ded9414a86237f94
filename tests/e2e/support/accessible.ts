import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './stage.ts';
import { probe } from './walk.ts';

/** Axe finds nothing at all; `rules`: nothing that these speak of. */
export async function expectAxeClean(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(atRest);
  // Without frames there is nothing to gather in a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(inWords).join(' ')}`);
  expect(told).toEqual([]);
}

/** A colour on its way to another is neither: what moves only for a while has come to its end. */
async function atRest(): Promise<void> {
  const running = document
    .getAnimations()
    .filter(
      ({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity,
    );
  await Promise.all(running.map(({ finished }) => finished.catch(() => undefined)));
}

/** An element, and what it lacks: which colours, which name. */
const inWords = ({ html, any }: { html: string; any: { message: string }[] }) =>
  [html, ...any.map(({ message }) => message)].join(' ');

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // A screen that has just become another is laid out anew a moment later.
  const tooWide = () =>
    probe<number>(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(tooWide).toBe(0);
}

/** What can be pressed and is smaller than a fingertip; where a line as a whole leads on, the line counts. */
const SMALL = `[...document.querySelectorAll('a, button, summary, input, select')]
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .map((element) => {
    const stretched = getComputedStyle(element, '::after').position === 'absolute';
    const { width, height, bottom } = (stretched ? element.offsetParent : element).getBoundingClientRect();
    return { name: element.textContent || element.ariaLabel, width: Math.round(width), height: Math.round(height), bottom };
  })
  .filter(({ width, height, bottom }) => bottom > 0 && (width < 44 || height < 44))
  .map(({ name, width, height }) => name + ' ' + width + '×' + height)`;

/** Whatever can be pressed on the page is as large as a fingertip (44 pixels). */
export async function expectFingerSized(page: Page): Promise<void> {
  expect(await probe<string[]>(page, SMALL)).toEqual([]);
}

/** As the visitor's own screens are held to: the film has no landmark around it. */
export async function expectNothingSerious(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
