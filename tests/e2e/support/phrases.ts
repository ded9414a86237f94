import { expect, type Locator, type Page } from '@playwright/test';
import type { AdminSite } from './admin.ts';
import { stored } from './content.ts';

/** The lists of phrases, as they are found and asked about by the tests. */

export const rows = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Elimina/ }) });
export const handle = (page: Page, text: string) => page.getByRole('button', { name: `Trascina: ${text}` });
export const addBox = (page: Page) => page.getByLabel('Nuova frase');
export const box = (page: Page, position: number) => page.getByLabel(`Frase ${position}`, { exact: true });
const undoButton = (page: Page) =>
  page.locator('[data-sonner-toast]').getByRole('button', { name: 'Annulla' }).first();

/** Takes the last change back by its notice, as a hand does: over the notices first, which then lie side by side and stay. */
export async function undo(page: Page): Promise<void> {
  await undoButton(page).hover({ force: true });
  await undoButton(page).click();
}

export async function add(page: Page, text: string): Promise<void> {
  await addBox(page).fill(text);
  await addBox(page).press('Enter');
}

/** What is on the screen is what is stored. */
export async function expectOrder(page: Page, adminSite: AdminSite, texts: string[]): Promise<void> {
  await expect.poll(async () => (await stored(adminSite)).frasi_pre_video).toEqual(texts);
  await expect(rows(page)).toHaveCount(texts.length);
  for (const [index, text] of texts.entries()) await expect(box(page, index + 1)).toHaveValue(text);
}

export async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('Not on the screen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
