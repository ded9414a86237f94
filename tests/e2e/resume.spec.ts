import type { Page } from '@playwright/test';
import { answersOf, type Evening, enter, expect, pass, sessionsOf, test, tokenRow } from './support/stage.ts';
import { twoTrips, words } from './support/surprises.ts';
import { answer, downloadTickets, phrases, probe, sees, startVideo } from './support/walk.ts';

/** i: a reload at every stage goes on there, and the code has been used once. */
test.beforeEach(async ({ page }) => page.clock.install());

/** Reloads once the server knows where she is, then checks what must be seen again. */
async function reloadAt(
  page: Page,
  evening: Evening,
  place: { step: number; phrase?: number },
  seen: () => Promise<void>,
) {
  const { step, phrase = 0 } = place;
  await expect.poll(() => placeOf(evening)).toEqual({ step, phrase });
  await page.reload();
  await seen();
}

async function placeOf({ server }: Evening) {
  return server.deps.db.selectFrom('active_sessions').select(['step', 'phrase']).executeTakeFirst();
}

test('i: reload at every stage of two trips', { tag: '@everywhere' }, async ({ page, prepare }) => {
  test.slow();
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
  await answer(page, words.domanda_1, 'No');
  await reloadAt(page, evening, { step: 5 }, () =>
    expect(
      page.getByRole('group', { name: words.domanda_1 }).getByRole('button', { name: 'No' }),
    ).toHaveAttribute('aria-pressed', 'true'),
  );
  await answer(page, words.domanda_2, 'Sì');

  await sees(page, words.between[0]);
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
  await answer(page, words.domanda_1_viaggio_2, 'Sì');
  await answer(page, words.domanda_2_viaggio_2, 'Sì');
  await sees(page, words.final[0]);
  await reloadAt(page, evening, { step: 11 }, () => sees(page, words.final[0]));
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
  // The phone pauses it, and lets it go on only by a tap.
  await probe(
    page,
    `{ const { play } = HTMLMediaElement.prototype;
       HTMLMediaElement.prototype.play = function () {
         HTMLMediaElement.prototype.play = play;
         return Promise.reject(new DOMException('no', 'NotAllowedError'));
       };
       document.querySelector('video').pause(); }`,
  );
  await page.getByRole('button', { name: 'Tocca per continuare' }).tap();
  await sees(page, words.post[0]);
});

test('back is neutralised and history does not grow', async ({ page, prepare }) => {
  const evening = await prepare(twoTrips);
  const code = await evening.code();
  await enter(page, evening, code.token);
  await sees(page, words.pre[0]);
  const length = await probe<number>(page, 'history.length');
  for (let step = 0; step < 3; step++) {
    await probe(page, 'history.back()');
    await expect(page).toHaveURL(`${evening.server.url}/experience`);
  }
  await sees(page, words.pre[0]);
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
});
