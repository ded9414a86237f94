import type { Locator, Page } from '@playwright/test';
import {
  answersOf,
  type Evening,
  enter,
  expect,
  pass,
  sessionsOf,
  still,
  test,
  tokenRow,
} from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import {
  answer,
  downloadTickets,
  pauseAsPhonesDo,
  phrases,
  probe,
  sees,
  startVideo,
} from './support/walk.ts';

test.use(still);

/** i: a reload, or two presses of Back, at every stage change nothing, and the code has been used once. */
test.beforeEach(async ({ page }) => page.clock.install());

/** Presses Back as a thumb does, each time from wherever the last press has led, and lets the page come to rest. */
async function pressBack(page: Page, times: number): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  for (let press = 0; press < times; press += 1) {
    const before = await browser.send('Page.getNavigationHistory');
    const behind = before.entries[before.currentIndex - 1];
    if (behind === undefined) throw new Error('There is nothing behind this page');
    await browser.send('Page.navigateToHistoryEntry', { entryId: behind.id });
    const { length } = before.entries;
    await expect
      .poll(async () => {
        const { currentIndex, entries } = await browser.send('Page.getNavigationHistory');
        return { currentIndex, length: entries.length };
      })
      .toEqual({ currentIndex: before.currentIndex, length });
  }
  await browser.detach();
}

/** Presses Back and reloads once the server knows where she is, presses again, and checks each time what must be seen. */
async function reloadAt(
  page: Page,
  evening: Evening,
  place: { step: number; phrase?: number },
  seen: () => Promise<void>,
) {
  const { step, phrase = 0 } = place;
  await expect.poll(() => placeOf(evening)).toEqual({ step, phrase });
  await pressBack(page, 2);
  await seen();
  await page.reload();
  await seen();
  await pressBack(page, 2);
  await seen();
  await expect(page).toHaveURL(`${evening.server.url}/experience`);
}

/** Opens the tickets with the quiet button: the evening waits until they are closed again. */
async function lookAtTickets(page: Page, shown: Locator): Promise<void> {
  await page.getByRole('button', { name: 'Biglietti', exact: true }).tap();
  await expect(shown).toBeVisible();
  await pass(page, 60);
  await expect(shown).toBeVisible();
  await page.getByRole('button', { name: 'Chiudi' }).tap();
  await expect(shown).toHaveCount(0);
}

async function placeOf({ server }: Evening) {
  return server.deps.db.selectFrom('active_sessions').select(['step', 'phrase']).executeTakeFirst();
}

