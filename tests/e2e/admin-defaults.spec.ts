import type { Locator, Page } from '@playwright/test';
import { adminPage, expect, laptop, signInAdmin, test } from './support/admin.ts';
import { expectToast, stored } from './support/content.ts';
import { holdClock, inTime } from './support/stage.ts';
import { oneTrip } from './support/surprises.ts';
import { tryCode } from './support/try-code.ts';

/** The numbers and words of the specification that hold where nothing was chosen, and how notices and hints behave. */
test.use(laptop);

const save = (page: Page) => page.getByRole('button', { name: 'Salva', exact: true }).click();

test('the speeds are the eight of the specification, and 1 unless another was chosen', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  await adminSite.open('/admin/video');
  const speed = page.getByLabel('Velocità di riproduzione');
  await expect(speed).toHaveValue('1');
  const choices = speed.getByRole('option');
  expect(
    await choices.evaluateAll((all: HTMLOptionElement[]) => all.map(({ value }) => Number(value))),
  ).toEqual([0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]);
});

test('fields begin with the default words and seconds', async ({ page, adminSite }) => {
  for (const [path, fields] of [
    ['/admin/video-button', { 'Testo del pulsante': 'Inizia Esperienza' }],
    ['/admin/frasi', { 'Durata di ogni frase (secondi)': '6' }],
    [
      '/admin/testi-destinazione',
      {
        'Titolo della destinazione': 'Destinazione',
        'Titolo del viaggio': 'Il Nostro Viaggio',
        'Durata dell’immagine (secondi)': '5',
      },
    ],
    ['/admin/ticket-instruction', { Istruzioni: 'P.S dopo aver visto i biglietti torna sul sito' }],
    ['/admin/token', { 'Accessi massimi': '1', 'Scadenza in giorni': '30' }],
  ] as const) {
    await adminSite.open(path);
    for (const [label, value] of Object.entries(fields))
      await expect(page.getByLabel(label, { exact: true }), label).toHaveValue(value);
  }
});

test('the second trip may be left blank: it then shows the default words, and no dates', {
  tag: '@long',
}, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  await signInAdmin(page, evening.server);
  await adminPage(page, evening.server, '/admin/second-trip-details');
  for (const name of [
    'Titolo seconda destinazione',
    'Titolo secondo viaggio',
    'Data di partenza',
    'Data di ritorno',
    'Testo istruzioni biglietti',
  ])
    await page.getByLabel(name).fill('');
  await save(page);
  await expectToast(page, 'Dettagli secondo viaggio salvati con successo');
  const card = page.frameLocator('iframe').last();
  for (const words of [
    'Seconda Destinazione',
    'Il Nostro Secondo Viaggio',
    'P.S dopo aver visto i biglietti torna sul sito',
  ])
    await expect(card.getByText(words, { exact: true })).toBeAttached();
  // Both in one: the card says the same words once.
  await expect(card.getByText('Partenza e ritorno', { exact: true })).toBeAttached();
  await expect(card.getByText('Da definire', { exact: true })).toHaveCount(1);
});

test('the first trip’s card says «Da definire» for a date that is missing, and once for both', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  await adminSite.open('/admin/biglietti');
  const card = page.frameLocator('iframe').last();
  const missing = (label: string) =>
    card
      .locator('div')
      .filter({ has: card.getByText(label, { exact: true }) })
      .getByText('Da definire', { exact: true });
  await expect(missing('Partenza e ritorno').first()).toBeAttached();
  await page.getByLabel('Data di partenza').fill('15 Dicembre 2026');
  await expect(missing('Ritorno').first()).toBeAttached();
  await expect(card.getByText('15 Dicembre 2026', { exact: true })).toBeAttached();
  await expect(card.getByText('Da definire', { exact: true })).toHaveCount(1);
});

test('all three closing phrases may be left blank', { tag: '@long' }, async ({ page, adminSite }) => {
  await adminSite.open('/admin/frasi-finali');
  await save(page);
  await expectToast(page, 'Frasi finali salvate con successo!');
  expect((await stored(adminSite)).frasi_finali).toEqual({ entrambi_si: '', entrambi_no: '', misto: '' });
});

test('notices: at the bottom right, three at a time, four seconds each, reached by Alt+T', async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/frasi');
  await page.clock.install();
  await holdClock(page);
  const add = page.getByLabel('Nuova frase');
  const notices = page.locator('[data-sonner-toast]');
  for (let count = 1; count <= 4; count++) {
    await add.press('Enter');
    await inTime(page, notices.nth(count - 1), 0.1);
    await expect(notices).toHaveCount(count);
  }
  await expect(notices.first()).toHaveAttribute('data-y-position', 'bottom');
  await expect(notices.first()).toHaveAttribute('data-x-position', 'right');
  await expect(page.locator('[data-sonner-toast][data-visible=true]')).toHaveCount(3);
  await page.keyboard.press('Alt+t');
  await expect(page.locator('[data-sonner-toaster]')).toBeFocused();
  await expect(notices.first()).toHaveAttribute('data-expanded', 'true');
  // While they are read they stay.
  await page.clock.runFor(6_000);
  await expect(notices).toHaveCount(4);
  await page.keyboard.press('Escape');
  await expect(notices.first()).toHaveAttribute('data-expanded', 'false');
  await page.clock.runFor(4_500);
  await expect(notices).toHaveCount(0);
});

