import type { Page } from '@playwright/test';
import {
  type Code,
  type Evening,
  enter,
  expect,
  inTime,
  pass,
  sessionsOf,
  still,
  test,
} from './support/stage.ts';
import { oneTrip, words } from './support/surprises.ts';
import {
  downloadTickets,
  isPlaying,
  phrases,
  probe,
  saysInScene,
  sees,
  startVideo,
  walkFromVideoToCard,
} from './support/walk.ts';

test.use(still);

/** Revoking is felt at once, wherever she is: the notice, the way back, nothing left behind. */
test.beforeEach(async ({ page }) => page.clock.install());

const toPhrases = async (page: Page) => sees(page, words.pre[0]);
const toVideo = async (page: Page) => {
  await phrases(page, words.pre);
  await startVideo(page);
};
const toCard = async (page: Page) => {
  await phrases(page, words.pre);
  await walkFromVideoToCard(page);
};
const toQuestions = async (page: Page) => {
  await toCard(page);
  await downloadTickets(page);
  await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
};

const stages = { phrases: toPhrases, video: toVideo, card: toCard, questions: toQuestions };

for (const [stage, walk] of Object.entries(stages)) {
  const tag = stage === 'card' ? ['@long', '@iphone-first', '@nodes'] : ['@iphone-first'];
  test(`h: revoked during the ${stage}`, { tag }, async ({ page, prepare }) => {
    const evening = await prepare(oneTrip);
    const code = await evening.code();
    await enter(page, evening, code.token);
    await walk(page);
    await evening.admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
    await expectDisconnected(page, evening, code);
  });
}

test('a deleted code disconnects like a revoked one', { tag: ['@long', '@nodes'] }, async ({
  page,
  prepare,
}) => {
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await toPhrases(page);
  await evening.admin.call('DELETE', `/admin/tokens/${code.id}`);
  await expectDisconnected(page, evening, code, 'token_deleted');
  // The notice outlives the way back, and the 4 s of every other: its 10 s are over on the access screen.
  await pass(page, 3);
  const notice = page.getByText('Contatta @marco per maggiori informazioni');
  await expect(notice).toBeVisible();
  await pass(page, 6);
  await expect(notice).toHaveCount(0);
});

test('where live channels are blocked the heartbeat tells', async ({ page, prepare, quiet }) => {
  quiet.allow(/net::ERR_FAILED .*visit\/events/);
  const evening = await prepare(oneTrip);
  const code = await evening.code();
  await page.route('**/api/visit/events', (route) => route.abort());
  await enter(page, evening, code.token);
  await toPhrases(page);
  await evening.admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
  // The heartbeat may come early in its half minute, and the notice is gone ten seconds later.
  await inTime(page, page.getByText("Sei stato disconnesso dall'amministratore"));
});

async function expectDisconnected(page: Page, evening: Evening, code: Code, reason = 'token_revoked') {
  for (const text of [
    "Sei stato disconnesso dall'amministratore",
    'Contatta @marco per maggiori informazioni',
  ])
    await saysInScene(page, text);
  await pass(page, 2);
  await expect(page).toHaveURL(`${evening.server.url}/`);
  await expect(page.getByPlaceholder('Il tuo codice')).toBeVisible();
  expect(await isPlaying(page)).toBe(false);
  expect(
    await probe(
      page,
      'document.querySelector("video").currentSrc === "" || !document.querySelector("video").src',
    ),
  ).toBe(true);

  const sessions = await sessionsOf(evening, code);
  expect(
    sessions.map(({ is_active, disconnection_reason }) => ({ is_active, disconnection_reason })),
  ).toEqual([{ is_active: false, disconnection_reason: reason }]);
  const events = await evening.server.deps.db
    .selectFrom('event_logs')
    .select('id')
    .where('event_type', '=', 'forced_disconnect')
    .execute();
  expect(events).toHaveLength(1);
}
