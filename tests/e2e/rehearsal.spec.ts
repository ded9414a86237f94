import type { BrowserContext, Page } from '@playwright/test';
import { sealedPass } from '../../src/server/auth/pass.ts';
import { rehearsedSince } from '../../src/server/features/rehearsal/seen.service.ts';
import { hashOfAllTables } from '../support/table-hash.ts';
import { expectAxeClean, expectNothingSerious } from './support/accessible.ts';
import { signInAdmin } from './support/admin.ts';
import { expectRoomForLargeText } from './support/large-text.ts';
import { type Evening, enter, expect, held, pass, sessionsOf, still, test } from './support/stage.ts';
import { but, oneTrip, twoTrips, words } from './support/surprises.ts';
import { answer, downloadTickets, phrases, probe, sees, startVideo } from './support/walk.ts';

test.use(still);

/** The prova generale: the visitor's own evening, in which nothing is spent, stored, logged or notified. */

const bar = (page: Page) => page.getByRole('navigation', { name: 'Prova generale' });
const key = (page: Page, name: string) => bar(page).getByRole('button', { name });
const skip = (page: Page) => key(page, 'Salta').tap();
const hash = ({ server }: Evening) => hashOfAllTables(server.deps.db);

async function asAdmin(page: Page, evening: Evening): Promise<void> {
  await signInAdmin(page, evening.server);
  await page.goto(`${evening.server.url}/prova`);
}

/** Skips from the first phrase to the trip card, and sees every stage on the way. */
async function skipToCard(page: Page): Promise<void> {
  await sees(page, words.pre[0]);
  await skip(page);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  await skip(page);
  await sees(page, words.post[0]);
  await skip(page);
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await skip(page);
  await expect(page.getByText('3 marzo 2027')).toBeVisible();
}

test('the administrator skips through both trips with answers of all kinds; every table stays as it was', async ({
  page,
  prepare,
}) => {
  test.slow();
  await page.clock.install();
  const evening = await prepare(twoTrips);
  await signInAdmin(page, evening.server);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const before = await hash(evening);
  await page.goto(`${evening.server.url}/prova`);
  await sees(page, words.pre[0]);
  await held(page, () => expectRoomForLargeText(page));
  await skipToCard(page);
  await expectRoomForLargeText(page);
  await downloadTickets(page);
  await expect(key(page, 'Salta')).toHaveAttribute('aria-disabled', 'true');
  await key(page, 'Salta').tap({ force: true });
  await expect(
    bar(page).getByText('Qui si va avanti rispondendo: la fine dipende dalle risposte.'),
  ).toBeVisible();
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'No');
  await sees(page, words.between[0]);
  await skip(page);
  await sees(page, words.second[0]);
  await key(page, 'Frase successiva').tap();
  await sees(page, words.second[1]);
  await skip(page);
  await expect(page.getByRole('heading', { name: 'Dolomiti' })).toBeVisible();
  await skip(page);
  await expect(page.getByRole('heading', { name: 'La neve vera' })).toBeVisible();
  await downloadTickets(page);
  await answer(page, words.domanda_1_viaggio_2, 'No');
  await answer(page, words.domanda_2_viaggio_2, 'No');
  await sees(page, words.final[0]);
  await skip(page);

  await expect(page.getByRole('heading', { name: 'Prova finita' })).toBeFocused();
  for (const phrase of words.final) await expect(page.getByText(phrase)).toBeVisible();
  await expect(page.getByText('Risposte del primo viaggio: Sì e No')).toBeVisible();
  await expect(page.getByText('Risposte del secondo viaggio: No e No')).toBeVisible();
  await expect(page.getByText('nessun codice usato')).toBeVisible();
  await expectRoomForLargeText(page);
  expect(await hash(evening)).toBe(before);
  // All that is kept: it was seen to its end, on a phone, as it is now.
  await expect.poll(() => rehearsedSince(evening.server.deps.db)).toBe('seen');
  expect(asked.filter((path) => path.startsWith('/api/visit') || path.startsWith('/api/access'))).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await page.getByRole('button', { name: 'Esci' }).tap();
  await expect(page).toHaveURL(`${evening.server.url}/admin/preview`);
});

