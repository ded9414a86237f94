import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { DRESSES } from '../../src/domain/dresses.ts';
import { tokensOf } from '../support/dress-tokens.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { type AdminSite, expect, test } from './support/admin.ts';
import { qrIn } from './support/qr.ts';
import type { Code } from './support/stage.ts';

/** A code is given, on the phone of whoever prepares the evening: by the share sheet, by WhatsApp, as a card. */
test.use({ viewport: { width: 320, height: 700 } });

const dialog = (page: Page) => page.getByRole('dialog');

/** A code whose name is the administrator's own, and what the evening knows of her. */
async function prepared({ admin }: AdminSite, fields: object): Promise<Code> {
  await admin.call('PATCH', '/admin/config', { versione: 0, fields });
  return admin.call<Code>('POST', '/admin/tokens', { nome: 'quella vera' });
}

const tapOn = (page: Page, action: string) =>
  page.getByRole('button', { name: `${action}: quella vera`, exact: true }).tap();

type Shared = { text: string; files: { name: string; type: string; size: number }[]; active: boolean };

/** A phone's share sheet: it keeps what it is given, and ends as it is told. */
const sheet = (end: { refusal: string | null; files: boolean }) => {
  const shared: Shared[] = [];
  Object.assign(window, { shared, end });
  Object.assign(Navigator.prototype, {
    canShare: ({ files }: ShareData) => files === undefined || end.files,
    share({ text = '', files = [] }: ShareData) {
      const active = navigator.userActivation.isActive;
      shared.push({ text, files: files.map(({ name, type, size }) => ({ name, type, size })), active });
      return end.refusal === null ? Promise.resolve() : Promise.reject(new DOMException('', end.refusal));
    },
  });
};
const sharedOn = (page: Page) => page.evaluate<Shared[]>('shared');

test('the message and the card go to the phone’s share sheet, and nowhere by themselves', async ({
  page,
  adminSite,
}) => {
  await page.addInitScript(sheet, { refusal: null, files: true });
  const code = await prepared(adminSite, { recipient_name: 'Giulia', dress: 'alba' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await adminSite.open('/admin/token');
  await tapOn(page, 'Condividi');
  const share = dialog(page).getByRole('button', { name: 'Condividi…' });
  await expect(share).toHaveAttribute('aria-disabled', 'false');
  await expectAxeClean(page);
  await expectNoSidewaysScroll(page);
  await share.tap();
  await expect.poll(() => sharedOn(page)).toHaveLength(1);
  const [first] = await sharedOn(page);
  expect(first?.active).toBe(true);
  expect(first?.text).toContain(`Giulia, ho preparato una sorpresa per te.\nApri ${adminSite.server.url}/ `);
  expect(first?.text).toContain(code.token);
  expect(first?.text).not.toContain('quella vera');
  expect(first?.files).toMatchObject([{ name: 'cartoncino.png', type: 'image/png' }]);
  expect(first?.files[0]?.size).toBeGreaterThan(20_000);

  // Without the picture, where an app keeps nothing else.
  await dialog(page).getByRole('switch', { name: 'Anche il cartoncino, come immagine' }).click();
  await share.tap();
  await expect.poll(() => sharedOn(page)).toHaveLength(2);
  expect((await sharedOn(page))[1]).toMatchObject({ text: first?.text, files: [] });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectAxeClean(page, ['color-contrast']);
  // No address that was asked for holds a part of the code, and nobody else was asked.
  expect(asked.filter((url) => url.includes(code.token.slice(4)))).toEqual([]);
  expect(asked.filter((url) => !/^(blob|data):/.test(url) && !url.startsWith(adminSite.server.url))).toEqual(
    [],
  );
});

test('a card that can’t be drawn and a sheet that fails are said to be so; the message goes without', {
  tag: '@long',
}, async ({ page, adminSite }) => {
  await page.addInitScript(sheet, { refusal: 'NotAllowedError', files: true });
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.toBlob = (done) => done(null);
  });
  await prepared(adminSite, { recipient_name: null });
  await adminSite.open('/admin/token');
  const undrawn = page.getByText('Il cartoncino non è stato preparato: riprova.').first();
  await tapOn(page, 'Cartoncino');
  await dialog(page).getByRole('button', { name: 'Scarica l’immagine' }).tap();
  await expect(undrawn).toBeVisible();
  await page.keyboard.press('Escape');

  await tapOn(page, 'Condividi');
  await dialog(page).getByRole('button', { name: 'Condividi…' }).tap();
  await expect.poll(() => sharedOn(page)).toMatchObject([{ files: [] }]);
  expect((await sharedOn(page))[0]?.text).toMatch(/^Ho preparato una sorpresa per te\.\n/);
  const failed = page.getByText('La condivisione non è partita: copia il messaggio e incollalo dove vuoi.');
  await expect(failed.first()).toBeVisible();

  // A sheet that takes no files isn't offered one.
  await page.evaluate('end.files = false');
  await page.keyboard.press('Escape');
  await tapOn(page, 'Condividi');
  await expect(dialog(page).getByRole('button', { name: 'Condividi…' })).toBeVisible();
  await expect(dialog(page).getByRole('switch')).toHaveCount(0);
});

