import type { Page } from '@playwright/test';
import { rehearsalStatus } from '../../src/server/features/rehearsal/rehearsal.ts';
import { hashOfAllTables } from '../support/table-hash.ts';
import { expectNothingSerious, expectRoomForLargeText } from './support/accessible.ts';
import { readQr, signInAdmin } from './support/admin.ts';
import { configure } from './support/evening.ts';
import {
  advanceClock,
  type Evening,
  enter,
  expect,
  inTime,
  still,
  test,
  tokenRow,
  withClockHeld,
} from './support/stage.ts';
import { oneTrip, twoTrips, words } from './support/surprises.ts';
import { answer, downloadTickets, expectPhrase, probe, startVideo } from './support/walk.ts';

test.use(still);

/** The prova generale: the visitor's evening, without using, storing, logging or notifying anything. */

const bar = (page: Page) => page.getByRole('navigation', { name: 'Prova generale' });
const key = (page: Page, name: string) => bar(page).getByRole('button', { name });
const skip = (page: Page) => key(page, 'Salta').tap();
const hash = ({ server }: Evening) => hashOfAllTables(server.deps.db);

test('can be skipped through, and changes no table, cookie or storage', { tag: '@long' }, async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(twoTrips);
  const { url } = evening.server;
  await page.goto(`${url}/prova`);
  await expect(page.getByRole('heading', { name: 'Qui si prova la sorpresa' })).toBeVisible();
  await signInAdmin(page, evening.server);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const before = await hash(evening);
  await page.goto(`${url}/prova`);
  await expectPhrase(page, words.pre[0]);
  await withClockHeld(page, () => expectRoomForLargeText(page));
  await skip(page);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  // By keyboard during the film: the bar moves over it with its focus.
  await key(page, 'Salta').focus();
  await expectNothingSerious(page);
  await page.keyboard.press('Enter');
  await expectPhrase(page, words.post[0]);
  await expect(key(page, 'Salta')).toBeFocused();
  await skip(page);
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await skip(page);
  await expect(page.getByText('3 marzo 2027')).toBeVisible();
  await downloadTickets(page);
  await expect(key(page, 'Salta')).toHaveAttribute('aria-disabled', 'true');
  await key(page, 'Salta').tap({ force: true });
  await expect(
    bar(page).getByText('Qui si va avanti rispondendo: la fine dipende dalle risposte.'),
  ).toBeVisible();
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'No');
  await expectPhrase(page, words.between[0]);
  await skip(page);
  await expectPhrase(page, words.second[0]);
  await key(page, 'Frase successiva').tap();
  await expectPhrase(page, words.second[1]);
  await skip(page);
  await expect(page.getByRole('heading', { name: 'Dolomiti' })).toBeVisible();
  await skip(page);
  await downloadTickets(page);
  await answer(page, words.domanda_1_viaggio_2, 'No');
  await answer(page, words.domanda_2_viaggio_2, 'No');
  await expectPhrase(page, words.final[0]);
  await skip(page);

  await expect(page.getByRole('heading', { name: 'Prova finita' })).toBeFocused();
  for (const phrase of words.final) await expect(page.getByText(phrase)).toBeVisible();
  await expect(page.getByText('Risposte del primo viaggio: Sì e No')).toBeVisible();
  await expect(page.getByText('Risposte del secondo viaggio: No e No')).toBeVisible();
  await expectNothingSerious(page);
  await expectRoomForLargeText(page);
  expect(await hash(evening)).toBe(before);
  // The only stored data: the current evening was watched to its end on a phone.
  await expect.poll(() => rehearsalStatus(evening.server.deps.db)).toBe('seen');
  expect(asked.filter((path) => path.startsWith('/api/visit') || path.startsWith('/api/access'))).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await page.getByRole('button', { name: 'Riprova dalle domande' }).tap();
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();

  // An unfinished visit in the same browser resumes at its position.
  const code = await evening.code();
  await enter(page, evening, code.token);
  await expectPhrase(page, words.pre[0]);
  await page.goto(`${url}/prova`);
  await expectPhrase(page, words.pre[0]);
  await skip(page);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  await page.goto(`${url}/experience`);
  await expectPhrase(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('runs on a phone by the QR code until the pass is revoked', {
  tag: '@iphone-first',
}, async ({ page, browser, prepare }) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const { url } = evening.server;
  const desk = await browser.newPage();
  await signInAdmin(desk, evening.server);
  await desk.goto(`${url}/admin/preview`);
  await desk.getByRole('button', { name: 'Prova sul telefono' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Prova sul telefono' });
  await expect(dialog.getByText(/^Valido fino alle \d\d:\d\d$/)).toBeVisible();
  const link = await dialog.getByLabel('Link della prova').inputValue();
  expect(link.startsWith(`${url}/prova#`)).toBe(true);
  expect(await readQr(dialog)).toBe(link);

  const before = await hash(evening);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(link);
  await expectPhrase(page, words.pre[0]);
  expect(page.url()).toBe(`${url}/prova`);
  expect(asked.filter((address) => address.includes(link.split('#')[1] ?? ''))).toEqual([]);
  expect(await probe(page, 'document.cookie')).toBe('');
  await bar(page).getByLabel('Velocità').selectOption('Veloce');
  // The next phrase stays for 1.5 s: on a busy machine it would disappear before the check.
  await withClockHeld(page, async () => {
    await inTime(page, page.getByText(words.pre[1], { exact: true }), 0.5);
    await advanceClock(page, 1.5);
    await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  });
  await startVideo(page);
  await withClockHeld(page, async () => {
    await skip(page);
    await expectPhrase(page, words.post[0]);
  });
  expect(await hash(evening)).toBe(before);

  await configure(evening, { frasi_pre_video: ['Adesso comincia così.'] });
  await withClockHeld(page, async () => {
    await key(page, 'Ricomincia').tap();
    await expectPhrase(page, 'Adesso comincia così.');
  });
  await expect(bar(page).getByLabel('Velocità')).toHaveValue('fast');
  await dialog.getByRole('button', { name: 'Chiudi la prova sul telefono' }).click();
  await expect(dialog.getByText('La prova sul telefono è chiusa: il codice non vale più.')).toBeVisible();
  await key(page, 'Ricomincia').tap();
  await expect(page.getByRole('heading', { name: 'Questo codice QR non vale più' })).toBeVisible();
  await desk.close();
});
