import type { Page } from '@playwright/test';
import { enter, expect, held, inTime, pass, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { destination, downloadBy, phrases, sees, startVideo, walkToCard } from './support/walk.ts';

/** The boarding pass: whose it is, its picture, and the stub that comes off by hand. */
test.beforeEach(async ({ page }) => page.clock.install());

const named = but(oneTrip, { config: { recipient_name: 'Giulia' } });

/** Pulls the stub sideways by so many pixels, as a mouse does, from the words below its buttons. */
async function pull(page: Page, by: number): Promise<void> {
  const box = await page.getByText('P.S dopo aver visto').boundingBox();
  if (box === null) throw new Error('There is no stub');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y + 4, { steps: 6 });
  await page.mouse.up();
}

test('names who travels under the picture, and comes apart by a pull that is long enough', async ({
  page,
  prepare,
}) => {
  const evening = await prepare(named);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await phrases(page, words.pre);
  await startVideo(page);
  await phrases(page, words.post.slice(0, -1));
  await sees(page, words.post.at(-1) ?? '');
  // The picture is there already in the pause before its time, its titles are not: the clock stands while that is looked at.
  await held(page, async () => {
    await inTime(page, page.locator('main [data-picture]'), 0.2);
    await expect(page.getByRole('heading', { name: 'Lisbona' })).toHaveCount(0);
  });
  await pass(page, 1);
  await destination(page, 'Lisbona');
  // It drew back into the pass, and what it left on the screen has gone.
  await expect(page.locator('[data-drawn="true"] article')).toBeVisible();
  await expect(page.locator('[data-picture]')).toHaveCount(1);
  await expect(page.getByText('Passeggera/o: Giulia')).toBeVisible();
  const picture = page.locator('article img');
  await expect(picture).toBeVisible();
  expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);

  const card = page.locator('article');
  await pull(page, 30);
  await expect(card).toHaveAttribute('data-torn', 'false');
  const download = page.waitForEvent('download');
  await downloadBy(
    page,
    () => pull(page, 110),
    () => expect(card).toHaveAttribute('data-torn', 'true'),
  );
  expect((await download).suggestedFilename()).toBe('biglietti.pdf');
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
  // It was the card's, and left with it.
  await expect(page.getByText('Download avviato!')).toHaveCount(0);
});

test('a pull that begins on the link presses it once', { tag: '@long' }, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await walkToCard(page);
  const box = await page.getByRole('link', { name: 'Scarica i biglietti' }).boundingBox();
  if (box === null) throw new Error('There is no link');
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  const [x, y] = [box.x + 40, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 24, y, { steps: 4 });
  await page.mouse.up();
  // Too short: neither torn nor pressed.
  await expect(page.locator('article')).toHaveAttribute('data-torn', 'false');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 6 });
  await downloadBy(
    page,
    () => page.mouse.up(),
    () => expect(page.locator('article')).toHaveAttribute('data-torn', 'true'),
  );
  await expect.poll(() => downloads).toBe(1);
  // A second one would have come by the time what follows is seen.
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
  expect(downloads).toBe(1);
});
