import { FILM, LONG_FILM } from './support/film.ts';
import { advanceClock, enter, expect, sessionsOf, still, test, withClockHeld } from './support/stage.ts';
import { but, oneTrip } from './support/surprises.ts';
import { expectSceneNotice, isPlaying, probe, startVideo } from './support/walk.ts';

test.use(still);

test('stops the film and disconnects at once if the code is revoked', {
  tag: '@iphone-first',
}, async ({ page, prepare }) => {
  await page.clock.install();
  const site = await prepare(but(oneTrip, { config: { frasi_pre_video: [] }, files: { video: LONG_FILM } }));
  const code = await site.code();
  await enter(page, site, code.token);
  await startVideo(page);
  // Without holding the clock, a busy machine would check after the notice has disappeared.
  await withClockHeld(page, async () => {
    await site.admin.call('PATCH', `/admin/tokens/${code.id}`, { attivo: false });
    for (const text of [
      "Sei stato disconnesso dall'amministratore",
      'Contatta @marco per maggiori informazioni',
    ])
      await expectSceneNotice(page, text);
  });
  await advanceClock(page, 2);
  await expect(page).toHaveURL(`${site.server.url}/`);
  await expect(page.getByPlaceholder('Il tuo codice')).toBeVisible();
  expect(await isPlaying(page)).toBe(false);
  expect(await probe(page, `${FILM}.currentSrc === "" || !${FILM}.src`)).toBe(true);
  expect(await sessionsOf(site, code)).toMatchObject([
    { is_active: false, disconnection_reason: 'token_revoked' },
  ]);
});
