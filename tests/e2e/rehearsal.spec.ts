import type { Page } from '@playwright/test';
import { hashOfAllTables } from '../support/table-hash.ts';
import { expectNothingSerious, expectRoomForLargeText } from './support/accessible.ts';
import { readQr, signInAdmin } from './support/admin.ts';
import { type Evening, expect, still, test, withClockHeld } from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import { expectPhrase, probe, startVideo } from './support/walk.ts';

test.use(still);

/** The prova generale: the visitor's evening, without using, storing, logging or notifying anything. */

const bar = (page: Page) => page.getByRole('navigation', { name: 'Prova generale' });
const key = (page: Page, name: string) => bar(page).getByRole('button', { name });
const skip = (page: Page) => key(page, 'Salta').tap();
const hash = ({ server }: Evening) => hashOfAllTables(server.deps.db);

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
  await skip(page);
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeVisible();
  await expectNothingSerious(page);
  await expectRoomForLargeText(page);
  await startVideo(page);
  await withClockHeld(page, async () => {
    await skip(page);
    await expectPhrase(page, words.post[0]);
  });
  expect(await hash(evening)).toBe(before);

  await dialog.getByRole('button', { name: 'Chiudi la prova sul telefono' }).click();
  await expect(dialog.getByText('La prova sul telefono è chiusa: il codice non vale più.')).toBeVisible();
  await key(page, 'Ricomincia').tap();
  await expect(page.getByRole('heading', { name: 'Questo codice QR non vale più' })).toBeVisible();
  await desk.close();
});
