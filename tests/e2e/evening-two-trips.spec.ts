import type { MediaItem } from '../../src/contract/admin/media.ts';
import { FILM } from './support/film.ts';
import { advanceClock, answersOf, enter, expect, inTime, still, test } from './support/stage.ts';
import { but, twoTrips, words } from './support/surprises.ts';
import {
  answer,
  downloadTickets,
  expectPhrase,
  phrases,
  phrasesTo,
  probe,
  startVideo,
  walkSecondTrip,
} from './support/walk.ts';

test.use(still);

const CAPTIONS = '00:00 --> 01:00\n<i>Ti ricordi?</i> <3\nEra la nostra prima sera.';
const DRAWN = 'Ti ricordi? <3 Era la nostra prima sera.';
const MODE = `${FILM}.textTracks[0].mode`;
const song = (trip: 1 | 2) => `document.querySelectorAll("audio")[${trip - 1}]`;
const sounds = (trip: 1 | 2) => `!${song(trip)}.paused && ${song(trip)}.currentTime > 0`;

test('completes two trips with captions and songs', { tag: '@iphone-first' }, async ({ page, prepare }) => {
  await page.clock.install();
  // Slow enough to read the captions over the film.
  const config = { frasi_pre_video: [], video_playback_rate: 0.5 as const, canzone_inizio_secondi: 2 };
  const evening = await prepare(but(twoTrips, { config }));
  const [film] = await evening.admin.call<MediaItem[]>('GET', '/admin/media/video');
  const captions = { text: CAPTIONS, mode: 'device' };
  await evening.admin.call('POST', `/admin/media/video/${film?.id}/captions`, captions);
  await enter(page, evening, (await evening.code()).token);
  await startVideo(page);

  const drawn = page.getByText(DRAWN);
  await expect.poll(() => probe(page, MODE)).toBe('disabled');
  // As a phone's browser does automatically if captions are enabled.
  await probe(page, `${MODE} = "showing"`);
  await expect(drawn).toBeVisible();
  await expect(drawn).toHaveCSS('font-family', /^"?Fraunces/);
  await expect(drawn).toBeInViewport({ ratio: 1 });
  expect(await probe(page, MODE)).toBe('hidden');
  expect(await probe(page, `${song(1)}.paused && ${song(2)}.paused`)).toBe(true);

  await expectPhrase(page, words.post[0]);
  await expect.poll(() => probe(page, sounds(1))).toBe(true);
  expect(await probe(page, `${song(1)}.currentTime`)).toBeGreaterThan(1.9);
  await phrasesTo(page, words.post, 'Lisbona');
  await downloadTickets(page);
  await answer(page, words.domanda_1, 'Sì');
  await answer(page, words.domanda_2, 'Sì');
  // It fades out, and the second trip's song plays.
  const silent = async () => {
    await advanceClock(page, 0.5);
    return probe(page, `${song(1)}.paused`);
  };
  await expect.poll(silent, { intervals: [100] }).toBe(true);
  await walkSecondTrip(page);
  await expect.poll(() => probe(page, sounds(2))).toBe(true);
  await page.getByRole('button', { name: 'Biglietti', exact: true }).tap();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'Biglietti' })).toBeVisible();
  await page.getByRole('button', { name: 'Chiudi' }).tap();
  await answer(page, words.domanda_1_viaggio_2, 'No');
  await answer(page, words.domanda_2_viaggio_2, 'Sì');
  await phrases(page, words.final);
  await inTime(page, page.getByRole('button', { name: 'Ho un codice' }));
  await expect(page).toHaveURL(`${evening.server.url}/`);
  expect(await answersOf(evening)).toEqual([
    { viaggio: 1, risposta_1: true, risposta_2: true },
    { viaggio: 2, risposta_1: false, risposta_2: true },
  ]);
});
