import { readFile } from 'node:fs/promises';
import { advanceClock, enter, expect, still, test, withClockHeld } from './support/stage.ts';
import { but, oneTrip } from './support/surprises.ts';
import { expectSceneNotice, probe, walkFromVideoToCard } from './support/walk.ts';

test.use(still);
test.beforeEach(async ({ page }) => page.clock.install());

const evening = but(oneTrip, { config: { frasi_pre_video: [] } });

test('shows the tickets without a network, and keeps them for the download', async ({
  page,
  context,
  prepare,
  quiet,
}) => {
  quiet.allow(/net::ERR_|Failed to load resource/);
  const site = await prepare(evening);
  const fetched = page.waitForResponse('**/biglietti.pdf');
  const drawn = page.waitForResponse((answer) => answer.url().endsWith('.webp'));
  await enter(page, site, (await site.code()).token);
  await walkFromVideoToCard(page);
  const link = page.getByRole('link', { name: 'Scarica i biglietti' });
  await (await fetched).finished();
  await drawn;
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Guarda i biglietti' }).tap();
  const shown = page.getByRole('img', { name: 'Biglietti, pagina 1' });
  await expect(shown).toBeVisible();
  // The evening pauses until they are closed.
  await advanceClock(page, 60);
  await expect(shown).toBeVisible();
  await page.getByRole('button', { name: 'Chiudi' }).tap();
  await expect(shown).toHaveCount(0);
  await context.setOffline(false);

  // First from the server, then from memory: the first tap may have had no effect.
  await withClockHeld(page, async () => {
    for (const way of ['http', 'blob']) {
      const [download] = await Promise.all([page.waitForEvent('download'), link.tap()]);
      expect(download.url().startsWith(way)).toBe(true);
      expect(download.suggestedFilename()).toBe('biglietti.pdf');
      expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
    }
  });
  await expect(page).toHaveURL(`${site.server.url}/experience`);
});

test(
  'shares the tickets from memory within the tap',
  {
    tag: '@iphone-first',
  },
  async ({ page, prepare }, { project }) => {
    const site = await prepare(evening);
    const fetched = page.waitForResponse('**/biglietti.pdf');
    await enter(page, site, (await site.code()).token);
    await walkFromVideoToCard(page);
    const share = page.getByRole('button', { name: 'Salva o condividi' });
    if (project.name === 'iphone') {
      await (await fetched).finished();
      await share.tap();
      await expect.poll(() => probe(page, '__shared')).toEqual([['biglietti.pdf']]);
    } else {
      await expect(share).toHaveCount(0);
      await withClockHeld(page, async () => {
        await page.getByRole('link', { name: 'Scarica i biglietti' }).tap();
        await expectSceneNotice(page, 'Download avviato!');
      });
      expect(await probe<string[]>(page, '__ignored')).toHaveLength(1);
    }
    await expect(page).toHaveURL(`${site.server.url}/experience`);
  },
);
