import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { type AdminSite, expect, laptop, signInAdmin, test } from './support/admin.ts';
import { readQr } from './support/qr.ts';
import { type Code, enter, inTime, pass, sessionsOf, submit, tokenRow } from './support/stage.ts';
import { oneTrip } from './support/surprises.ts';
import { withPhone } from './support/visitor.ts';

/** `/admin/token`: codes are made, handed over, extended and taken back, by real clicks. */
test.use(laptop);

const DAY_MS = 86_400_000;
const row = (page: Page, nome: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: nome }) });
const cells = (page: Page, nome: string) => row(page, nome).getByRole('cell');
const dialog = (page: Page) => page.getByRole('dialog');
const make = ({ admin }: Pick<AdminSite, 'admin'>, body: object = {}) =>
  admin.call<Code>('POST', '/admin/tokens', { nome: 'Giulia', ...body });
const told = (page: Page, sentence: string) =>
  expect(page.getByText(sentence, { exact: true }).first()).toBeVisible();

async function fillForm(page: Page, nome: string, accesses: string, days: string | null): Promise<void> {
  await page.getByRole('textbox', { name: 'Nome' }).fill(nome);
  await page.getByRole('textbox', { name: 'Accessi massimi' }).fill(accesses);
  if (days === null) await page.getByRole('checkbox', { name: 'Senza scadenza' }).check();
  else await page.getByRole('textbox', { name: 'Scadenza in giorni' }).fill(days);
  await page.getByRole('button', { name: 'Crea il codice' }).click();
}

