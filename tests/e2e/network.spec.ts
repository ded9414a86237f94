import { resolve } from 'node:path';
import { answersOf, enter, expect, pass, still, submit, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  answer,
  downloadTickets,
  phrases,
  saysInScene,
  sees,
  startVideo,
  walkFromVideoToCard,
} from './support/walk.ts';

test.use(still);

/** Bad networks: the evening goes on. Browsers log every request that finds no network; only those errors are allowed here. */
test.beforeEach(({ quiet }) => quiet.allow(/net::ERR_|Failed to load resource/));

test('j: 20 seconds without a network during the phrases', { tag: ['@long', '@nodes'] }, async ({
  page,
  context,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  const pictures: string[] = [];
  await page.route(/\/api\/media\/\w+\.jpg\?w=\d+$/, (route) => {
    pictures.push(route.request().url());
    return route.continue();
  });
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await context.setOffline(true);
  await phrases(page, words.pre);
  await expect(page.getByRole('button', { name: /Inizia Esperienza|Sto preparando il video/ })).toBeVisible();
  await pass(page, 8);
  await context.setOffline(false);
  await walkFromVideoToCard(page);
  // Fetched beforehand, and not again for the scene: nor is another of its sizes.
  expect(pictures).toHaveLength(1);
});

test('j: 20 seconds without a network during the video', async ({ page, context, prepare }) => {
  test.slow();
  const evening = await prepare(
    but(oneTrip, {
      files: { video: resolve(import.meta.dirname, '../fixtures/video-big.mp4') },
      config: { frasi_pre_video: [] },
    }),
  );
  const code = await evening.code();
  await page.goto(evening.server.url);
  // A network on which the film can't be there in one piece before it is started.
  const network = await context.newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: 20_000,
    uploadThroughput: 20_000,
  });
  await submit(page, code.token);
  await startVideo(page);
  await context.setOffline(true);
  await expect(page.getByText('Un attimo…')).toBeVisible({ timeout: 20_000 });
  // Real time: what has to heal is the media element, and no clock of ours drives it.
  await page.waitForTimeout(20_000);
  await context.setOffline(false);
  await sees(page, words.post[0], 60_000);
});

test('k: the first answers are lost on the way and stored once', { tag: ['@long', '@nodes'] }, async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  let lost = 0;
  await page.route('**/api/visit/answers', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await enter(page, evening, code.token);
  await phrases(page, words.pre);
  await walkFromVideoToCard(page);
  await downloadTickets(page);
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'No');
  await saysInScene(page, "Errore nell'invio delle risposte");
  await pass(page, 2);
  await sees(page, words.closing.misto);
  expect(lost).toBe(2);
  expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
});

test('a lost entry reply is the same entry when tried again', { tag: ['@long', '@nodes'] }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  let lost = 0;
  await page.route('**/api/access', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await enter(page, evening, code.token);
  await expect(page.getByText('Connessione assente. Controlla la rete e riprova.')).toBeVisible();
  await page.getByRole('button', { name: 'Scopri la Sorpresa' }).tap();
  await sees(page, words.pre[0]);
});
