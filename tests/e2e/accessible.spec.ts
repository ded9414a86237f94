import type { Page } from '@playwright/test';
import { expectNothingSerious } from './support/accessible.ts';
import { expectRoomForLargeText } from './support/large-text.ts';
import { answersOf, enter, expect, inTime, pass, takeUp, test } from './support/stage.ts';
import { but, oneTrip, twoTrips, words } from './support/surprises.ts';
import {
  answer,
  downloadBy,
  downloadTickets,
  pauseAsPhonesDo,
  phrases,
  probe,
  saysInScene,
  sees,
  startVideo,
} from './support/walk.ts';

/** The whole experience for everybody: no serious fault that axe finds, by keyboard alone, without motion. */

/** Longer than any small screen, with a line break and words of some length. */
const LONG = `Una riga breve.\n${'Poi una frase che non finisce più, di quelle indimenticabili. '.repeat(5).trim()}`;

async function expectStill(page: Page): Promise<void> {
  const running = 'document.getAnimations().filter((animation) => animation.playState === "running").length';
  await expect.poll(() => probe(page, running)).toBe(0);
}

for (const [colorScheme, dress] of [
  ['light', 'notte'],
  ['dark', 'alba'],
] as const) {
  test(`axe finds nothing serious, nothing moves where motion is not wanted: ${colorScheme}, ${dress}`, {
    // The contrasts of both dresses are reckoned by tests/web/dresses.
    tag: dress === 'notte' ? '@long' : [],
  }, async ({ page, prepare }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.clock.install();
    const evening = await prepare(
      but(oneTrip, { config: { dress, frasi_pre_video: [LONG], frasi: ['E un’altra.'] } }),
    );
    const code = await evening.code();
    const check = async () => {
      await expectNothingSerious(page);
      await expectStill(page);
    };
    await page.goto(evening.server.url);
    await expect(page.getByRole('button', { name: 'Scopri la Sorpresa' })).toBeVisible();
    await check();
    await enter(page, evening, code.token);
    await sees(page, LONG.replaceAll('\n', ' '));
    await check();
    await pass(page, 30);
    await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled();
    await check();
    await startVideo(page);
    await expectStill(page);
    await sees(page, 'E un’altra.');
    await pass(page, 7);
    await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
    await check();
    await pass(page, 5);
    await expect(page.getByText('3 marzo 2027')).toBeVisible();
    await check();
    await page.getByRole('button', { name: 'Guarda i biglietti' }).tap();
    await expect(page.getByRole('img', { name: 'Biglietti, pagina 1' })).toBeVisible({ timeout: 45_000 });
    await check();
    await page.getByRole('button', { name: 'Chiudi' }).tap();
    await downloadTickets(page);
    await answer(page, words.domanda_1, 'Sì');
    await check();
    await answer(page, words.domanda_2, 'Sì');
    await sees(page, words.closing.entrambi_si);
    await check();
  });
}

for (const dress of ['notte', 'alba'] as const) {
  test(`letters of twice their size leave every word of two trips on the screen, and nothing moves sideways: ${dress}`, {
    tag: '@long',
  }, async ({ page, prepare, quiet }) => {
    test.slow();
    quiet.allow(/net::ERR_FAILED .*visit\/resume/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.clock.install();
    const title = 'Lisbona, e poi l’Alentejo dove finisce la terra';
    const evening = await prepare(
      but(twoTrips, {
        config: {
          dress,
          frasi_pre_video: [LONG],
          frasi: ['E un’altra.'],
          titolo_destinazione: title,
          titolo_destinazione_2: title,
          data_ritorno: '31 dicembre 2027',
          data_ritorno_2: '31 dicembre 2027',
          contatto: '@marco.della.valle.di.sopra',
        },
      }),
    );
    const code = await evening.code();
    await enter(page, evening, code.token);
    await sees(page, LONG.replaceAll('\n', ' '));
    await page.route('**/api/visit/resume', (route) => route.abort());
    await takeUp(page, evening);
    await inTime(page, page.getByText('Connessione persa. Riconnessione in corso…', { exact: true }));
    await expectRoomForLargeText(page);
    await page.unroute('**/api/visit/resume');
    // By itself, or it would be gone from under a tap on «Riprova».
    await inTime(page, page.getByText(LONG.replaceAll('\n', ' '), { exact: true }));
    await expectRoomForLargeText(page);
    await pass(page, 30);
    await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled();
    await expectRoomForLargeText(page);
    await startVideo(page);
    await pauseAsPhonesDo(page);
    const goOn = page.getByRole('button', { name: 'Tocca per continuare' });
    await expect(goOn).toBeVisible();
    await expectRoomForLargeText(page);
    await goOn.tap();
    await sees(page, 'E un’altra.');
    await pass(page, 7);
    await trip(page, title, 'Biglietti, pagina 1', [words.domanda_1, words.domanda_2]);
    await phrases(page, [...words.between, ...words.second]);
    await pass(page, 1);
    await trip(page, title, 'Biglietti', [words.domanda_1_viaggio_2, words.domanda_2_viaggio_2]);
    await sees(page, words.final[0]);
    await expectRoomForLargeText(page);
    await evening.admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
    await saysInScene(page, "Sei stato disconnesso dall'amministratore");
    await expectRoomForLargeText(page);
  });
}

/** From the destination to the last answer, with a look at everything on the way. */
async function trip(page: Page, title: string, ticket: string, questions: [string, string]): Promise<void> {
  await expect(page.getByRole('heading', { name: title })).toBeVisible();
  await expectRoomForLargeText(page);
  await pass(page, 5);
  await page.getByRole('button', { name: 'Guarda i biglietti' }).tap();
  await expect(page.getByRole('img', { name: ticket, exact: true })).toBeVisible({ timeout: 45_000 });
  await expectRoomForLargeText(page);
  await page.getByRole('button', { name: 'Chiudi' }).tap();
  await expectRoomForLargeText(page);
  await downloadBy(
    page,
    () => page.getByRole('link', { name: 'Scarica i biglietti' }).tap(),
    () => expectRoomForLargeText(page),
  );
  await answer(page, questions[0], 'Sì');
  await expectRoomForLargeText(page);
  await answer(page, questions[1], 'Sì');
}

test('the page that does not exist and the administrator’s door', async ({ page, prepare, quiet }) => {
  quiet.allow(/404|Not Found/);
  const evening = await prepare(oneTrip);
  await page.goto(`${evening.server.url}/non-esiste`);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await expectNothingSerious(page);
  await page.goto(`${evening.server.url}/admin`);
  await expect(page.getByLabel(/e-?mail/i)).toBeVisible();
  await expectNothingSerious(page);
});

test('a whole evening by keyboard alone', async ({ page, prepare }) => {
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
  await pass(page, 1);
  await expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await pass(page, 5);
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
  await sees(page, words.closing.entrambi_si);
  await pass(page, 20);
  await expect(page).toHaveURL(`${evening.server.url}/`);
  expect(await answersOf(evening)).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: true }]);
});

/** Moves the focus with Tab until it is there, in no more steps than a small page has. */
async function reach(page: Page, target: () => ReturnType<Page['getByRole']>): Promise<void> {
  await expect(target()).toBeVisible();
  for (let step = 0; step < 12; step++) {
    if (await target().evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target()).toBeFocused();
}
