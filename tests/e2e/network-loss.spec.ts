import { LONG_FILM } from './support/film.ts';
import {
  advanceClock,
  answersOf,
  enter,
  expect,
  inTime,
  resumeEvening,
  sessionsOf,
  still,
  submit,
  test,
} from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  answer,
  expectPhrase,
  expectSceneNotice,
  phrases,
  startVideo,
  walkFromVideoToCard,
} from './support/walk.ts';

test.use(still);

/** The evening continues on bad networks. Browsers log every failed request; only those errors are allowed here. */
test.beforeEach(({ quiet }) => quiet.allow(/net::ERR_|Failed to load resource/));

test('continues without a network, and stores lost answers once', async ({ page, context, prepare }) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const pictures: string[] = [];
  page.on('request', (request) => {
    if (/\/api\/media\/\w+\.jpg\?w=\d+$/.test(request.url())) pictures.push(request.url());
  });
  await enter(page, evening, (await evening.code()).token);
  await expectPhrase(page, words.pre[0]);
  await page.route('**/biglietti.pdf', (route) => route.abort());
  await page.route('**/api/visit/resume', (route) => route.abort());
  await resumeEvening(page, evening);
  await inTime(page, page.getByText('Connessione persa. Riconnessione in corso…', { exact: true }));
  // Tapped while the network is still missing: later the page may retry first.
  const asked = page.waitForRequest('**/api/visit/resume');
  await page.getByRole('button', { name: 'Riprova' }).tap();
  await asked;
  await page.unroute('**/api/visit/resume');
  await inTime(page, page.getByText(words.pre[0], { exact: true }));

  pictures.length = 0;
  await context.setOffline(true);
  await phrases(page, words.pre);
  await expect(page.getByRole('button', { name: /Inizia Esperienza|Sto preparando il video/ })).toBeVisible();
  await advanceClock(page, 8);
  await context.setOffline(false);
  await walkFromVideoToCard(page);
  // Preloaded, in one size.
  expect(pictures.length).toBeLessThanOrEqual(1);

  await page.getByRole('link', { name: 'Scarica i biglietti' }).tap();
  await expect(page.getByText('Errore durante il download')).toBeVisible();
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

test('resumes the film when the network returns', async ({ page, context, prepare }) => {
  const evening = await prepare(
    but(oneTrip, { files: { video: LONG_FILM }, config: { frasi_pre_video: [] } }),
  );
  const code = await evening.code();
  await page.goto(evening.server.url);
  // On this network the film can't be complete before it is started.
  const network = await context.newCDPSession(page);
  const line = { offline: false, latency: 40, downloadThroughput: 20_000, uploadThroughput: 20_000 };
  await network.send('Network.emulateNetworkConditions', line);
  await submit(page, code.token);
  await startVideo(page);
  await context.setOffline(true);
  await expect(page.getByText('Un attimo…')).toBeVisible();
  await context.setOffline(false);
  await network.send('Network.emulateNetworkConditions', { ...line, downloadThroughput: -1 });
  await expectPhrase(page, words.post[0], 60_000);
});

test('offers «Riprova» and the way back if the film is unavailable', async ({ page, prepare }) => {
  await page.clock.install();
  const evening = await prepare(but(oneTrip, { config: { frasi_pre_video: [] } }));
  const code = await evening.code();
  await page.route('**/api/media/*.mp4', (route) => route.fulfill({ status: 404, body: '' }));
  await enter(page, evening, code.token);
  const start = page.getByRole('button', { name: 'Inizia Esperienza' });
  await advanceClock(page, 7);
  await expect(start).toBeEnabled();
  await start.tap();
  await inTime(page, page.getByText('Impossibile avviare il video', { exact: true }));
  await inTime(page, page.getByText('Errore caricamento video', { exact: true }));
  await page.getByRole('button', { name: 'Riprova' }).tap();
  await inTime(page, page.getByRole('button', { name: 'Riprendi' }));
  await expect(page).toHaveURL(`${evening.server.url}/`);
  const told = async () => {
    const rows = await evening.server.deps.db.selectFrom('notifications').select('payload').execute();
    return rows.filter(({ payload }) => payload.includes('"Errore caricamento video"')).length;
  };
  await expect.poll(told).toBe(1);
  expect((await sessionsOf(evening, code))[0]?.completed_at).toBeNull();
});