test('a code is made by the rules, with the defaults', async ({ page, adminSite }) => {
  await adminSite.open('/admin/token');
  await expect(page.getByText('Nessun codice', { exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Accessi massimi' })).toHaveValue('1');
  await expect(page.getByRole('textbox', { name: 'Scadenza in giorni' })).toHaveValue('30');

  await fillForm(page, '   ', '1', '30');
  // Beside the field, and as a notice.
  await Promise.all([
    expect(page.getByRole('textbox', { name: 'Nome' })).toHaveAccessibleDescription(
      /Inserisci un nome per il token/,
    ),
    expect(page.getByRole('listitem').filter({ hasText: 'Inserisci un nome per il token' })).toBeVisible(),
  ]);
  for (const bad of ['0', '-1', '1,5', '1000001']) {
    await fillForm(page, 'Giulia', bad, '30');
    await expect(page.getByRole('textbox', { name: 'Accessi massimi' })).toHaveAccessibleDescription(
      /Scegli un numero intero tra 1 e 1\.000\.000/,
    );
  }
  for (const bad of ['0', '-7', '2,5', '3651']) {
    await fillForm(page, 'Giulia', '1', bad);
    await expect(page.getByRole('textbox', { name: 'Scadenza in giorni' })).toHaveAccessibleDescription(
      /Scegli un numero intero tra 1 e 3650|3\.650/,
    );
  }
  expect(await adminSite.admin.call('GET', '/admin/tokens')).toEqual([]);

  // Left empty, the numbers are the defaults.
  await fillForm(page, ' Giulia ', '', '');
  await told(page, 'Token creato!');
  await fillForm(page, 'Riserva', '3', null);
  await expect(row(page, 'Riserva')).toBeVisible();

  const { db } = adminSite.server.deps;
  const [giulia, spare] = await db.selectFrom('tokens').selectAll().orderBy('created_at').execute();
  expect(giulia).toMatchObject({ nome: 'Giulia', max_accessi: 1, accessi_usati: 0, attivo: true });
  expect(giulia?.token).toMatch(/^ROM-[2-9A-HJKMNP-Z]{8}$/);
  expect(Date.parse(giulia?.scadenza ?? '') - Date.parse(giulia?.created_at ?? '')).toBe(30 * DAY_MS);
  expect(giulia?.created_by).not.toBeNull();
  expect(spare).toMatchObject({ nome: 'Riserva', max_accessi: 3, scadenza: null });

  // The new code is offered, large and in groups.
  const offered = page.getByRole('region', { name: 'Il codice di Riserva è pronto' });
  await expect(offered).toContainText(spare?.token ?? 'no code');
  await offered.getByRole('button', { name: 'Fatto' }).click();
  await expect(offered).toHaveCount(0);
});

test('the next code can be typed at once, however late the list comes', { tag: '@long' }, async ({
  page,
  adminSite,
}) => {
  await adminSite.open('/admin/token');
  await expect(page.getByText('Nessun codice', { exact: true })).toBeVisible();
  let asked = 0;
  const late = Promise.withResolvers<void>();
  await page.route('**/api/admin/tokens', async (route) => {
    if (route.request().method() === 'GET') {
      asked += 1;
      await late.promise;
    }
    await route.continue();
  });
  await fillForm(page, 'Giulia', '1', '30');
  await told(page, 'Token creato!');
  const nome = page.getByRole('textbox', { name: 'Nome' });
  await expect(nome).toHaveValue('');
  await nome.fill('Riserva');
  await expect.poll(() => asked).toBeGreaterThan(0);
  late.resolve();
  await expect(row(page, 'Giulia')).toBeVisible();
  await expect(nome).toHaveValue('Riserva');
});

test('what the server refuses is said, and what was typed stays', async ({ page, adminSite, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await adminSite.open('/admin/token');
  await page.route('**/api/admin/tokens', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'no' }) : route.continue(),
  );
  await fillForm(page, 'Giulia', '2', '9');
  await told(page, 'Errore durante la creazione');
  await expect(page.getByRole('textbox', { name: 'Nome' })).toHaveValue('Giulia');
  await expect(page.getByRole('textbox', { name: 'Scadenza in giorni' })).toHaveValue('9');
});

test('the table shows each code and its state, and what to do about it', async ({ page, adminSite }) => {
  const [expired, used, revoked, forever] = [
    await make(adminSite, { nome: 'Anna' }),
    await make(adminSite, { nome: 'Bice', max_accessi: 2 }),
    await make(adminSite, { nome: 'Carla' }),
    await make(adminSite, { nome: '<img src=x onerror=alert(1)>', giorni: null }),
  ];
  const { db } = adminSite.server.deps;
  await db
    .updateTable('tokens')
    .set({ scadenza: '2026-03-01T11:00:00.000Z' })
    .where('id', '=', expired.id)
    .execute();
  await db.updateTable('tokens').set({ accessi_usati: 2 }).where('id', '=', used.id).execute();
  await adminSite.admin.call('PATCH', `/admin/tokens/${revoked.id}`, { attivo: false });
  await adminSite.open('/admin/token');

  await expect(page.getByRole('columnheader')).toHaveText([
    'Nome',
    'Token',
    'Accessi',
    'Scadenza',
    'Stato',
    'Azioni',
  ]);
  await expect(cells(page, 'Anna').nth(2)).toContainText('1º marzo 2026');
  await expect(cells(page, 'Anna').nth(2)).toContainText('Scaduto');
  await expect(row(page, 'Anna')).toContainText('usa «Proroga»');
  await expect(cells(page, 'Bice').nth(1)).toContainText('2/2');
  await expect(cells(page, 'Bice').nth(1)).toContainText('Esaurito');
  await expect(row(page, 'Bice')).toContainText('usa «+1 accesso»');
  await expect(cells(page, 'Carla').nth(3)).toContainText('Disattivo');
  await expect(row(page, 'Carla')).toContainText('riattivalo');
  // A name is text, whatever it looks like.
  await expect(cells(page, '<img src=x onerror=alert(1)>').nth(0)).toContainText(forever.token);
  await expect(cells(page, '<img src=x onerror=alert(1)>').nth(2)).toContainText('Mai');
  await expect(cells(page, '<img src=x onerror=alert(1)>').nth(3)).toContainText('Attivo');
});

test('the code and a ready message are copied', async ({ page, context, adminSite }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = await make(adminSite);
  await adminSite.open('/admin/token');
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await row(page, 'Giulia').getByRole('button', { name: 'Copia il codice' }).click();
  await told(page, 'Token copiato!');
  expect(await clipboard()).toBe(code.token);

  await row(page, 'Giulia').getByRole('button', { name: 'Copia un messaggio pronto' }).click();
  await told(page, 'Messaggio copiato!');
  const message = await clipboard();
  expect(message).toContain(code.token);
  expect(message.match(/https?:\S+/g)).toEqual([`${adminSite.server.url}/`]);
});

for (const [clipboard, script] of [
  ['missing', () => Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })],
  ['refused', () => Object.assign(Clipboard.prototype, { writeText: () => Promise.reject(new Error('no')) })],
] as const) {
  test(`with the clipboard ${clipboard} the code is there to be copied by hand`, {
    tag: clipboard === 'missing' ? '@long' : [],
  }, async ({ page, adminSite }) => {
    await page.addInitScript(script);
    const code = await make(adminSite);
    await adminSite.open('/admin/token');
    await row(page, 'Giulia').getByRole('button', { name: 'Copia il codice' }).click();
    const text = dialog(page).getByRole('textbox', { name: 'Copia a mano' });
    await expect(text).toHaveValue(code.token);
    await expect(text).toBeFocused();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(code.token);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
  });
}

