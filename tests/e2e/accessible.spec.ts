import type { Page } from '@playwright/test';
import {
  expectAxeClean,
  expectNothingSerious,
  expectRoomForLargeText,
  heartsUnderWords,
} from './support/accessible.ts';
import { advanceClock, answersOf, enter, expect, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  answer,
  downloadBy,
  downloadTickets,
  expectPhrase,
  pauseAsPhonesDo,
  phrases,
  probe,
  startVideo,
} from './support/walk.ts';

/** The whole visit is accessible: no serious axe finding, by keyboard only, without motion, with large text. */

/** Longer than any small screen, with a line break and some long words. */
const LONG = `Una riga breve.\n${'Poi una frase che non finisce più, di quelle indimenticabili. '.repeat(5).trim()}`;
const TITLE = 'Lisbona, e poi l’Alentejo dove finisce la terra';
const LAST =
  'Non ricordo com’era prima di te: ogni giorno che verrà sarà nostro, fino all’ultimo, indimenticabilmente.';
const RUNNING = 'document.getAnimations().filter((animation) => animation.playState === "running").length';

for (const [colorScheme, dress] of [
  ['light', 'notte'],
  ['dark', 'alba'],
] as const)
  test(`has no serious fault, no motion and room for text of twice the size: ${colorScheme}, ${dress}`, {
    // tests/web/dresses computes the contrasts of both dresses.
    tag: dress === 'notte' ? '@long' : [],
  }, async ({ page, prepare }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.clock.install();
    const config = {
      dress,
      frasi_pre_video: [LONG],
      frasi: ['E un’altra.'],
      frasi_finali: { ...words.closing, entrambi_si: LAST },
      titolo_destinazione: TITLE,
    };
    const evening = await prepare(but(oneTrip, { config }));
    const check = async () => {
      await expectNothingSerious(page);
      await expect.poll(() => probe(page, RUNNING)).toBe(0);
      await expectRoomForLargeText(page);
    };
    await page.goto(evening.server.url);
    await expect(page.locator('[data-still] > svg')).toHaveCount(12);
    // The widest possible code.
    await page.getByPlaceholder('Il tuo codice').fill('ROM-WMWMWMWM');
    await check();
    await enter(page, evening, (await evening.code()).token);
    await expectPhrase(page, LONG.replaceAll('\n', ' '));
    await check();
    await advanceClock(page, 30);
    await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled();
    await check();
    await startVideo(page);
    await pauseAsPhonesDo(page);
    const goOn = page.getByRole('button', { name: 'Tocca per continuare' });
    await expect(goOn).toBeVisible();
    await expectRoomForLargeText(page);
    await goOn.tap();
    await expectPhrase(page, 'E un’altra.');
    await advanceClock(page, 7);
    await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
    await check();
    await advanceClock(page, 5);
    await expect(page.getByText('3 marzo 2027')).toBeVisible();
    await check();
    const look = page.getByRole('button', { name: 'Guarda i biglietti' });
    await page.setViewportSize({ width: 320, height: 568 });
    await expect(look).toBeInViewport({ ratio: 1 });
    await look.tap();
    await expect(page.getByRole('img', { name: 'Biglietti, pagina 1' })).toBeVisible({ timeout: 45_000 });
    await check();
    await page.getByRole('button', { name: 'Chiudi' }).tap();
    await expect(page.getByRole('button', { name: 'Continua' })).toBeVisible();
    await downloadTickets(page);
    await answer(page, words.domanda_1, 'Sì');
    await check();
    await answer(page, words.domanda_2, 'Sì');
    await expectPhrase(page, LAST);
    await check();
    expect(await heartsUnderWords(page)).toEqual([]);
  });

test('shows sign-in, access screen and an unknown page without faults at 320 px', async ({
  page,
  prepare,
  quiet,
}) => {
  quiet.allow(/404: no page|Failed to load resource/);
  const { server } = await prepare(oneTrip);
  await page.setViewportSize({ width: 320, height: 568 });
  const logged = page.waitForEvent('console', (message) => message.text().includes('/non/esiste'));
  for (const path of ['/', '/admin', '/non/esiste']) {
    const response = await page.goto(`${server.url}${path}`);
    expect(response?.status()).toBe(path === '/non/esiste' ? 404 : 200);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAxeClean(page);
    expect(await probe<number>(page, 'document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  }
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  expect((await logged).type()).toBe('error');
  await page.getByRole('link', { name: 'Torna alla pagina iniziale' }).tap();
  await expect(page.getByPlaceholder('Il tuo codice')).toBeVisible();
});

test('can be completed from the code to the end by keyboard only', async ({ page, prepare }) => {
  await page.clock.install();
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await page.goto(evening.server.url);
  await reach(page, () => page.getByPlaceholder('Il tuo codice'));
  await page.keyboard.type(code.token.toLowerCase());
  await page.keyboard.press('Enter');
  await phrases(page, words.pre);
  const start = () => page.getByRole('button', { name: 'Inizia Esperienza' });
  await expect(start()).toBeEnabled();
  await reach(page, start);
  await page.keyboard.press('Enter');
  await phrases(page, words.post);
  await advanceClock(page, 1);
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await advanceClock(page, 5);
  await reach(page, () => page.getByRole('button', { name: 'Guarda i biglietti' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await reach(page, () => page.getByRole('link', { name: 'Scarica i biglietti' }));
  await downloadBy(page, () => page.keyboard.press('Enter'));
  for (const question of [words.domanda_1, words.domanda_2]) {
    await reach(page, () => page.getByRole('group', { name: question }).getByRole('button', { name: 'Sì' }));
    await page.keyboard.press('Space');
  }
  await expectPhrase(page, words.closing.entrambi_si);
  await advanceClock(page, 20);
  await expect(page).toHaveURL(`${evening.server.url}/`);
  expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: true }]);
});

/** Moves the focus to the target with Tab, in at most 12 steps. */
async function reach(page: Page, target: () => ReturnType<Page['getByRole']>): Promise<void> {
  await expect(target()).toBeVisible();
  for (let step = 0; step < 12; step++) {
    if (await target().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target()).toBeFocused();
}

test('fails if the content security policy is violated', async ({ page, prepare, quiet }) => {
  test.fail();
  quiet.allow(/Trusted/);
  await page.goto((await prepare(oneTrip)).server.url);
  // The browser reports a violation a moment later; a page that is closed by then reports none.
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