test('each pair of answers shows its own closing; «Riprova dalle domande» asks again', {
  tag: '@long',
}, async ({ page, prepare }) => {
  test.slow();
  await page.clock.install();
  const evening = await prepare(oneTrip);
  await asAdmin(page, evening);
  await skipToCard(page);
  await skip(page);
  for (const [first, second, closing] of [
    ['Sì', 'Sì', words.closing.entrambi_si],
    ['No', 'No', words.closing.entrambi_no],
    ['No', 'Sì', words.closing.misto],
  ] as const) {
    await answer(page, words.domanda_1, first);
    await answer(page, words.domanda_2, second);
    await sees(page, closing);
    await skip(page);
    await expect(page.getByRole('heading', { name: 'Prova finita' })).toBeVisible();
    await expect(page.getByText(closing)).toBeVisible();
    await page.getByRole('button', { name: 'Riprova dalle domande' }).tap();
  }
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
});

test('in real times it is the visitor’s evening, film, song and tickets included', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  await signInAdmin(page, evening.server);
  const before = await hash(evening);
  await page.goto(`${evening.server.url}/prova`);
  await phrases(page, words.pre);
  await startVideo(page);
  await expect(key(page, 'Salta')).toBeVisible();
  const pace = bar(page).getByLabel('Velocità');
  await pace.press('ArrowDown');
  await expect(pace).toHaveValue('fast');
  await pace.press('ArrowUp');
  await expect(pace).toHaveValue('real');
  await phrases(page, words.post);
  await expect
    .poll(() => probe(page, '[...document.querySelectorAll("audio")].some((a) => !a.paused)'))
    .toBe(true);
  await pass(page, 1);
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await pass(page, 5);
  const download = page.waitForEvent('download');
  await downloadTickets(page);
  expect((await download).suggestedFilename()).toBe('biglietti.pdf');
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'Sì');
  await sees(page, words.closing.entrambi_si);
  await pass(page, 20);
  await expect(page.getByRole('heading', { name: 'Prova finita' })).toBeVisible();
  expect(await hash(evening)).toBe(before);
});

test('«Veloce» takes a quarter of the time, «Ricomincia» begins anew with what is configured by then', async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  await asAdmin(page, evening);
  await sees(page, words.pre[0]);
  await bar(page).getByLabel('Velocità').selectOption('Veloce');
  // The next one stays for a second and a half: on a busy machine it is gone before anybody has looked.
  await held(page, async () => {
    const next = async () => {
      await pass(page, 0.5);
      return page.getByText(words.pre[1], { exact: true }).count();
    };
    await expect.poll(next, { intervals: [100] }).toBeGreaterThan(0);
    await pass(page, 1.5);
    await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  });

  const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
  const fields = { frasi_pre_video: ['Adesso comincia così.'] };
  await evening.admin.call('PATCH', '/admin/config', { versione, fields });
  await key(page, 'Ricomincia').tap();
  await sees(page, 'Adesso comincia così.');
  await expect(bar(page).getByLabel('Velocità')).toHaveValue('fast');
  await pass(page, 1.5);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
});

test('a phone with the pass of the QR code: it plays, and the address keeps nothing of it', {
  tag: '@iphone-first',
}, async ({ page, prepare }) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const given = await evening.admin.call<{ pass: string }>('POST', '/admin/rehearsal/pass', {});
  const before = await hash(evening);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(`${evening.server.url}/prova#${given.pass}`);
  await sees(page, words.pre[0]);
  expect(page.url()).toBe(`${evening.server.url}/prova`);
  expect(asked.filter((url) => url.includes(given.pass))).toEqual([]);
  expect(await probe(page, 'document.cookie')).toBe('');
  await skip(page);
  await startVideo(page);
  await skip(page);
  await sees(page, words.post[0]);
  await page.reload();
  await sees(page, words.pre[0]);
  await key(page, 'Esci').tap();
  await expect(page.getByRole('heading', { name: 'Prova conclusa' })).toBeVisible();
  expect(await hash(evening)).toBe(before);
});