test('without a share sheet there are WhatsApp, at a tap and no sooner, and the message to be copied', {
  tag: '@long',
}, async ({ page, context, adminSite }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'share', { value: undefined });
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const code = await prepared(adminSite, { recipient_name: 'Giulia & Co' });
  await adminSite.open('/admin/token');
  await tapOn(page, 'Condividi');
  const way = dialog(page).getByRole('link', { name: 'Scrivi su WhatsApp' });
  const link = new URL((await way.getAttribute('href')) ?? '');
  expect(link.origin + link.pathname).toBe('https://wa.me/');
  const message = link.searchParams.get('text') ?? '';
  expect(message).toMatch(/^Giulia & Co, ho preparato una sorpresa per te\.\n/);
  expect(message).toContain(code.token);
  // It opens beside the page, and isn't told where it was opened from.
  await expect(way).toHaveAttribute('target', '_blank');
  await expect(way).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(dialog(page).getByRole('button', { name: 'Condividi…' })).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Copia il messaggio' }).tap();
  await expect(page.getByText('Messaggio copiato!')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(message);
});

for (const dress of DRESSES) {
  const tag = dress === 'notte' ? [] : ['@long'];
  test(`the card in the dress «${dress}» is kept as a picture and as a PDF`, { tag }, async ({
    page,
    adminSite,
  }) => {
    const code = await prepared(adminSite, { recipient_name: 'Giulia', dress });
    await adminSite.open('/admin/token');
    await tapOn(page, 'Cartoncino');
    await expect(dialog(page).getByRole('article')).toHaveAttribute('data-dress', dress);
    await expectNoSidewaysScroll(page);
    await expectAxeClean(page);
    const kept = async (button: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog(page).getByRole('button', { name: button }).tap(),
      ]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };

    const picture = await kept('Scarica l’immagine');
    expect(picture.name).toBe('cartoncino.png');
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: 1240, height: 1748 });
    expect(await qrIn(picture.bytes)).toBe(`${adminSite.server.url}/`);
    // The flap is of the dress's paper, the heart in its wax of the dress's own colour.
    const tokens = tokensOf(`dresses/${dress}.css`);
    expect(await colourAt(picture.bytes, 620, 60)).toBe(tokens.get('day-card-edge'));
    expect(await colourAt(picture.bytes, 620, 354)).toBe(tokens.get('wax-heart'));

    const { name, bytes } = await kept('Scarica il PDF');
    expect(name).toBe('cartoncino.pdf');
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 25.4 / 72 });
    expect([Math.round(width), Math.round(height)]).toEqual([105, 148]);
    const { totalPages, text } = await extractText(pdf, { mergePages: true });
    expect(totalPages).toBe(1);
    for (const said of ['Una Sorpresa per Te', 'per Giulia', code.token]) expect(text).toContain(said);
    expect(text).not.toContain('quella vera');
  });
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<string> {
  const { data } = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return `#${data.toString('hex')}`;
}
