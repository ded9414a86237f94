import type { Page } from '@playwright/test';
import { FILM, LONG_FILM } from './support/film.ts';
import {
  advanceClock,
  type Evening,
  enter,
  expect,
  sessionsOf,
  still,
  test,
  tokenRow,
} from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import { answer, downloadTickets, expectPhrase, isPlaying, probe, startVideo } from './support/walk.ts';

test.use(still);

/** Presses Back as a thumb does, each time from the current entry, and waits until the page is back at it. */
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

/** Seconds that a phrase stays: long enough for three page loads and checks. */
const STAYS = 15;

async function placeOf({ server }: Evening) {
  return server.deps.db.selectFrom('active_sessions').select(['step', 'phrase']).executeTakeFirst();
}

/** Waits until the server has the position, then presses Back and reloads, with a check after each. */
async function reloadAt(
  page: Page,
  evening: Evening,
  place: { step: number; phrase: number },
  seen: () => Promise<void>,
): Promise<void> {
  await expect.poll(() => placeOf(evening)).toEqual(place);
  await page.reload();
  await seen();
  await pressBack(page, 2);
  await seen();
  await expect(page).toHaveURL(`${evening.server.url}/experience`);
}

test('resumes in the same place after a reload, Back and a closed tab', async ({
  page,
  context,
  prepare,
}) => {
  await page.clock.install();
  const config = { durata_frase_secondi: STAYS, frasi: [words.post[0]] };
  const evening = await prepare(but(oneTrip, { files: { video: LONG_FILM }, config }));
  const code = await evening.code();
  await enter(page, evening, code.token);
  await expectPhrase(page, words.pre[0]);
  const length = await probe<number>(page, 'history.length');
  await advanceClock(page, STAYS);
  await reloadAt(page, evening, { step: 0, phrase: 1 }, () => expectPhrase(page, words.pre[1]));
  await page.close();
  const reason = async () => (await sessionsOf(evening, code))[0]?.disconnection_reason;
  await expect.poll(reason).toBe('user_logout');

  const again = await context.newPage();
  await again.clock.install();
  await again.goto(evening.server.url);
  await expect(again.getByText('Eccoti di nuovo! Riprendi da dove eri.')).toBeVisible();
  await again.getByRole('button', { name: 'Riprendi' }).tap();
  await expectPhrase(again, words.pre[1]);
  await advanceClock(again, STAYS);
  await startVideo(again);
  await pressBack(again, 3);
  expect(await isPlaying(again)).toBe(true);
  const second = async () => (await sessionsOf(evening, code))[0]?.second;
  await expect.poll(second).toBeGreaterThan(0);
  const before = await second();
  await again.reload();
  await startVideo(again);
  expect(await probe(again, `${FILM}.currentTime`)).toBeGreaterThanOrEqual(before ?? 0);

  await expectPhrase(again, words.post[0]);
  await advanceClock(again, STAYS + 1);
  await expect(again.getByRole('heading', { name: 'Lisbona' })).toBeVisible();
  await advanceClock(again, 5);
  await downloadTickets(again);
  await answer(again, words.domanda_1, 'No');
  const question = again.getByRole('group', { name: words.domanda_2 });
  await reloadAt(again, evening, { step: 5, phrase: 0 }, () => expect(question).toBeVisible());
  await expect(again.getByRole('group', { name: words.domanda_1 })).toHaveCount(0);
  await answer(again, words.domanda_2, 'No');
  await expectPhrase(again, words.closing.entrambi_no);
  expect(await probe<number>(again, 'history.length')).toBeLessThanOrEqual(length + 1);
  expect((await tokenRow(evening, code)).accessi_usati).toBe(1);
  expect(await sessionsOf(evening, code)).toHaveLength(1);
});