test('the card has the site in its QR code, her name and the code; only it is printed', async ({
  page,
  adminSite,
}) => {
  await page.addInitScript(() => {
    const counted = { printed: 0 };
    Object.assign(window, { counted, print: () => counted.printed++ });
  });
  const code = await make(adminSite);
  await adminSite.admin.call('PATCH', '/admin/config', {
    versione: 0,
    fields: { recipient_name: 'Ginevra' },
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await adminSite.open('/admin/token');
  await row(page, 'Giulia').getByRole('button', { name: 'Cartoncino' }).click();

  const site = `${adminSite.server.url}/`;
  const card = dialog(page).getByRole('article');
  await expect(card).toContainText('per Ginevra');
  // A code's name is the administrator's own.
  await expect(card).not.toContainText('Giulia');
  await expect(card).toContainText(code.token.slice(4, 8));
  await expect(card).toContainText(new URL(site).host);
  await expect(dialog(page).getByRole('alert')).toContainText('PUBLIC_URL');
  // The site's address and nothing more: no part of the code may stand in an address.
  expect(await readQr(card)).toBe(site);

  await dialog(page).getByRole('button', { name: 'Stampa' }).click();
  expect(await page.evaluate('counted.printed')).toBe(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeHidden();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('article')).toBeVisible();
  expect(await readQr(page.getByRole('article'))).toBe(site);
  const pdf = await getDocumentProxy(
    new Uint8Array(await page.pdf({ preferCSSPageSize: true, printBackground: true })),
  );
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 25.4 / 72 });
  expect([Math.round(width), Math.round(height)]).toEqual([105, 148]);
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  expect(totalPages).toBe(1);
  expect(text).toContain('per Ginevra');
  expect(text).not.toContain('Codici di accesso');
  expect(asked.filter((url) => url.includes(code.token.slice(4)))).toEqual([]);
});

test('deleting asks first', async ({ page, adminSite }) => {
  await make(adminSite);
  await adminSite.open('/admin/token');
  const remove = row(page, 'Giulia').getByRole('button', { name: 'Elimina' });
  await remove.click();
  await expect(dialog(page)).toContainText('Eliminare questo token?');
  await expect(dialog(page)).toContainText('chi è dentro con questo codice verrà disconnesso subito');
  await dialog(page).getByRole('button', { name: 'Annulla' }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await adminSite.admin.call('GET', '/admin/tokens')).toHaveLength(1);

  await remove.click();
  await dialog(page).getByRole('button', { name: 'Elimina' }).click();
  await told(page, 'Token eliminato');
  // The button is gone: its list has the focus.
  await expect(page.getByRole('region', { name: 'I codici' })).toBeFocused();
  await expect(row(page, 'Giulia')).toHaveCount(0);
  expect(await adminSite.admin.call('GET', '/admin/tokens')).toEqual([]);
});

