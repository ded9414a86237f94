import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { normalizeCode } from '../../src/domain/codes.ts';
import { TIME_ZONE } from '../../src/domain/limits.ts';
import { WEB_ROOT } from '../../src/server/start.ts';
import { longDay, withArticle } from '../../src/texts/dates.ts';
import { dayAndHour, tooEarly } from '../../src/texts/opening-time.ts';
import { expectNothingSerious } from './support/accessible.ts';
import { configure } from './support/evening.ts';
import { setHidden } from './support/film.ts';
import {
  advanceClock,
  enter,
  expect,
  inTime,
  still,
  submit,
  test,
  tokenRow,
  tryCode,
} from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { expectPhrase, probe } from './support/walk.ts';

test.use(still);
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource|UNREADABLE/));

const field = (page: Page) => page.getByPlaceholder('Il tuo codice');
const button = (page: Page) => page.getByRole('button', { name: 'Scopri la Sorpresa' });
const HOUR_MS = 3_600_000;

test('refuses wrong, expired and used codes, and counts two taps as one entry', async ({ page, prepare }) => {
  const evening = await prepare(but(oneTrip, { config: { recipient_name: 'Giulia' } }));
  const { server } = evening;
  const [expired, used, code] = [
    await evening.code(),
    await evening.code({ max_accessi: 1 }),
    await evening.code(),
  ];
  const scadenza = new Date(Date.now() - 1_000).toISOString();
  await server.deps.inTransaction((tx) =>
    tx.updateTable('tokens').set({ scadenza }).where('id', '=', expired.id).execute(),
  );
  expect(await tryCode(server, used.token)).toBe(200);
  await page.goto(server.url);
  expect(await page.content()).not.toContain('Giulia');
  const before = await probe<number>(page, 'history.length');
  for (const [token, sentence] of [
    ['ROM-SBAGLIAT', 'Codice non valido o scaduto'],
    [expired.token, 'Codice scaduto'],
    [used.token, 'Codice già utilizzato il numero massimo di volte'],
  ] as const) {
    await submit(page, token);
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
    await expect(page.locator('[data-shaken]')).toHaveAttribute('data-shaken', 'true');
    await expect(page.locator('[data-letter="sealed"][data-broken="false"]')).toBeVisible();
    await expect(field(page)).toBeFocused();
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
    await field(page).press('Backspace');
    await expect(field(page)).toHaveAttribute('aria-invalid', 'false');
  }
  // Text becomes upper case, and the caret stays in place.
  await field(page).fill('');
  await page.keyboard.type('romab');
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('x1');
  await expect(field(page)).toHaveValue('ROMX1AB');

  let entries = 0;
  const tapped = Promise.withResolvers<void>();
  await page.route('**/api/access', async (route) => {
    entries += 1;
    await tapped.promise;
    await route.continue();
  });
  await field(page).fill(code.token);
  await Promise.all([button(page).tap(), page.locator('button[type=submit]').tap()]);
  tapped.resolve();
  await expectPhrase(page, words.pre[0]);
  expect(entries).toBe(1);
  expect(await probe<number>(page, 'history.length')).toBe(before + 1);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('enters once after a lost reply or the reply of a proxy', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  const faults = [{ status: 502, body: '<html>Bad gateway</html>' }, 'lost' as const];
  await page.route('**/api/access', async (route) => {
    const fault = faults.shift();
    if (fault === undefined) return route.continue();
    if (fault !== 'lost') return route.fulfill(fault);
    await route.fetch();
    return route.abort('connectionreset');
  });
  await enter(page, evening, code.token);
  await expect(page.getByText('Errore durante la verifica')).toBeVisible();
  await button(page).tap();
  await expect(page.getByText('Connessione assente. Controlla la rete e riprova.')).toBeVisible();
  await button(page).tap();
  await expectPhrase(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('submits a code that was sent before the scripts were loaded', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/main-.*\.js/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(evening.server.url);
  await field(page).fill(code.token.toLowerCase());
  await button(page).tap();
  await page.getByRole('button', { name: 'Verifica in corso...', exact: true }).tap();
  expect(page.url()).toBe(`${evening.server.url}/`);
  await expect(field(page)).toHaveValue(code.token.toLowerCase());
  held.resolve();
  await expectPhrase(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('counts down to the opening time, follows its changes, and opens automatically', async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const [later, sooner] = [inMs(960 * HOUR_MS), inMs(HOUR_MS)];
  await configure(evening, { opens_at: later });
  const code = await evening.code({ max_accessi: 1 });
  await enter(page, evening, code.token);
  const said = (hour: string) => page.getByText(tooEarly(dayAndHour(hour, TIME_ZONE)));
  await expect(said(later)).toBeVisible();
  await expectNothingSerious(page);
  await configure(evening, { opens_at: sooner });
  await advanceClock(page, 61);
  await expect(said(sooner)).toBeVisible();
  const kept = await probe<string>(page, 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(kept).not.toContain(normalizeCode(code.token));
  await field(page).press('End');
  await field(page).press('Backspace');
  await expect(page.getByRole('timer')).toHaveCount(0);
  await submit(page, code.token);
  await expect(page.getByRole('timer')).toContainText(/0 giorni.*0 ore.*\d minut[oi].*\d second[oi]/);

  let asked = 0;
  await page.route('**/api/access', (route) => {
    asked += 1;
    return route.abort();
  });
  await setHidden(page, true);
  // The opening time has come for the server, and by the page's own clock.
  await configure(evening, { opens_at: inMs(-1_000) });
  await advanceClock(page, 3_700);
  await expect(page.getByText('Ci siamo…')).toBeVisible();
  expect(asked).toBe(0);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(0);
  await setHidden(page, false);
  await inTime(page, page.getByText('L’ora è arrivata, ma manca la connessione: appena torna si apre.'));
  await page.unroute('**/api/access');
  await inTime(page, page.getByText(words.pre[0], { exact: true }));
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('keeps the typed code if an update removed scripts', async ({ page, prepare, quiet }) => {
  quiet.allow(/net::ERR_|dynamically imported module|Importing a module/);
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  let pages = 0;
  page.on('request', (request) => void (request.isNavigationRequest() && (pages += 1)));
  await page.goto(evening.server.url);
  const scripts = `**/${await experienceChunk()}`;
  await page.route(scripts, (route) => route.fulfill({ status: 404, body: '' }));
  await submit(page, code.token);
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

test.describe('inside an app', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0.0.28.81',
  });

  test('proposes the real browser, and shows the privacy notice', async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    const { server } = evening;
    await page.goto(server.url);
    await expect(
      page.getByText('Per vivere la sorpresa al meglio apri questa pagina in Safari'),
    ).toBeVisible();
    await expect(page.getByText('Tocca ••• in alto a destra › Apri nel browser esterno')).toBeVisible();
    await page.getByRole('button', { name: 'Continua qui' }).tap();
    await expect(page.getByText('Per vivere la sorpresa')).toHaveCount(0);
    await expect(field(page)).toBeVisible();
    await expect(page.getByText('Informativa')).toHaveCount(0);

    const privacy_notice = 'Titolare: Marco.\n\n<b>Niente</b> va altrove.';
    await server.deps.inTransaction((tx) => tx.updateTable('admin_config').set({ privacy_notice }).execute());
    const day = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10);
    await configure(evening, { data_laurea: day });
    await page.reload();
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText(`48 ore dopo la laurea ${withArticle('del', longDay(day))}.`);
    await page.getByText('Informativa').press('Enter');
    expect(await footer.getByRole('paragraph').innerText()).toBe(privacy_notice);
    await configure(evening, { data_laurea: '2020-07-01' });
    await page.reload();
    await expect(footer).toContainText('La sorpresa si è conclusa');
  });
});