test('notices follow the colours of the system', { tag: '@long' }, async ({ page, adminSite }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await adminSite.open('/admin/frasi');
  await page.getByLabel('Nuova frase').press('Enter');
  const area = page.locator('[data-sonner-toaster]');
  await expect(area).toHaveAttribute('data-sonner-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(area).toHaveAttribute('data-sonner-theme', 'dark');
});

test('fields of several lines show at least three', { tag: '@long' }, async ({ page, adminSite }) => {
  const lines = (field: Locator) =>
    field.evaluate((box) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(box);
      const height = box.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom);
      return Math.round(height / Number.parseFloat(lineHeight));
    });
  for (const [path, name] of [
    ['/admin/ticket-instruction', 'Istruzioni'],
    ['/admin/second-trip-details', 'Testo istruzioni biglietti'],
    ['/admin/frasi-finali', 'Se risponde un sì e un no'],
    ['/admin/intermediate-phrases', 'Frase 1'],
    ['/admin/second-trip-phrases', 'Frase 1'],
    ['/admin/second-trip-final-phrases', 'Frase 1'],
  ] as const) {
    await adminSite.open(path);
    if (name === 'Frase 1') await page.getByRole('button', { name: 'Aggiungi Frase' }).click();
    expect(await lines(page.getByLabel(name, { exact: true })), path).toBe(3);
  }
});

test('«Aggiorna» reads codes and sessions again', { tag: '@long' }, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  expect(await tryCode(evening.server, code.token)).toBe(200);
  const { db } = evening.server.deps;
  await signInAdmin(page, evening.server);

  await adminPage(page, evening.server, '/admin/token');
  await expect(page.getByRole('rowheader', { name: 'Giulia' })).toBeVisible();
  // Nobody is told of what happens behind the product's back.
  await db.updateTable('tokens').set({ nome: 'Anna' }).where('id', '=', code.id).execute();
  await page.getByRole('button', { name: 'Aggiorna' }).click();
  await expect(page.getByRole('rowheader', { name: 'Anna' })).toBeVisible();

  await adminPage(page, evening.server, '/admin/sessions');
  await expect(page.getByText('ONLINE', { exact: true })).toBeVisible();
  const ended = {
    is_active: false,
    disconnected_at: new Date().toISOString(),
    disconnection_reason: 'timeout',
  };
  await db.updateTable('active_sessions').set(ended).execute();
  await page.getByRole('button', { name: 'Aggiorna' }).click();
  await expect(page.getByText('OFFLINE', { exact: true })).toBeVisible();
  await expect(page.getByText('ONLINE', { exact: true })).toHaveCount(0);
});

test('a hint opens after 700 ms, and the next one at once within 300 ms', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await adminSite.admin.call('POST', '/admin/tokens', { nome: 'Giulia' });
  await adminSite.open('/admin/token');
  const hint = (name: string) => page.getByRole('tooltip', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name: `${name}: Giulia` });
  await expect(button('Copia il codice')).toBeVisible();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await button('Copia il codice').hover();
  await page.clock.runFor(650);
  await expect(hint('Copia il codice')).toHaveCount(0);
  expect(await shownAfter(page, hint('Copia il codice'))).toBeLessThan(200);
  await button('Copia un messaggio pronto').hover();
  expect(await shownAfter(page, hint('Copia un messaggio pronto'))).toBeLessThan(200);

  // It closes with the pointer's leaving; what is kept for a while is the next one's readiness.
  await page.mouse.move(5, 5);
  await page.clock.runFor(200);
  await expect(hint('Copia un messaggio pronto')).toHaveCount(0);
  await button('Copia il codice').hover();
  expect(await shownAfter(page, hint('Copia il codice'))).toBeLessThan(100);

  // Long after the last one, the next waits again.
  await page.mouse.move(5, 5);
  await page.clock.runFor(2_000);
  await button('Copia il codice').hover();
  await page.clock.runFor(650);
  await expect(hint('Copia il codice')).toHaveCount(0);
});

/** How much of the page's time passes until something is shown, in milliseconds. */
async function shownAfter(page: Page, hint: Locator): Promise<number> {
  let passed = 0;
  await expect(async () => {
    await page.clock.runFor(10);
    passed += 10;
    await expect(hint).toBeVisible({ timeout: 100 });
  }).toPass({ intervals: [10] });
  return passed;
}
