import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { tokensOf } from '../support/dress-tokens.ts';
import { expectAxeClean, expectNoSidewaysScroll } from './support/accessible.ts';
import { elsewhere, expect, expectNotice, qrIn, readQr, test } from './support/admin.ts';
import type { Code } from './support/stage.ts';

/** `/admin/token`: a code leaves the browser by the clipboard, the share sheet, the printer and downloads. */

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

type Shared = { text: string; files: { name: string; type: string }[]; active: boolean };

/** A phone's share sheet and printer, which record what they receive. */
const recorders = () => {
  const [shared, counted]: [Shared[], object] = [[], { printed: 0 }];
  Object.assign(window, { shared, counted, print: () => Object.assign(counted, { printed: 1 }) });
  Object.assign(Navigator.prototype, {
    canShare: () => true,
    share({ text = '', files = [] }: ShareData) {
      const active = navigator.userActivation.isActive;
      shared.push({ text, files: files.map(({ name, type }) => ({ name, type })), active });
      return Promise.resolve();
    },
  });
};

test('creates a code, and copies, shares, prints and downloads its card', async ({
  page,
  context,
  adminSite,
}) => {
  const { admin, server } = adminSite;
  const [dress, address] = ['alba', `${server.url}/`];
  await page.setViewportSize({ width: 320, height: 700 });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(recorders);
  await elsewhere(adminSite, { recipient_name: 'Giulia', dress });
  const dialog = page.getByRole('dialog');
  const tapOn = (name: string | RegExp, where: Pick<Page, 'getByRole'> = dialog) =>
    where.getByRole('button', { name }).tap();
  const expectFits = async () => {
    await expectNoSidewaysScroll(page);
    await expectAxeClean(page);
  };
  await adminSite.open('/admin/token');
  const expectUntold = listen(page, server.url);
  await page.getByRole('textbox', { name: 'Nome' }).fill('quella vera');
  await tapOn('Crea il codice', page);
  await expectNotice(page, 'Token creato!');
  const [{ token } = { token: 'none' }] = await admin.call<Code[]>('GET', '/admin/tokens');
  await tapOn('Fatto', page);
  await tapOn('Copia il codice: quella vera', page);
  await expectNotice(page, 'Token copiato!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);

  await tapOn('Condividi: quella vera', page);
  await expect(dialog.getByRole('button', { name: 'Condividi…' })).toHaveAttribute('aria-disabled', 'false');
  await expectFits();
  await tapOn('Condividi…');
  const shared = () => page.evaluate<Shared[]>('shared');
  await expect.poll(shared).toEqual([
    {
      active: true,
      files: [{ name: 'cartoncino.png', type: 'image/png' }],
      text: expect.stringContaining(token),
    },
  ]);
  await page.keyboard.press('Escape');

  await tapOn('Cartoncino: quella vera', page);
  await expect(dialog.getByRole('img', { name: /per Giulia/ })).toBeVisible();
  await expectFits();
  await tapOn('Cambia il titolo');
  await dialog.getByLabel('Il titolo del cartoncino').fill('Per te, {nome}');
  // The name is on the card once.
  const card = dialog.getByRole('img', { name: /^Per te, Giulia\. / });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await readQr(card)).toBe(address);
  await tapOn('Stampa');
  expect(await page.evaluate('counted.printed')).toBe(1);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeHidden();
  const printed = await cardIn(await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  // A code's name is for the administrator only.
  expect(printed).not.toMatch(/Codici di accesso|quella vera/);
  await page.emulateMedia({ media: 'screen' });
  const kept = async (button: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), tapOn(button)]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const picture = await kept('Scarica l’immagine');
  expect(picture.name).toBe('cartoncino.png');
  expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: 1240, height: 1748 });
  expect(await qrIn(picture.bytes)).toBe(address);
  // The heart in the wax has the dress's own colour.
  const heart = sharp(picture.bytes).extract({ left: 620, top: 354, width: 1, height: 1 }).removeAlpha();
  const colour = (await heart.raw().toBuffer()).toString('hex');
  expect(`#${colour}`).toBe(tokensOf(`dresses/${dress}.css`).get('wax-heart'));
  const pdf = await kept('Scarica il PDF');
  expect(pdf.name).toBe('cartoncino.pdf');
  const text = await cardIn(pdf.bytes);
  for (const said of ['Per te, Giulia', token]) expect(text).toContain(said);
  expect(text).not.toContain('quella vera');
  expectUntold(token);
});
