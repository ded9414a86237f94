import { enter, expect, sessionsOf, still, submit, test, tokenRow } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { sees } from './support/walk.ts';

test.use(still);

/** What the access screen says to each kind of code, and who gets in twice. */

test('g: wrong, expired, used-up, empty and revoked codes, each with its sentence', async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  const [expired, used, revoked] = [await evening.code(), await evening.code(), await evening.code()];
  const { db } = evening.server.deps;
  await db
    .updateTable('tokens')
    .set({ scadenza: '2020-01-01T00:00:00.000Z' })
    .where('id', '=', expired.id)
    .execute();
  await db.updateTable('tokens').set({ accessi_usati: 1 }).where('id', '=', used.id).execute();
  await evening.admin.call('PATCH', `/admin/tokens/${revoked.id}`, { attivo: false });

  await page.goto(evening.server.url);
  const tries = [
    ['', 'Inserisci il tuo codice'],
    ['- . -', 'Inserisci il tuo codice'],
    ['ROM-SBAGLIAT', 'Codice non valido o scaduto'],
    [expired.token, 'Codice scaduto'],
    [used.token, 'Codice già utilizzato il numero massimo di volte'],
    [revoked.token, 'Codice non valido o scaduto'],
  ] as const;
  for (const [code, sentence] of tries) {
    await submit(page, code);
    await expect(page.getByText(sentence, { exact: true }).first()).toBeVisible();
    await page.reload();
  }
  await expect(page).toHaveURL(`${evening.server.url}/`);
  expect(await sessionsOf(evening, used)).toEqual([]);
});

test('a queued code shows that it waits, and opens without another tap', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  const turn = Promise.withResolvers<void>();
  await page.route('**/api/access', async (route) => {
    await turn.promise;
    await route.continue();
  });
  await enter(page, evening, code.token);
  await expect(page.getByRole('button', { name: 'Un momento…' })).toBeVisible();
  turn.resolve();
  await sees(page, words.pre[0]);
});

test('an unready surprise says so and spends nothing', async ({ page, prepare }) => {
  const { video: _, ...files } = oneTrip.files;
  const evening = await prepare({ ...oneTrip, files });
  const code = await evening.code();
  await enter(page, evening, code.token);
  await expect(page.getByText("Video non ancora configurato dall'amministratore")).toBeVisible();
  await evening.server.deps.inTransaction((tx) => tx.deleteFrom('admin_config').execute());
  await submit(page, code.token);
  await expect(page.getByText("Configurazione non trovata - Contatta l'amministratore")).toBeVisible();
  expect((await tokenRow(evening, code)).accessi_usati).toBe(0);
});

test('a code as people type it opens', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await page.goto(evening.server.url);
  const spaced = ` ${code.token
    .toLowerCase()
    .replace('-', ' ')
    .replace(/(.{8})/, '$1 ')} `;
  await submit(page, spaced);
  await sees(page, words.pre[0]);
});

test('l: a single-use code is refused on another device, and taken up again on its own', async ({
  page,
  prepare,
  browser,
}) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);

  const other = await browser.newContext({ hasTouch: true });
  const stranger = await other.newPage();
  await enter(stranger, evening, code.token);
  await expect(stranger.getByText('Codice già utilizzato il numero massimo di volte')).toBeVisible();
  await other.close();

  await page.goto(evening.server.url);
  await expect(page.getByText('Eccoti di nuovo! Riprendi da dove eri.')).toBeVisible();
  await submit(page, code.token);
  // The phrases went on meanwhile: the first one may be over.
  await sees(page, words.pre[1]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  expect(await sessionsOf(evening, code)).toHaveLength(1);
});

test('/experience without a visit leads back to the access screen', async ({ page, prepare }) => {
  const evening = await prepare(but(oneTrip, {}));
  await page.goto(`${evening.server.url}/experience`);
  await expect(page.getByPlaceholder('Il tuo codice')).toBeVisible();
  await expect(page).toHaveURL(`${evening.server.url}/`);
});
