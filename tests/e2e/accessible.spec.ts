import type { Locator, Page } from '@playwright/test';
import {
  expectAxeClean,
  expectNothingSerious,
  expectRoomForLargeText,
  heartsUnderWords,
} from './support/accessible.ts';
import { advanceClock, answersOf, expect, test } from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { downloadBy, expectPhrase, isPlaying, pauseAsPhonesDo, probe } from './support/walk.ts';

/** The whole visit is accessible: no serious axe finding, by keyboard only, without motion, with large text. */

/** Longer than any small screen, with a line break and some long words. */
const LONG = `Una riga breve.\n${'Poi una frase che non finisce più, di quelle indimenticabili. '.repeat(5).trim()}`;
const TITLE = 'Lisbona, e poi l’Alentejo dove finisce la terra';
const LAST =
  'Non ricordo com’era prima di te: ogni giorno che verrà sarà nostro, fino all’ultimo, indimenticabilmente.';
const RUNNING = 'document.getAnimations().filter((animation) => animation.playState === "running").length';

test('is completed by keyboard, without motion, with room for text of twice the size', async ({
  page,
  prepare,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.clock.install();
  const config = {
    dress: 'alba' as const,
    frasi_pre_video: [LONG],
    frasi: ['E un’altra.'],
    frasi_finali: { ...words.closing, entrambi_si: LAST },
    titolo_destinazione: TITLE,
  };
  const evening = await prepare(but(oneTrip, { config }));
  const { token } = await evening.code();
  const press = async (target: Locator, key = 'Enter') => {
    await reach(page, target);
    await page.keyboard.press(key);
  };
  const button = (name: string) => page.getByRole('button', { name });
  const check = async () => {
    await expectNothingSerious(page);
    await expect.poll(() => probe(page, RUNNING)).toBe(0);
    await expectRoomForLargeText(page);
  };
  await page.goto(evening.server.url);
  const field = page.getByPlaceholder('Il tuo codice');
  await reach(page, field);
  // The widest possible code.
  await page.keyboard.type('rom-wmwmwmwm');
  await check();
  await field.fill(token.toLowerCase());
  await press(field);
  await expectPhrase(page, LONG.replaceAll('\n', ' '));
  await check();
  await advanceClock(page, 30);
  await expect(button('Inizia Esperienza')).toBeEnabled();
  await check();
  await press(button('Inizia Esperienza'));
  await expect.poll(() => isPlaying(page)).toBe(true);
  await pauseAsPhonesDo(page);
  await expect(button('Tocca per continuare')).toBeVisible();
  await expectRoomForLargeText(page);
  await press(button('Tocca per continuare'));
  await expectPhrase(page, 'E un’altra.');
  await advanceClock(page, 7);
  await expect(page.getByRole('heading', { name: TITLE })).toBeVisible();
  await check();
  await advanceClock(page, 5);
  await expect(page.getByText('3 marzo 2027')).toBeVisible();
  await check();
  await page.setViewportSize({ width: 320, height: 568 });
  await expect(button('Guarda i biglietti')).toBeInViewport({ ratio: 1 });
  await press(button('Guarda i biglietti'));
  await expect(page.getByRole('img', { name: 'Biglietti, pagina 1' })).toBeVisible({ timeout: 45_000 });
  await check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(button('Continua')).toBeVisible();
  await reach(page, page.getByRole('link', { name: 'Scarica i biglietti' }));
  await downloadBy(page, () => page.keyboard.press('Enter'));
  const yes = (question: string) =>
    page.getByRole('group', { name: question }).getByRole('button', { name: 'Sì' });
  await press(yes(words.domanda_1), 'Space');
  await expect(yes(words.domanda_2)).toBeVisible();
  await check();
  await press(yes(words.domanda_2), 'Space');
  await expectPhrase(page, LAST);
  await check();
  expect(await heartsUnderWords(page)).toEqual([]);
  await advanceClock(page, 30);
  await expect(page).toHaveURL(`${evening.server.url}/`);
  expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: true }]);
});

/** Moves the focus to the target with Tab, in at most 12 steps. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let step = 0; step < 12; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

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
