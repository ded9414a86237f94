import { expectAxeClean } from './support/accessible.ts';
import { expect, test } from './support/admin.ts';

/** What surrounds the evening: whose it is, and where. The rest of `/admin/serata` is with the settings. */

const EVENING = '/admin/serata';

test('her name is written, or taken from a code by a tap and never by itself', async ({
  page,
  adminSite,
}) => {
  const { admin, open } = adminSite;
  const name = async () =>
    (await admin.call<{ recipient_name: string | null }>('GET', '/admin/config')).recipient_name;
  await admin.call('POST', '/admin/tokens', { nome: 'Giulia', max_accessi: 1 });
  await open(EVENING);
  const whose = page.getByRole('region', { name: 'Per chi è' });
  const save = page.getByRole('button', { name: 'Salva', exact: true });
  const field = whose.getByLabel('Come si chiama');
  await expect(field).toHaveValue('');
  expect(await name()).toBeNull();
  await whose.getByRole('button', { name: 'Usa «Giulia»' }).tap();
  await expect(field).toHaveValue('Giulia');
  await expect(whose.getByRole('button')).toHaveCount(0);
  await save.tap();
  await expect.poll(name).toBe('Giulia');
  await field.fill('  ');
  await expect(whose.getByRole('button')).toHaveCount(1);
  await save.tap();
  await expect.poll(name).toBeNull();
});

test('the opening is chosen on this device’s clocks, said back, and taken away again', async ({
  page,
  adminSite,
}) => {
  const { admin, open } = adminSite;
  const opening = async () =>
    (await admin.call<{ opens_at: string | null }>('GET', '/admin/config')).opens_at;
  await open(EVENING);
  const card = page.getByRole('region', { name: 'Apertura' });
  const save = page.getByRole('button', { name: 'Salva', exact: true });
  const field = card.getByLabel('Si apre il giorno e all’ora');
  await expect(card.getByText('Nessuna apertura: un codice apre subito.')).toBeVisible();
  await expect(card.getByText('Ora dell’Europa centrale')).toBeVisible();
  await field.fill('2099-12-12T21:00');
  await expect(card.getByText('Un codice apre da sabato 12 dicembre 2099 alle 21:00.')).toBeVisible();
  await expect(card.getByText('È ancora presto: ti aspetto sabato 12 dicembre alle 21:00.')).toBeVisible();
  await save.tap();
  await expect.poll(opening).toBe('2099-12-12T20:00:00.000Z');
  await page.reload();
  await expect(field).toHaveValue('2099-12-12T21:00');
  // Spring has no such hour in Italy.
  await field.fill('2027-03-28T02:30');
  await save.tap();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(
    page.getByText(/^Scegli un giorno tra il 2000 e il 2100 e un’ora che esista/).first(),
  ).toBeVisible();
  expect(await opening()).toBe('2099-12-12T20:00:00.000Z');
  await field.fill('2020-01-01T21:00');
  await expect(
    card.getByText('L’ora è passata (mercoledì 1º gennaio 2020 alle 21:00): un codice apre.'),
  ).toBeVisible();
  await field.fill('');
  await save.tap();
  await expect.poll(opening).toBeNull();
});

test('refused tries are kept for the days that are written, from 7 to 365', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  const { admin, open } = adminSite;
  const days = async () =>
    (await admin.call<{ tries_kept_days: number }>('GET', '/admin/config')).tries_kept_days;
  await open(EVENING);
  const field = page.getByLabel('Giorni per cui restano i tentativi rifiutati');
  const save = page.getByRole('button', { name: 'Salva', exact: true });
  await expect(field).toHaveValue('90');
  for (const wrong of ['6', '366', '']) {
    await field.fill(wrong);
    await save.tap();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByText('Scegli da 7 a 365 giorni.').first()).toBeVisible();
    expect(await days()).toBe(90);
  }
  await field.fill('365');
  await save.tap();
  await expect.poll(days).toBe(365);
});

test('a dress is chosen by its look, and the access screen comes in it', async ({ page, adminSite }) => {
  const { admin, open, server } = adminSite;
  const dress = async () => (await admin.call<{ dress: string }>('GET', '/admin/config')).dress;
  await open(EVENING);
  const dresses = page.getByRole('region', { name: 'Il vestito' });
  await expect(dresses.getByRole('radio', { name: 'Notte e rosa' })).toBeChecked();
  await dresses.getByText('Alba sul mare').tap();
  await page.getByRole('button', { name: 'Salva', exact: true }).tap();
  await expect.poll(dress).toBe('alba');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(server.url);
    await expect(page.locator('html')).toHaveAttribute('data-dress', 'alba');
    await expectAxeClean(page);
  }
});

test('the site’s address is there to be read and copied; it is the installation’s', { tag: '@long' }, async ({
  page,
  adminSite: { server, admin, open },
}) => {
  await open(EVENING);
  const address = page.getByRole('region', { name: 'Indirizzo del sito' });
  await expect(address.getByText(`${server.url}/`, { exact: true })).toBeVisible();
  await expect(
    address.getByText('Da un telefono lontano da qui questo indirizzo non si apre.'),
  ).toBeVisible();
  await expect(address.getByRole('textbox')).toHaveCount(0);
  const me = await admin.call<object>('GET', '/admin/me');
  await page.route('**/api/admin/me', (route) =>
    route.fulfill({ json: { ...me, public_url: 'https://sorpresa.example' } }),
  );
  await page.reload();
  await expect(address.getByText('https://sorpresa.example/', { exact: true })).toBeVisible();
  await expect(address.getByText(/^Lo ha impostato chi ha installato il sito/)).toBeVisible();
  await address.getByRole('button', { name: 'Copia l’indirizzo' }).tap();
  // Without a secure connection it is offered to be copied by hand.
  await expect(
    page.getByText('Indirizzo copiato!').or(page.getByRole('textbox', { name: 'Copia a mano' })),
  ).toBeVisible();
});

test('the evening is erased once the word is typed; what was chosen stays', async ({ page, adminSite }) => {
  const { admin, open } = adminSite;
  const codes = () => admin.call<{ nome: string }[]>('GET', '/admin/tokens');
  await admin.call('POST', '/admin/tokens', { nome: 'Giulia', max_accessi: 1 });
  await open('/admin/cancella');
  await expect(page.getByText('1 codice', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Il mio accesso')).toBeChecked();
  await page.getByLabel('La configurazione').tap();
  const confirmed = page.getByLabel('Per confermare scrivi CANCELLA');
  const erase = page.getByRole('button', { name: 'Cancella la serata' });
  await confirmed.fill('cancella');
  await erase.tap();
  await expect(page.getByText('Scrivi CANCELLA, in maiuscolo.')).toBeVisible();
  expect(await codes()).toHaveLength(1);
  await confirmed.fill('CANCELLA');
  await erase.tap();
  await expect(page.getByText('La serata è stata cancellata.')).toBeVisible();
  await expect(page.getByText('Non c’è più niente della serata')).toBeVisible();
  expect(await codes()).toEqual([]);
});