test('a used-up code opens again after «+1 accesso», an expired one after «Proroga»', async ({
  page,
  prepare,
  browser,
}) => {
  const evening = await prepare(oneTrip);
  const [used, expired] = [await evening.code(), await evening.code({ giorni: 1 })];
  const { db } = evening.server.deps;
  await db.updateTable('tokens').set({ accessi_usati: 1, nome: 'Anna' }).where('id', '=', used.id).execute();
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  await db
    .updateTable('tokens')
    .set({ scadenza: yesterday, nome: 'Bice' })
    .where('id', '=', expired.id)
    .execute();
  await signInAdmin(page, evening.server);
  await page.goto(`${evening.server.url}/admin/token`);

  await withPhone(browser, async (phone) => {
    await enter(phone, evening, used.token);
    await told(phone, 'Codice già utilizzato il numero massimo di volte');
    await row(page, 'Anna').getByRole('button', { name: '+1 accesso' }).click();
    await told(page, 'Un accesso in più');
    await expect(cells(page, 'Anna').nth(1)).toContainText('1/2');
    await submit(phone, used.token);
    await expect(phone).toHaveURL(/\/experience$/);
    expect(await sessionsOf(evening, used)).toHaveLength(1);
    // The table hears of it by itself.
    await expect(cells(page, 'Anna').nth(1)).toContainText('2/2');
  });

  await withPhone(browser, async (phone) => {
    await enter(phone, evening, expired.token);
    await told(phone, 'Codice scaduto');
    await row(page, 'Bice').getByRole('button', { name: 'Proroga' }).click();
    const days = dialog(page).getByRole('textbox', { name: 'Giorni in più' });
    await expect(days).toHaveValue('30');
    await days.fill('0');
    await dialog(page).getByRole('button', { name: 'Proroga' }).click();
    await expect(dialog(page)).toContainText('Scegli un numero intero');
    await days.fill('7');
    const before = Date.now();
    await dialog(page).getByRole('button', { name: 'Proroga' }).click();
    await told(page, 'Scadenza prorogata');
    await expect(dialog(page)).toHaveCount(0);
    const { scadenza } = await tokenRow(evening, expired);
    expect(Math.floor((Date.parse(scadenza ?? '') - before) / DAY_MS)).toBe(7);
    await submit(phone, expired.token);
    await expect(phone).toHaveURL(/\/experience$/);
    expect(await sessionsOf(evening, expired)).toHaveLength(1);
  });
});

test('revoking in the table disconnects the visitor’s screen; restoring lets her in again', {
  tag: '@long',
}, async ({ page, prepare, browser }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await signInAdmin(page, evening.server);
  await page.goto(`${evening.server.url}/admin/token`);
  const active = page.getByRole('switch', { name: /Giulia/ });
  await expect(active).toBeChecked();

  await withPhone(browser, async (phone) => {
    await enter(phone, evening, code.token);
    await inTime(phone, phone.getByRole('button', { name: 'Inizia Esperienza' }));

    await active.click();
    await expect(dialog(page)).toContainText('Disattivare il codice di Giulia?');
    await expect(dialog(page)).toContainText('verrà disconnesso subito');
    await dialog(page).getByRole('button', { name: 'Annulla' }).click();
    await expect(active).toBeChecked();
    expect((await tokenRow(evening, code)).attivo).toBe(true);

    await active.click();
    const notice = Promise.all([
      told(phone, "Sei stato disconnesso dall'amministratore"),
      told(phone, 'Contatta @marco per maggiori informazioni'),
    ]);
    await dialog(page).getByRole('button', { name: 'Disattiva' }).click();
    await notice;
    await told(page, 'Codice disattivato');
    await expect(active).not.toBeChecked();
    await pass(phone, 2);
    await expect(phone).toHaveURL(`${evening.server.url}/`);
    await submit(phone, code.token);
    await told(phone, 'Codice non valido o scaduto');

    // Nobody is inside any more: nothing to ask.
    await active.click();
    await told(page, 'Codice riattivato');
    await expect(active).toBeChecked();
    await submit(phone, code.token);
    await expect(phone).toHaveURL(/\/experience$/);
    // The same visit, where it was: nothing is counted.
    await inTime(phone, phone.getByRole('button', { name: 'Inizia Esperienza' }));
    const sessions = await sessionsOf(evening, code);
    expect(sessions.map(({ is_active }) => is_active)).toEqual([true]);
    expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  });
});

test('a list that can’t be read says so, and «Riprova» reads it', { tag: '@long' }, async ({
  page,
  adminSite,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  await make(adminSite);
  await page.route('**/api/admin/tokens', (route) =>
    route.fulfill({ status: 409, json: { codice: 'NOT_CONFIGURED', messaggio: 'Proprio adesso no.' } }),
  );
  await adminSite.open('/admin/token');
  await expect(page.getByRole('alert').filter({ hasText: 'Proprio adesso no.' })).toBeVisible();
  await page.unroute('**/api/admin/tokens');
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expect(row(page, 'Giulia')).toBeVisible();
});
