import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { WEB_ROOT } from '../../src/server/start.ts';
import { enter, expect, inTime, still, submit, test, tokenRow } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { expectPhrase, probe } from './support/walk.ts';

test.use(still);
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource|UNREADABLE/));

const field = (page: Page) => page.getByPlaceholder('Il tuo codice');
const button = (page: Page) => page.getByRole('button', { name: 'Scopri la Sorpresa' });

test('refuses a wrong code, and enters once with two taps and a lost reply', async ({ page, prepare }) => {
  const evening = await prepare(but(oneTrip, { config: { recipient_name: 'Giulia' } }));
  const code = await evening.code({ max_accessi: 1 });
  await page.goto(evening.server.url);
  expect(await page.content()).not.toContain('Giulia');
  const before = await probe<number>(page, 'history.length');
  await submit(page, 'ROM-SBAGLIAT');
  await expect(page.getByText('Codice non valido o scaduto', { exact: true })).toBeVisible();
  await expect(page.locator('[data-letter="sealed"][data-broken="false"]')).toBeVisible();
  await expect(field(page)).toBeFocused();
  // Text becomes upper case, and the caret stays in place.
  await field(page).fill('');
  await page.keyboard.type('romab');
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('x1');
  await expect(field(page)).toHaveValue('ROMX1AB');

  let entries = 0;
  const tapped = Promise.withResolvers<void>();
  await page.route('**/api/access', async (route) => {
    if (entries++ > 0) return route.continue();
    await tapped.promise;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await field(page).fill(code.token);
  await Promise.all([button(page).tap(), page.locator('button[type=submit]').tap()]);
  tapped.resolve();
  await expect(page.getByText('Connessione assente. Controlla la rete e riprova.')).toBeVisible();
  expect(entries).toBe(1);
  await button(page).tap();
  await expectPhrase(page, words.pre[0]);
  expect(await probe<number>(page, 'history.length')).toBe(before + 1);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('keeps a code that was sent before the scripts came, and if an update removed them', async ({
  page,
  prepare,
  quiet,
}) => {
  quiet.allow(/net::ERR_|dynamically imported module|Importing a module/);
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  let pages = 0;
  page.on('request', (request) => void (request.isNavigationRequest() && (pages += 1)));
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/main-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  const scripts = `**/${await experienceChunk()}`;
  await page.route(scripts, (route) => route.fulfill({ status: 404, body: '' }));
  await page.goto(evening.server.url);
  await field(page).fill(code.token.toLowerCase());
  await button(page).tap();
  await page.getByRole('button', { name: 'Verifica in corso...', exact: true }).tap();
  expect(page.url()).toBe(`${evening.server.url}/`);
  await expect(field(page)).toHaveValue(code.token.toLowerCase());
  held.resolve();
  await inTime(page, page.getByText('La pagina si è aggiornata.'));
  await expect(field(page)).toHaveValue(code.token);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(0);
  await button(page).tap();
  await inTime(page, page.getByText('Unexpected Application Error!', { exact: true }));
  expect(pages).toBe(2);
  await page.unroute(scripts);
  await enter(page, evening, code.token);
  await expectPhrase(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

/** Returns the file of the experience in the build. */
async function experienceChunk(): Promise<string> {
  const manifest = JSON.parse(await readFile(resolve(WEB_ROOT, '.vite/manifest.json'), 'utf8'));
  return manifest['visitor/experience/page.tsx'].file;
}
