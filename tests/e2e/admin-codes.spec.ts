import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { DRESSES } from '../../src/domain/configuration.ts';
import { tokensOf } from '../support/dress-tokens.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import {
  elsewhere,
  expect,
  expectNotice,
  laptop,
  qrIn,
  readQr,
  signInAdmin,
  stored,
  test,
  undo,
} from './support/admin.ts';
import { advanceClock, type Code, enter, inTime, sessionsOf, submit, tokenRow } from './support/stage.ts';
import { oneTrip } from './support/surprises.ts';
import { withPhone } from './support/visitor.ts';

/** `/admin/token`: codes are created, shared, extended and revoked. */

const DAY_MS = 86_400_000;
const dialog = (page: Page) => page.getByRole('dialog');
const says = (page: Page, sentence: string | RegExp) =>
  expect(page.getByText(sentence, { exact: true }).first()).toBeVisible();

/** Records all requests of the page. Returns a check that no other site was requested and no address contains a part of the code. */
function listen(page: Page, own: string) {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  return (code: string) => {
    expect(asked.filter((url) => url.includes(code.slice(4)))).toEqual([]);
    expect(asked.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(own))).toEqual([]);
  };
}

/** Checks that a card's PDF is one page of 105 × 148 mm, and returns its text. */
async function cardIn(bytes: Buffer): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 25.4 / 72 });
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  expect([Math.round(width), Math.round(height), totalPages]).toEqual([105, 148, 1]);
  return text;
}

