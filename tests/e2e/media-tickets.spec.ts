import { readFile } from 'node:fs/promises';
import { startFilm, test } from './support/media.ts';
import { expect } from './support/stage.ts';
import { probe } from './support/walk.ts';

test('can be kept, twice, without leaving the page', async ({ page, media }) => {
  await startFilm(page, media);
  const link = page.getByRole('link', { name: 'Scarica' });
  await expect(link).toBeVisible();
  await page.waitForLoadState('networkidle');
  for (const way of ['http', 'blob']) {
    const [download] = await Promise.all([page.waitForEvent('download'), link.tap()]);
    expect(download.url().startsWith(way)).toBe(true);
    expect(download.suggestedFilename()).toBe('biglietti.pdf');
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
  }
  expect(page.url().startsWith(media.url)).toBe(true);
});

test('leave the page where it is if nothing can be downloaded @iphone-first', async ({
  page,
  media,
}, info) => {
  await startFilm(page, media);
  await page.getByRole('link', { name: 'Scarica' }).tap();
  if (info.project.name === 'webview')
    expect(await probe(page, '__ignored')).toEqual([`${media.url}/tickets/biglietti.pdf`]);
  expect(page.url().startsWith(media.url)).toBe(true);
});

test('are shared from memory inside the tap @iphone', async ({ page, media }) => {
  await startFilm(page, media);
  await expect(page.getByRole('button', { name: 'Condividi' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Condividi' }).tap();
  await expect.poll(() => probe(page, '__shared')).toEqual([['biglietti.pdf']]);
});