test('a pass that is over, a stranger, and an evening that is not ready: a sentence each', {
  tag: '@long',
}, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const { url, deps } = evening.server;
  await page.goto(`${url}/prova`);
  await expect(page.getByRole('heading', { name: 'Qui si prova la sorpresa' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Vai all’accesso' })).toHaveAttribute('href', '/admin');
  await expectAxeClean(page);

  const ended = { ends: new Date(Date.now() - 3_600_000), generation: 1 };
  await page.goto(`${url}/prova#${sealedPass(deps.secret, 'rehearsal', ended)}`);
  await expect(page.getByRole('heading', { name: 'Questo codice QR non vale più' })).toBeVisible();
  expect(page.url()).toBe(`${url}/prova`);
  await expectAxeClean(page);

  const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
  await evening.admin.call('PATCH', '/admin/config', { versione, fields: { video_url: null } });
  const given = await evening.admin.call<{ pass: string }>('POST', '/admin/rehearsal/pass', {});
  await page.goto(`${url}/prova#${given.pass}`);
  await expect(page.getByText("Video non ancora configurato dall'amministratore")).toBeVisible();
});

test('a visit half way in the same browser is untouched: its row, its cookie, its storage, its place', {
  tag: '@long',
}, async ({ page, context, prepare }) => {
  test.slow();
  const evening = await prepare(but(oneTrip, { config: { frasi_pre_video: [] } }));
  const code = await evening.code();
  await enter(page, evening, code.token);
  await startVideo(page);
  await sees(page, words.post[0], 30_000);
  await page.close();
  await expect
    .poll(async () => (await sessionsOf(evening, code))[0]?.disconnection_reason)
    .toBe('user_logout');
  const other = await context.newPage();
  await signInAdmin(other, evening.server);
  const before = await stateOf(evening, context);

  await other.goto(`${evening.server.url}/prova`);
  await expect(other.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  const storage = await storageOf(other);
  await skip(other);
  await sees(other, words.post[0]);
  await skip(other);
  await skip(other);
  await skip(other);
  await answer(other, words.domanda_1, 'No');
  await answer(other, words.domanda_2, 'No');
  await sees(other, words.closing.entrambi_no);
  await skip(other);
  await expect(other.getByRole('heading', { name: 'Prova finita' })).toBeVisible();
  expect(await storageOf(other)).toEqual(storage);
  expect(await stateOf(evening, context)).toEqual(before);

  await other.goto(`${evening.server.url}/experience`);
  await sees(other, words.post[0]);
  await other.close();
});

test('by keyboard alone, over the film too; axe finds nothing serious in the bar or at the end', {
  tag: '@long',
}, async ({ page, prepare }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  const evening = await prepare(oneTrip);
  await asAdmin(page, evening);
  await sees(page, words.pre[0]);
  await expectNothingSerious(page);
  await reach(page, 'Salta');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  // The bar moved over the film, and took the focus with it.
  await expect(key(page, 'Salta')).toBeFocused();
  await expectNothingSerious(page);
  await page.keyboard.press('Enter');
  await sees(page, words.post[0]);
  await expect(key(page, 'Salta')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('3 marzo 2027')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
  await expectNothingSerious(page);
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'Sì');
  await sees(page, words.closing.entrambi_si);
  await reach(page, 'Salta');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Prova finita' })).toBeFocused();
  await expectNothingSerious(page);
});

async function reach(page: Page, name: string): Promise<void> {
  const target = key(page, name);
  for (let step = 0; step < 12; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

async function stateOf(evening: Evening, context: BrowserContext) {
  const { url } = evening.server;
  const cookies = (await context.cookies(url)).map(({ name, value }) => `${name}=${value}`).toSorted();
  return { tables: await hash(evening), cookies };
}

function storageOf(page: Page): Promise<string> {
  return page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage).toSorted(), Object.entries(sessionStorage)]),
  );
}