test.describe('on a laptop', () => {
  test.use(laptop);
  const row = (page: Page, nome: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: nome }) });
  const press = (where: Locator, name: string) => where.getByRole('button', { name }).click();

  test('creates, copies, prints and deletes a code', async ({ page, context, adminSite }) => {
    const { admin, server } = adminSite;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      const counted = { printed: 0 };
      Object.assign(window, { counted, print: () => counted.printed++ });
    });
    await elsewhere(adminSite, { recipient_name: 'Ginevra' });
    await adminSite.open('/admin/token');
    const expectUntold = listen(page, server.url);
    await page.getByRole('textbox', { name: 'Nome' }).fill(' Giulia ');
    await page.getByRole('textbox', { name: 'Accessi massimi' }).fill('');
    await press(page.locator('main'), 'Crea il codice');
    await expectNotice(page, 'Token creato!');
    // Empty number fields take the defaults.
    const [made, ...others] = await server.deps.db.selectFrom('tokens').selectAll().execute();
    expect(others).toEqual([]);
    expect(made).toMatchObject({ nome: 'Giulia', max_accessi: 1, accessi_usati: 0, attivo: true });
    expect(Date.parse(made?.scadenza ?? '') - Date.parse(made?.created_at ?? '')).toBe(30 * DAY_MS);
    const code = made?.token ?? 'no code';
    expect(code).toMatch(/^ROM-[2-9A-HJKMNP-Z]{8}$/);
    const offered = page.getByRole('region', { name: 'Il codice di Giulia è pronto' });
    await expect(offered).toContainText(code);
    await press(offered, 'Fatto');
    await expect(offered).toHaveCount(0);

    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await press(row(page, 'Giulia'), 'Copia il codice');
    await expectNotice(page, 'Token copiato!');
    expect(await clipboard()).toBe(code);
    await press(row(page, 'Giulia'), 'Condividi');
    await press(dialog(page), 'Cambia il messaggio');
    const own = dialog(page).getByLabel('Il tuo messaggio');
    await own.fill('Ciao, è per te! ');
    await press(dialog(page), 'Inserisci {codice}');
    await expect(own).toBeFocused();
    await expect(own).toHaveValue('Ciao, è per te! {codice}');
    await expect(dialog(page)).toContainText('Nel testo non c’è {indirizzo}');
    await expectAxeClean(page);
    await press(dialog(page), 'Copia il messaggio');
    await expectNotice(page, 'Messaggio copiato!');
    expect(await clipboard()).toBe(`Ciao, è per te! ${code}\n\n${server.url}/`);
    await expect.poll(() => stored(adminSite)).toMatchObject({ share_message: 'Ciao, è per te! {codice}' });
    await press(dialog(page), 'Torna al testo di prima');
    await expect.poll(() => stored(adminSite)).toMatchObject({ share_message: null });
    await page.keyboard.press('Escape');

    await press(row(page, 'Giulia'), 'Cartoncino');
    const card = dialog(page).getByRole('img', { name: /^Una Sorpresa per Te, per Ginevra\. / });
    await expect(dialog(page).getByRole('note')).toContainText('Per ora la vedi solo da questo computer');
    expect(await readQr(card)).toBe(`${server.url}/`);
    await press(dialog(page), 'Cambia il titolo');
    await dialog(page)
      .getByLabel('Il titolo del cartoncino')
      .fill('Una piccola cosa per te, {nome}, da aprire quando vuoi');
    const titled = dialog(page).getByRole('img', {
      name: /^Una piccola cosa per te, Ginevra, da aprire quando vuoi\. /,
    });
    expect(await readQr(titled)).toBe(`${server.url}/`);
    await press(dialog(page), 'Stampa');
    expect(await page.evaluate('counted.printed')).toBe(1);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeHidden();
    expect(await readQr(page.locator('body > div > img'))).toBe(`${server.url}/`);
    const printed = await cardIn(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
    // A code's name is for the administrator only.
    expect(printed).not.toMatch(/Codici di accesso|Giulia/);
    await page.emulateMedia({ media: 'screen' });
    await page.keyboard.press('Escape');
    expectUntold(code);

    const codes = () => admin.call('GET', '/admin/tokens');
    const remove = row(page, 'Giulia').getByRole('button', { name: 'Elimina' });
    await remove.click();
    await expect(dialog(page)).toContainText('chi è dentro con questo codice verrà disconnesso subito');
    await press(dialog(page), 'Annulla');
    expect(await codes()).toHaveLength(1);
    await remove.click();
    await press(dialog(page), 'Elimina');
    await expectNotice(page, 'Token eliminato');
    // Its button is gone, so the list has the focus.
    await expect(page.getByRole('region', { name: 'I codici' })).toBeFocused();
    expect(await codes()).toEqual([]);
    await undo(page);
    await expectNotice(page, 'È di nuovo al suo posto');
    expect(await codes()).toMatchObject([{ token: code }]);
  });

  test('extends a code, adds an access, and disconnects the visitor with the switch', async ({
    page,
    prepare,
    browser,
  }) => {
    test.slow();
    const evening = await prepare(oneTrip);
    const { db } = evening.server.deps;
    const [used, expired] = [await evening.code(), await evening.code({ giorni: 1 })];
    const change = ({ id }: Code, fields: object) =>
      db.updateTable('tokens').set(fields).where('id', '=', id).execute();
    await change(used, { accessi_usati: 1, nome: 'Anna' });
    await change(expired, { scadenza: new Date(Date.now() - DAY_MS).toISOString(), nome: 'Bice' });
    await signInAdmin(page, evening.server);
    await page.goto(`${evening.server.url}/admin/token`);
    await expect(row(page, 'Anna')).toContainText(/1\/1.*Esaurito/);
    await expect(row(page, 'Bice')).toContainText('Scaduto');

    await withPhone(browser, async (phone) => {
      await enter(phone, evening, expired.token);
      await says(phone, 'Codice scaduto');
      await press(row(page, 'Bice'), 'Proroga');
      const days = dialog(page).getByRole('textbox', { name: 'Giorni in più' });
      await days.fill('7');
      const before = Date.now();
      await press(dialog(page), 'Proroga');
      await expectNotice(page, 'Scadenza prorogata');
      const { scadenza } = await tokenRow(evening, expired);
      expect(Math.floor((Date.parse(scadenza ?? '') - before) / DAY_MS)).toBe(7);
      await submit(phone, expired.token);
      await expect(phone).toHaveURL(/\/experience$/);
    });

    const active = page.getByRole('switch', { name: /Anna/ });
    await withPhone(browser, async (phone) => {
      await enter(phone, evening, used.token);
      await says(phone, 'Codice già utilizzato il numero massimo di volte');
      await press(row(page, 'Anna'), '+1 accesso');
      await expectNotice(page, 'Un accesso in più');
      await expect(row(page, 'Anna')).toContainText('1/2');
      await submit(phone, used.token);
      await inTime(phone, phone.getByRole('button', { name: 'Inizia Esperienza' }));
      // The table updates automatically.
      await expect(row(page, 'Anna')).toContainText('2/2');

      await active.click();
      await expect(dialog(page)).toContainText('Disattivare il codice di Anna?');
      await press(dialog(page), 'Annulla');
      await expect(active).toBeChecked();
      await active.click();
      const notice = Promise.all([
        says(phone, "Sei stato disconnesso dall'amministratore"),
        says(phone, 'Contatta @marco per maggiori informazioni'),
      ]);
      await press(dialog(page), 'Disattiva');
      await notice;
      await expect(active).not.toBeChecked();
      await advanceClock(phone, 2);
      await expect(phone).toHaveURL(`${evening.server.url}/`);
      await submit(phone, used.token);
      await says(phone, 'Codice non valido o scaduto');
      // No visitor is inside any more: no confirmation.
      await active.click();
      await expectNotice(page, 'Codice riattivato');
      await submit(phone, used.token);
      // It is the same visit at its position, and no use is counted.
      await inTime(phone, phone.getByRole('button', { name: 'Inizia Esperienza' }));
      expect((await sessionsOf(evening, used)).map(({ is_active }) => is_active)).toEqual([true]);
      expect((await tokenRow(evening, used)).accessi_usati).toBe(2);
    });
  });
});

