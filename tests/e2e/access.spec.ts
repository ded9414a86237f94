import type { Page } from '@playwright/test';
import { dated, longDay } from '../../src/texts/dates.ts';
import { expectAxeClean } from './support/accessible.ts';
import { expectRoomForLargeText } from './support/large-text.ts';
import { noteShifts } from './support/shifts.ts';
import { enter, expect, holdClock, pass, submit, test, tokenRow } from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import { probe, sees } from './support/walk.ts';

/** The access screen and the pages around it, for themselves: painting, typing, taps, themes. */

const field = (page: Page) => page.getByPlaceholder('Il tuo codice');
const button = (page: Page) => page.getByRole('button', { name: 'Scopri la Sorpresa' });
const INSTAGRAM =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0.0.28.81 (iPhone14,5; iOS 18_5; it_IT; it; scale=3.00; 1170x2532; 1)';

test('a code sent before the scripts are there is kept, out of the address, and enters once', async ({
  page,
  prepare,
}) => {
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
  await sees(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('«Informativa» is there when it is written, and opens as it was typed', async ({ page, prepare }) => {
  const { server } = await prepare(oneTrip);
  await page.goto(server.url);
  await expect(page.getByRole('contentinfo')).toContainText('riservato');
  await expect(page.getByText('Informativa')).toHaveCount(0);
  const privacy_notice = 'Titolare: Marco.\n\n<b>Niente</b> va altrove.';
  await server.deps.inTransaction((tx) => tx.updateTable('admin_config').set({ privacy_notice }).execute());
  await page.reload();
  await expect(page.getByText('Informativa')).toBeVisible();
  const notice = page.getByRole('contentinfo').getByRole('paragraph');
  await expect(notice).toBeHidden();
  await page.getByText('Informativa').press('Enter');
  await expect(notice).toBeVisible();
  expect(await notice.innerText()).toBe(privacy_notice);
});

test('upper case is forced and the caret stays where it was', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  await page.goto(evening.server.url);
  await expect(page.locator('html[data-form="alive"]')).toBeAttached();
  await field(page).tap();
  await page.keyboard.type('romab');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('x1');
  await expect(field(page)).toHaveValue('ROMX1AB');
});

test('two taps are one entry, and history grows by one', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 3 });
  await page.goto(evening.server.url);
  const before = await probe<number>(page, 'history.length');
  const entries: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/access') && entries.push(request.url()));
  // The answer waits for the second tap: a quick one would have taken the button away.
  const tapped = Promise.withResolvers<void>();
  await page.route('**/api/access', async (route) => {
    await tapped.promise;
    await route.continue();
  });
  await field(page).fill(code.token);
  await Promise.all([button(page).tap(), page.locator('button[type=submit]').tap()]);
  tapped.resolve();
  await sees(page, words.pre[0]);
  expect(entries).toHaveLength(1);
  expect(await probe<number>(page, 'history.length')).toBe(before + 1);
  const { id, token } = await tokenRow(evening, code);
  expect(await probe(page, 'history.state.usr')).toEqual({ token_id: id, token_value: token });
  const heard = await listenedTo(page);
  expect(heard).toContain('pagehide');
  for (const unreliable of ['unload', 'beforeunload']) expect(heard).not.toContain(unreliable);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

/** The events the page listens to on its window. */
async function listenedTo(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'Object.keys(getEventListeners(window))',
    includeCommandLineAPI: true,
    returnByValue: true,
  });
  await session.detach();
  return result.value as string[];
}

