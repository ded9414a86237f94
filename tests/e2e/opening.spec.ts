import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { normalizeCode } from '../../src/domain/codes.ts';
import { TIME_ZONE } from '../../src/domain/limits.ts';
import { dayAndHour, tooEarly } from '../../src/texts/opening.ts';
import { type Evening, enter, expect, pass, still, submit, test, tokenRow } from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import { probe, sees } from './support/walk.ts';

test.use(still);

/** An evening that opens at a moment (decision 062): the page counts down to it, and opens by itself. */

const field = (page: Page) => page.getByPlaceholder('Il tuo codice');

async function configure({ admin }: Evening, fields: object): Promise<void> {
  const { versione } = await admin.call<{ versione: number }>('GET', '/admin/config');
  await admin.call('PATCH', '/admin/config', { versione, fields });
}

test('before the hour there is a countdown, and at the hour it opens by itself, also when the network is late', async ({
  page,
  prepare,
  quiet,
}) => {
  quiet.allow(/Failed to load resource/);
  const evening = await prepare(oneTrip);
  const opens_at = new Date(Date.now() + 9_000).toISOString();
  await configure(evening, { opens_at });
  const code = await evening.code({ max_accessi: 1 });
  await enter(page, evening, code.token);
  await expect(page.getByText(tooEarly(dayAndHour(opens_at, TIME_ZONE)))).toBeVisible();
  await expect(page.getByRole('timer')).toContainText(/0 giorni.*0 ore.*0 minuti.*\d second[oi]/);
  await expect(field(page)).toHaveValue(code.token);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(0);
  await page.route('**/api/access', (route) => route.abort());
  await expect(
    page.getByText('L’ora è arrivata, ma manca la connessione: appena torna si apre.'),
  ).toBeVisible({ timeout: 30_000 });
  await page.unroute('**/api/access');
  await sees(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('an opening that was moved is found within a minute or on the way back, and one taken away lets in; what is typed anew counts anew', async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const [later, sooner] = [inDays(40), inDays(2)];
  await configure(evening, { opens_at: later });
  const code = await evening.code({ max_accessi: 1 });
  await enter(page, evening, code.token);
  await expect(page.getByText(tooEarly(dayAndHour(later, TIME_ZONE)))).toBeVisible();
  await configure(evening, { opens_at: sooner });
  await pass(page, 61);
  await expect(page.getByText(tooEarly(dayAndHour(sooner, TIME_ZONE)))).toBeVisible();
  await expect(page.getByRole('timer')).toContainText('giorn');
  const kept = await probe<string>(page, 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
  expect(kept).not.toContain(normalizeCode(code.token));
  await field(page).press('End');
  await field(page).press('Backspace');
  await expect(page.getByRole('timer')).toHaveCount(0);
  await submit(page, code.token);
  await expect(page.getByRole('timer')).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('main').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await configure(evening, { opens_at: null });
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await sees(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('an hour that comes while the page is hidden opens when it is seen again, and not before', {
  tag: ['@long', '@nodes'],
}, async ({ page, prepare }) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  await configure(evening, { opens_at: inMs(3_600_000) });
  const code = await evening.code({ max_accessi: 1 });
  await enter(page, evening, code.token);
  await expect(page.getByRole('timer')).toBeVisible();
  await seen(page, false);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/access')) asked += 1;
  });
  // The hour has come for the server, and by the page's own clock.
  await configure(evening, { opens_at: inMs(-1_000) });
  await pass(page, 3_700);
  await expect(page.getByText('Ci siamo…')).toBeVisible();
  expect(asked).toBe(0);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(0);
  await seen(page, true);
  await sees(page, words.pre[0]);
  expect(asked).toBe(1);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

/** Whether the page lies in front, as the browser tells it. */
async function seen(page: Page, visible: boolean): Promise<void> {
  await page.evaluate((visible) => {
    const state = visible ? 'visible' : 'hidden';
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => !visible });
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visible);
}
