import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './stage.ts';
import { probe } from './walk.ts';

/** Axe finds nothing at all; `rules`: nothing that these speak of. */
export async function expectAxeClean(page: Page, rules?: string[]): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, screen] = await probe<number[]>(
    page,
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  expect(content).toBe(screen);
}