test('a lost reply and a second try are one entry', async ({ page, prepare, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  await page.goto(evening.server.url);
  const replied = Promise.withResolvers<void>();
  await page.route(
    '**/api/access',
    async (route) => {
      await route.fetch();
      await replied.promise;
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await submit(page, code.token);
  await expect(page.getByRole('button', { name: 'Verifica in corso...', exact: true })).toBeVisible();
  replied.resolve();
  await expect(page.getByText('Connessione assente. Controlla la rete e riprova.')).toBeVisible();
  await button(page).tap();
  await sees(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

/** Her name is written from when the flap is up: from its first letter on, however late the evening tells it. */
const WRITTEN_ON_TIME = `(() => {
  const movement = (part) => document.querySelector('[data-letter] ' + part)?.getAnimations()[0];
  const [flap, name] = [movement('svg:has(> [href="#flap"])'), movement('[data-hand]')];
  return name.startTime >= flap.startTime + flap.effect.getComputedTiming().endTime;
})()`;

test('a right code breaks the seal; the first phrase has its whole time behind it', async ({
  page,
  prepare,
}) => {
  await page.clock.install();
  const shifts = await noteShifts(page);
  const evening = await prepare({ ...oneTrip, config: { ...oneTrip.config, recipient_name: 'Giulia' } });
  const code = await evening.code();
  await page.goto(evening.server.url);
  await holdClock(page);
  await expect(page.locator('[data-letter="sealed"]')).toBeVisible();
  expect(await page.content()).not.toContain('Giulia');
  await submit(page, code.token);
  const phrase = page.locator('section[data-paused]');
  await expect(phrase).toHaveAttribute('data-paused', 'true');
  await expect(page).toHaveURL(`${evening.server.url}/experience`);
  await expect(page.locator('[data-letter="opening"]').getByText('Giulia,')).toBeVisible();
  await expect.poll(() => probe(page, WRITTEN_ON_TIME)).toBe(true);
  await pass(page, 1.55);
  await expect(phrase).toHaveAttribute('data-paused', 'true');
  await pass(page, 0.2);
  await expect(phrase).toHaveAttribute('data-paused', 'false');
  await pass(page, 0.7);
  await expect(page.locator('[data-letter]')).toHaveCount(0);
  await pass(page, 5);
  await sees(page, words.pre[0]);
  await pass(page, 1);
  await sees(page, words.pre[1]);
  expect(shifts.filter((shift) => shift.startsWith('/experience'))).toEqual([]);
});

test('a wrong code shakes the seal and leaves it whole', async ({ page, prepare, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const evening = await prepare(oneTrip);
  await enter(page, evening, 'ROM-SBAGLIAT');
  const seal = page.locator('[data-shaken]');
  await expect(seal).toHaveAttribute('data-shaken', 'true');
  await expect(page.locator('[data-letter="sealed"][data-broken="false"]')).toBeVisible();
  await expect(seal).toBeVisible();
});

test('no icon drifts across the footer', { tag: ['@long', '@nodes'] }, async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(viewport);
    await page.goto(evening.server.url);
    await expect(page.locator('[data-still] > svg')).toHaveCount(12);
    const { top, bottom } = await probe<{ top: number; bottom: number }>(
      page,
      `({ top: document.querySelector('footer').getBoundingClientRect().top, bottom: document.querySelector('[data-still]').getBoundingClientRect().bottom })`,
    );
    expect(bottom).toBeLessThanOrEqual(top);
  }
});

test('a refusal keeps the field in hand', async ({ page, prepare, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const evening = await prepare(oneTrip);
  await enter(page, evening, 'ROM-SBAGLIAT');
  await expect(page.getByText('Codice non valido o scaduto')).toBeVisible();
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await field(page).press('Backspace');
  await expect(field(page)).toHaveAttribute('aria-invalid', 'false');
});

test('an unfinished visit is offered again', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code({ max_accessi: 1 });
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await page.goto(evening.server.url);
  await expect(page.getByText('Eccoti di nuovo! Riprendi da dove eri.')).toBeVisible();
  await page.getByRole('button', { name: 'Riprendi' }).tap();
  await sees(page, words.pre[0]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
});

test('the graduation day is named, and a closed site is kind', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const { versione } = await evening.admin.call<{ versione: number }>('GET', '/admin/config');
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const saved = await evening.admin.call<{ versione: number }>('PATCH', '/admin/config', {
    versione,
    fields: { data_laurea: day },
  });
  await page.goto(evening.server.url);
  await expect(page.getByRole('contentinfo')).toContainText(
    `48 ore dopo la laurea ${dated('del', longDay(day))}.`,
  );
  await evening.admin.call('PATCH', '/admin/config', {
    versione: saved.versione,
    fields: { data_laurea: '2020-07-01' },
  });
  await page.reload();
  await expect(page.getByRole('contentinfo')).toContainText('La sorpresa si è conclusa');
});

test.describe('inside an app', () => {
  test.use({ userAgent: INSTAGRAM });
  test('the real browser is proposed, and the form still works', async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code();
    await page.goto(evening.server.url);
    await expect(
      page.getByText('Per vivere la sorpresa al meglio apri questa pagina in Safari'),
    ).toBeVisible();
    await expect(page.getByText('Tocca ••• in alto a destra › Apri nel browser esterno')).toBeVisible();
    await submit(page, code.token);
    await sees(page, words.pre[0]);
  });
  test('«Continua qui» sends it away', async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    await page.goto(evening.server.url);
    await page.getByRole('button', { name: 'Continua qui' }).tap();
    await expect(page.getByText('Per vivere la sorpresa')).toHaveCount(0);
    await expect(field(page)).toBeVisible();
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('axe finds nothing, and nothing is wider than a small phone', {
      tag: colorScheme === 'light' ? '@long' : [],
    }, async ({ page, prepare }) => {
      const evening = await prepare(oneTrip);
      await page.setViewportSize({ width: 320, height: 568 });
      for (const path of ['/', '/admin', '/admin/non-esiste']) {
        await page.goto(`${evening.server.url}${path}`).catch(() => undefined);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAxeClean(page);
        expect(await probe<number>(page, 'document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
        await expectRoomForLargeText(page, path === '/');
      }
    });
    test.beforeEach(({ quiet }) => quiet.allow(/404: no page|Failed to load resource/));
  });
}

test.describe('reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('twelve icons, none of them moving', { tag: ['@long', '@nodes'] }, async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    await page.goto(evening.server.url);
    await expect(page.locator('[data-still] > svg')).toHaveCount(12);
    expect(
      await probe<number>(page, 'document.getAnimations().filter((a) => a.playState === "running").length'),
    ).toBe(0);
  });
});

test('the icons stop while the page is hidden', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  await page.goto(evening.server.url);
  const floating = 'document.getAnimations().filter((a) => a.effect.target.closest("[data-still]")).length';
  await expect.poll(() => probe<number>(page, floating)).toBe(12);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(() => probe<number>(page, floating)).toBe(0);
});

test('an unknown path: its page, its line in the console, its way home', async ({ page, prepare, quiet }) => {
  quiet.allow(/404: no page|Failed to load resource/);
  const evening = await prepare(oneTrip);
  const logged = page.waitForEvent('console', (message) => message.text().includes('/non/esiste'));
  const response = await page.goto(`${evening.server.url}/non/esiste`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  expect((await logged).type()).toBe('error');
  await page.getByRole('link', { name: 'Torna alla pagina iniziale' }).tap();
  await expect(field(page)).toBeVisible();
});

test('keyboard alone: the code, enter', async ({ page, prepare }) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await page.goto(evening.server.url);
  await page.keyboard.press('Tab');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(code.token);
  await page.keyboard.press('Enter');
  await sees(page, words.pre[0]);
});

test('what breaks the content security policy fails a test, whatever is allowed to be said', async ({
  page,
  prepare,
  quiet,
}) => {
  test.fail();
  quiet.allow(/Trusted/);
  const evening = await prepare(oneTrip);
  await page.goto(evening.server.url);
  // The browser tells of it a moment later: a page that is closed by then has told nobody.
  await page.evaluate(
    () =>
      new Promise<void>((told) => {
        addEventListener('securitypolicyviolation', () => told());
        try {
          document.body.innerHTML = '<b>no</b>';
        } catch {
          // As it should be.
        }
      }),
  );
});
