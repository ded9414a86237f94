import type { Route } from '@playwright/test';
import { expect, signInAdmin, test } from './support/admin.ts';
import { readQr } from './support/qr.ts';
import { inTime } from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import { sees } from './support/walk.ts';

test('from the preview: on this screen, or on a phone by the QR code’s link, for an hour', {
  tag: '@long',
}, async ({ page, browser, prepare, quiet }) => {
  quiet.allow(/status of 502/);
  const evening = await prepare(oneTrip);
  const { url } = evening.server;
  await signInAdmin(page, evening.server);
  await page.clock.install();
  await page.goto(`${url}/admin/preview`);
  const card = page.getByRole('region', { name: 'Prova generale' });
  await expect(card.getByRole('link', { name: 'Prova su questo schermo' })).toHaveAttribute('href', '/prova');

  await page.route('**/api/admin/rehearsal/pass', (route) => route.fulfill({ status: 502, body: 'proxy' }));
  await card.getByRole('button', { name: 'Prova sul telefono' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Prova sul telefono' });
  await inTime(page, dialog.getByText('Errore durante la creazione'));
  await page.unroute('**/api/admin/rehearsal/pass');
  // An hour that is almost over.
  await page.route('**/api/admin/rehearsal/pass', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const given: object = await (await route.fetch()).json();
    const now = await page.evaluate(() => Date.now());
    await route.fulfill({ json: { ...given, scadenza: new Date(now + 60_000).toISOString() } });
  });
  await dialog.getByRole('button', { name: 'Riprova' }).tap();
  await expect(dialog.getByRole('img', { name: /^Codice QR/ })).toBeVisible();
  await expect(dialog.getByText(/^Valido fino alle \d\d:\d\d$/)).toBeVisible();
  await expect(dialog.getByText('vale solo su questo computer')).toBeVisible();

  const link = await dialog.getByLabel('Link della prova').inputValue();
  expect(link.startsWith(`${url}/prova#`)).toBe(true);
  expect(await readQr(dialog)).toBe(link);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copia link' }).tap();
  await expect(page.getByText('Link copiato!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const phone = await browser.newContext({ hasTouch: true });
  const other = await phone.newPage();
  await other.goto(link);
  await sees(other, words.pre[0]);
  expect(other.url()).toBe(`${url}/prova`);

  const close = dialog.getByRole('button', { name: 'Chiudi la prova sul telefono' });
  const outage = (route: Route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 502, body: 'proxy' }) : route.fallback();
  await page.route('**/api/admin/rehearsal/pass', outage);
  await close.tap();
  await expect(page.getByText('Errore durante la chiusura')).toBeVisible();
  await page.unroute('**/api/admin/rehearsal/pass', outage);
  // The notice lies over the buttons, on a phone.
  await expect(page.getByText('Errore durante la chiusura')).toBeHidden();
  await close.tap();
  await expect(dialog.getByText('La prova sul telefono è chiusa: il codice non vale più.')).toBeVisible();
  await other
    .getByRole('navigation', { name: 'Prova generale' })
    .getByRole('button', { name: 'Ricomincia' })
    .tap();
  await expect(other.getByRole('heading', { name: 'Questo codice QR non vale più' })).toBeVisible();
  await phone.close();

  await dialog.getByRole('button', { name: 'Nuovo codice' }).tap();
  await expect(dialog.getByRole('img', { name: /^Codice QR/ })).toBeVisible();
  await page.unroute('**/api/admin/rehearsal/pass');
  await page.clock.fastForward(60_001);
  await expect(dialog.getByText('Questo codice è scaduto.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Nuovo codice' }).tap();
  await expect(dialog.getByRole('img', { name: /^Codice QR/ })).toBeVisible();
  expect(await dialog.getByLabel('Link della prova').inputValue()).not.toBe(link);
});
