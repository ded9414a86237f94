import { readFile } from 'node:fs/promises';
import { FILM, LONG_FILM } from './support/film.ts';
import { advanceClock, answersOf, expect, still, test, withClockHeld } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  answer,
  expectPhrase,
  expectSceneNotice,
  phrases,
  phrasesTo,
  probe,
  startVideo,
} from './support/walk.ts';

test.use(still);

test('continues the film, shows the tickets and stores the answers once on a failing network', async ({
  page,
  context,
  prepare,
  quiet,
}) => {
  // Browsers log every failed request.
  quiet.allow(/net::ERR_|Failed to load resource/);
  await page.clock.install();
  const evening = await prepare(but(oneTrip, { files: { video: LONG_FILM } }));
  const { token } = await evening.code();
  await page.goto(evening.server.url);
  await page.getByPlaceholder('Il tuo codice').fill(token);
  // The evening's scripts are loaded meanwhile.
  await page.waitForLoadState('networkidle');
  // On this network the film can't be complete before it is started.
  const network = await context.newCDPSession(page);
  const line = { offline: false, latency: 40, downloadThroughput: 40_000, uploadThroughput: 40_000 };
  await network.send('Network.emulateNetworkConditions', line);
  await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
  await expectPhrase(page, words.pre[0]);
  await expect
    .poll(() => probe(page, `${FILM}.buffered.length > 0 && ${FILM}.buffered.end(0)`))
    .toBeGreaterThan(1);
  await context.setOffline(true);
  await phrases(page, words.pre);
  await advanceClock(page, 20);
  await startVideo(page);
  await expect(page.getByText('Un attimo…')).toBeVisible();
  await context.setOffline(false);
  await network.send('Network.emulateNetworkConditions', { ...line, downloadThroughput: -1 });
  const drawn = page.waitForResponse((answer) => answer.url().endsWith('.webp'));
  await phrasesTo(page, words.post, 'Lisbona');

  await (await drawn).finished();
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
      const link = page.getByRole('link', { name: 'Scarica i biglietti' });
      const [download] = await Promise.all([page.waitForEvent('download'), link.tap()]);
      expect(download.url().startsWith(way)).toBe(true);
      expect(download.suggestedFilename()).toBe('biglietti.pdf');
      expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-');
    }
  });
  await advanceClock(page, 1.5);

  let lost = 0;
  await page.route('**/api/visit/answers', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'No');
  await expectSceneNotice(page, "Errore nell'invio delle risposte");
  await advanceClock(page, 2);
  await expectPhrase(page, words.closing.misto);
  expect(lost).toBe(2);
  expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
});
