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

test('can be looked at where nothing can be downloaded @iphone-first', async ({ page, media }, info) => {
  await startFilm(page, media);
  await page.getByRole('button', { name: 'Guarda' }).tap();
  await expect(page.locator('section canvas').first()).toBeVisible();
  const drawn = await probe<number>(
    page,
    `(() => { const canvas = document.querySelector('section canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const colours = new Set(); for (let i = 0; i < data.length; i += 404) colours.add(data.slice(i, i + 3).join());
      return colours.size; })()`,
  );
  expect(drawn).toBeGreaterThan(2);
  if (info.project.name !== 'webview') return;
  await page.getByRole('link', { name: 'Scarica' }).tap();
  expect(await probe(page, '__ignored')).toEqual([`${media.url}/tickets/biglietti.pdf`]);
});

test('are shared from memory inside the tap @iphone', async ({ page, media }) => {
  await startFilm(page, media);
  await expect(page.getByRole('button', { name: 'Condividi' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Condividi' }).tap();
  await expect.poll(() => probe(page, '__shared')).toEqual([['biglietti.pdf']]);
});