type Shared = { text: string; files: { name: string; type: string; size: number }[]; active: boolean };

/** A phone's share sheet that records what it receives. */
const sheet = () => {
  const shared: Shared[] = [];
  Object.assign(window, { shared });
  Object.assign(Navigator.prototype, {
    canShare: () => true,
    share({ text = '', files = [] }: ShareData) {
      const active = navigator.userActivation.isActive;
      shared.push({ text, files: files.map(({ name, type, size }) => ({ name, type, size })), active });
      return Promise.resolve();
    },
  });
};

for (const dress of DRESSES) {
  test(`shares code and card in the dress «${dress}» through the phone’s share sheet, as a picture and as a PDF`, {
    tag: '@long',
  }, async ({ page, adminSite }) => {
    const { admin, server } = adminSite;
    await page.setViewportSize({ width: 320, height: 700 });
    await page.addInitScript(sheet);
    await elsewhere(adminSite, { recipient_name: 'Giulia', dress });
    const { token } = await admin.call<Code>('POST', '/admin/tokens', { nome: 'quella vera' });
    const expectUntold = listen(page, server.url);
    const tapOn = (name: string) => dialog(page).getByRole('button', { name }).tap();
    const shared = () => page.evaluate<Shared[]>('shared');
    await adminSite.open('/admin/token');
    await page.getByRole('button', { name: 'Condividi: quella vera' }).tap();
    const share = dialog(page).getByRole('button', { name: 'Condividi…' });
    await expect(share).toHaveAttribute('aria-disabled', 'false');
    await expectAxeClean(page);
    await expectNoSidewaysScroll(page);
    await share.tap();
    await expect
      .poll(shared)
      .toMatchObject([{ active: true, files: [{ name: 'cartoncino.png', type: 'image/png' }] }]);
    const [first] = await shared();
    expect(first?.text).toContain(`Giulia, ho preparato una sorpresa per te.\nApri ${server.url}/ `);
    expect(first?.text).toContain(token);
    expect(first?.text).not.toContain('quella vera');
    // Without the picture, for apps that would use nothing else.
    await dialog(page).getByRole('switch', { name: 'Anche il cartoncino, come immagine' }).click();
    await share.tap();
    await expect.poll(shared).toMatchObject([{}, { text: first?.text, files: [] }]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Cartoncino: quella vera' }).tap();
    await expect(dialog(page).getByRole('img', { name: /per Giulia/ })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAxeClean(page);
    const kept = async (button: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), tapOn(button)]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    const picture = await kept('Scarica l’immagine');
    expect(picture.name).toBe('cartoncino.png');
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: 1240, height: 1748 });
    expect(await qrIn(picture.bytes)).toBe(`${server.url}/`);
    // The flap has the colour of the dress's paper, the heart in its wax the dress's own colour.
    const tokens = tokensOf(`dresses/${dress}.css`);
    expect(await colourAt(picture.bytes, 620, 60)).toBe(tokens.get('day-card-edge'));
    expect(await colourAt(picture.bytes, 620, 354)).toBe(tokens.get('wax-heart'));
    const pdf = await kept('Scarica il PDF');
    expect(pdf.name).toBe('cartoncino.pdf');
    const text = await cardIn(pdf.bytes);
    for (const said of ['Una Sorpresa per Te', 'per Giulia', token]) expect(text).toContain(said);
    expect(text).not.toContain('quella vera');
    expectUntold(token);
  });
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<string> {
  const one = sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw();
  return `#${(await one.toBuffer()).toString('hex')}`;
}