test('i: reload and Back at every stage of two trips', { tag: ['@long', '@iphone-first'] }, async ({
  page,
  prepare,
}) => {
  test.slow();
  const viewer = page.getByRole('dialog', { name: 'Biglietti' });
  const firstTickets = viewer.getByRole('img', { name: 'Biglietti, pagina 1' });
  const secondTickets = viewer.getByRole('img', { name: 'Biglietti', exact: true });
  const evening = await prepare(twoTrips);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await pass(page, 6);
  await reloadAt(page, evening, { step: 0, phrase: 1 }, () => sees(page, words.pre[1]));
  await pass(page, 6);

  await reloadAt(page, evening, { step: 1 }, () =>
    expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled(),
  );
  await startVideo(page);
  await sees(page, words.post[0]);
  await reloadAt(page, evening, { step: 2 }, () => sees(page, words.post[0]));
  await phrases(page, words.post);
  await pass(page, 1);

  await reloadAt(page, evening, { step: 3 }, () =>
    expect(page.getByRole('heading', { name: 'Lisbona' })).toBeVisible(),
  );
  await pass(page, 5);
  await reloadAt(page, evening, { step: 4 }, () => expect(page.getByText('3 marzo 2027')).toBeVisible());
  await downloadTickets(page);
  await lookAtTickets(page, firstTickets);
  await answer(page, words.domanda_1, 'No');
  await reloadAt(page, evening, { step: 5 }, () =>
    expect(page.getByRole('group', { name: words.domanda_2 })).toBeVisible(),
  );
  await expect(page.getByRole('group', { name: words.domanda_1 })).toHaveCount(0);
  await lookAtTickets(page, firstTickets);
  await answer(page, words.domanda_2, 'Sì');

  await sees(page, words.between[0]);
  await expect(page.getByRole('button', { name: 'Biglietti', exact: true })).toHaveCount(0);
  await reloadAt(page, evening, { step: 6 }, () => sees(page, words.between[0]));
  await phrases(page, words.between);
  await sees(page, words.second[0]);
  await reloadAt(page, evening, { step: 7 }, () => sees(page, words.second[0]));
  await phrases(page, words.second);
  await pass(page, 1);
  await reloadAt(page, evening, { step: 8 }, () =>
    expect(page.getByRole('heading', { name: 'Dolomiti' })).toBeVisible(),
  );
  await pass(page, 5);
  await reloadAt(page, evening, { step: 9 }, () => expect(page.getByText('La neve vera')).toBeVisible());
  await downloadTickets(page);
  await reloadAt(page, evening, { step: 10 }, () =>
    expect(page.getByRole('group', { name: words.domanda_1_viaggio_2 })).toBeVisible(),
  );
  await lookAtTickets(page, secondTickets);
  await answer(page, words.domanda_1_viaggio_2, 'Sì');
  await answer(page, words.domanda_2_viaggio_2, 'Sì');
  await sees(page, words.final[0]);
  await reloadAt(page, evening, { step: 11 }, () => sees(page, words.final[0]));
  await lookAtTickets(page, firstTickets);
  await lookAtTickets(page, secondTickets);
  await phrases(page, words.final);
  await pass(page, 3);
  await expect(page).toHaveURL(`${evening.server.url}/`);

  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  expect(await sessionsOf(evening, code)).toHaveLength(1);
  expect(await answersOf(evening)).toEqual([
    { viaggio: 1, risposta_1: false, risposta_2: true },
    { viaggio: 2, risposta_1: true, risposta_2: true },
  ]);
});

test('a reload in the middle of the video goes on at the same second', async ({ page, prepare }) => {
  const evening = await prepare(twoTrips);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await phrases(page, words.pre);
  await startVideo(page);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Inizia Esperienza' })).toBeEnabled();
  await startVideo(page);
  await pauseAsPhonesDo(page);
  await page.getByRole('button', { name: 'Tocca per continuare' }).tap();
  await sees(page, words.post[0]);
});

test('back is neutralised, also during the film, and history does not grow', async ({ page, prepare }) => {
  const evening = await prepare(twoTrips);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  const length = await probe<number>(page, 'history.length');
  for (let step = 0; step < 3; step++) {
    await probe(page, 'history.back()');
    await expect(page).toHaveURL(`${evening.server.url}/experience`);
  }
  await pressBack(page, 5);
  await sees(page, words.pre[0]);
  expect(await probe<number>(page, 'history.length')).toBe(length);
  await phrases(page, words.pre);
  await startVideo(page);
  const filling = 'document.fullscreenElement?.querySelector("video") !== undefined';
  await expect.poll(() => probe(page, filling)).toBe(true);
  await pressBack(page, 3);
  expect(await probe(page, `${filling} && document.querySelector("video").currentTime > 0`)).toBe(true);
  await sees(page, words.post[0]);
  await expect(page).toHaveURL(`${evening.server.url}/experience`);
  expect(await probe<number>(page, 'history.length')).toBe(length);
});

test('the tab closed and the address opened again goes on in the same place', async ({
  page,
  context,
  prepare,
}) => {
  const evening = await prepare(twoTrips);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  await pass(page, 6);
  await sees(page, words.pre[1]);
  await expect.poll(() => placeOf(evening)).toEqual({ step: 0, phrase: 1 });
  await page.close();
  await expect
    .poll(async () => (await sessionsOf(evening, code))[0]?.disconnection_reason)
    .toBe('user_logout');

  const again = await context.newPage();
  await again.goto(`${evening.server.url}/experience`);
  await sees(again, words.pre[1]);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  expect((await sessionsOf(evening, code))[0]).toMatchObject({ is_active: true, disconnection_reason: null });

  // Nothing is behind it that could be held on to: Back leaves, and coming back finds the place. From the first tap on it is held.
  await again.goBack();
  await again.goForward();
  await startVideo(again);
  await pressBack(again, 4);
  await sees(again, words.post[0]);
  await expect(again).toHaveURL(`${evening.server.url}/experience`);
});
