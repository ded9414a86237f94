import type { Page } from '@playwright/test';
import { FILM, LONG_FILM } from './support/film.ts';
import {
  advanceClock,
  type Code,
  type Evening,
  enter,
  expect,
  inTime,
  sessionsOf,
  still,
  test,
  withClockHeld,
} from './support/stage.ts';
import { but, oneTrip, words } from './support/surprises.ts';
import {
  downloadTickets,
  expectPhrase,
  expectSceneNotice,
  isPlaying,
  probe,
  startVideo,
  walkFromVideoToCard,
} from './support/walk.ts';

test.use(still);

const surprise = but(oneTrip, { config: { frasi_pre_video: [words.pre[0]] }, files: { video: LONG_FILM } });
const REVOKED = "Sei stato disconnesso dall'amministratore";

/** Revokes or deletes the code, and checks the notice, the return to the access screen and that no film is left. */
async function expectDisconnected(
  page: Page,
  evening: Evening,
  code: Code,
  method: 'PATCH' | 'DELETE',
): Promise<void> {
  const body = method === 'PATCH' ? { attivo: false } : undefined;
  // Without holding the clock, a busy machine would check after the notice has disappeared.
  await withClockHeld(page, async () => {
    await evening.admin.call(method, `/admin/tokens/${code.id}`, body);
    for (const text of [REVOKED, 'Contatta @marco per maggiori informazioni'])
      await expectSceneNotice(page, text);
  });
  await advanceClock(page, 2);
  await expect(page).toHaveURL(`${evening.server.url}/`);
  await expect(page.getByPlaceholder('Il tuo codice')).toBeVisible();
  expect(await isPlaying(page)).toBe(false);
  expect(await probe(page, `${FILM}.currentSrc === "" || !${FILM}.src`)).toBe(true);
  const disconnection_reason = method === 'PATCH' ? 'token_revoked' : 'token_deleted';
  expect(await sessionsOf(evening, code)).toMatchObject([{ is_active: false, disconnection_reason }]);
}

test('disconnects at once if the code is revoked or deleted', {
  tag: '@iphone-first',
}, async ({ page, prepare }) => {
  await page.clock.install();
  const site = await prepare(surprise);
  const toFilm = async () => {
    await expectPhrase(page, words.pre[0]);
    await advanceClock(page, 6);
    await startVideo(page);
  };
  const toQuestions = async () => {
    await expectPhrase(page, words.pre[0]);
    await advanceClock(page, 6);
    await walkFromVideoToCard(page);
    await downloadTickets(page);
    await expect(page.getByRole('group', { name: words.domanda_1 })).toBeVisible();
  };
  for (const [reach, method] of [
    [() => expectPhrase(page, words.pre[0]), 'DELETE'],
    [toFilm, 'PATCH'],
    [toQuestions, 'PATCH'],
  ] as const) {
    const code = await site.code();
    await enter(page, site, code.token);
    await reach();
    await expectDisconnected(page, site, code, method);
  }
  const events = site.server.deps.db.selectFrom('event_logs').select('id');
  expect(await events.where('event_type', '=', 'forced_disconnect').execute()).toHaveLength(3);
});

test('disconnects by the heartbeat if event streams are blocked', async ({
  page,
  context,
  prepare,
  quiet,
}) => {
  quiet.allow(/net::ERR_FAILED .*visit\/events/);
  await page.clock.install();
  const site = await prepare(surprise);
  await page.route('**/api/visit/events', (route) => route.abort());
  const enterAnew = async () => {
    const code = await site.code();
    await enter(page, site, code.token);
    await expectPhrase(page, words.pre[0]);
    return code;
  };
  const code = await enterAnew();
  await site.admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
  await inTime(page, page.getByText(REVOKED));
  await inTime(page, page.getByPlaceholder('Il tuo codice'));
  await enterAnew();
  await context.clearCookies();
  await inTime(page, page.getByText('La tua sessione è terminata. Inserisci di nuovo il codice.'));
  await expect(page).toHaveURL(`${site.server.url}/`);
});
