import { expect, test } from 'vitest';
import { NO_QUESTIONS } from '../../src/domain/configuration.ts';
import type { Snapshot } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { currentStage } from '../../src/experience/selectors.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live, pageAt } from './support/visitor.ts';

/** Returns the calls to the song in a complete evening, each with its second. */
async function songOf(snapshot: Snapshot): Promise<string[]> {
  const page = openPage(serverOf(snapshot));
  await live(page);
  return page.log
    .filter(({ call }) => call.startsWith('song.'))
    .map(({ at, call }) => `${call.slice(5)} at ${at / 1_000}`);
}

const noPhrases = { frasi_tra_viaggi: [], frasi_secondo_viaggio: [] };

test.each<[string, Snapshot, song: string]>([
  ['from the end of the video to the answers', oneTrip(), 'start at 24.9, fade at 54, stop at 79'],
  [
    'again for the in-between phrases, until the second answers',
    twoTrips(),
    'start at 24.9, fade at 54, start at 59, fade at 87.2, stop at 108.1',
  ],
  [
    'again for a second trip of phrases only',
    twoTrips({ config: { frasi_tra_viaggi: [] } }),
    'start at 24.9, fade at 54, start at 59, fade at 81.2, stop at 102.1',
  ],
  [
    'no more for a second trip without phrases',
    twoTrips({ config: noPhrases }),
    'start at 24.9, fade at 54, stop at 88.2',
  ],
  [
    'with what comes after the video, where there are no phrases',
    oneTrip({ config: { frasi: [], immagine_destinazione_url: null } }),
    'start at 24.9, fade at 26.45, stop at 51.45',
  ],
  [
    'until the closing, where nothing is asked',
    oneTrip({ questions: NO_QUESTIONS }),
    'start at 24.9, fade at 54, stop at 56',
  ],
  [
    'between the trips, where nothing is asked',
    twoTrips({ questions: NO_QUESTIONS }),
    'start at 24.9, fade at 82.2, stop at 98.1',
  ],
  ['never where there is none', twoTrips({ config: { canzone_url: null } }), 'stop at 108.1'],
])('plays %s', async (_when, snapshot, song) => {
  expect((await songOf(snapshot)).join(', ')).toBe(song);
});

test('plays the song as trip 1 in the first trip and as trip 2 in the second', async () => {
  const page = openPage(serverOf(twoTrips()));
  await live(page);
  expect(page.calls('song.start').map(({ detail }) => detail)).toEqual([
    { url: '/song.mp3', viaggio: 1 },
    { url: '/song.mp3', viaggio: 2 },
  ]);
});

const SOUNDS: Record<string, boolean> = {
  pre_phrases: false,
  video: false,
  'phrases 1': true,
  'destination 1': true,
  'card 1': true,
  'questions 1': true,
  'between_phrases 2': true,
  'phrases 2': true,
  'destination 2': true,
  'card 2': true,
  'questions 2': true,
  'closing 2': false,
};

test.each(itinerary(twoTrips()).map(({ stage, viaggio }, step) => ({ stage, viaggio, step })))(
  'plays the same at $stage of trip $viaggio after a resume as without one',
  async ({ stage, viaggio, step }) => {
    const both = { risposta_1: true, risposta_2: true };
    const answers = [
      { viaggio: 1 as const, ...both },
      { viaggio: 2 as const, ...both },
    ];
    const storedAnswers = answers.slice(0, step > 11 ? 2 : step > 5 ? 1 : 0);
    const server = serverOf(
      twoTrips(),
      { step, phrase: 0, second: 0 },
      storedAnswers.slice(0, stage === 'closing' ? 2 : 1),
    );
    if (step <= 5) server.state.answers.clear();
    const page = openPage(server);
    await page.pass(0);
    expect(currentStage(page.snapshot())?.step).toBe(step);
    const expected = SOUNDS[stage] ?? SOUNDS[`${stage} ${viaggio}`];
    expect(page.calls('song.start')).toHaveLength(expected === true ? 1 : 0);
  },
);

test('stops the video before the song starts, also on a resync', async () => {
  const page = await pageAt('video', oneTrip());
  page.server.state.position = { step: 2, phrase: 0, second: 0 };
  page.send({ type: 'RESYNC' });
  await page.pass(0);
  expect(page.screen()).toBe('phrases');
  expect(page.log.map(({ call }) => call).filter((call) => /song|video/.test(call))).toEqual([
    'video.stop',
    'song.start',
  ]);
});

test('silences the song before returning to the video (the server lost its position)', async () => {
  const page = await pageAt('destination', twoTrips());
  page.server.state.position = { step: 1, phrase: 0, second: 3 };
  page.send({ type: 'RESYNC' });
  await page.pass(0);
  expect(page.screen()).toBe('video');
  expect(page.log.filter(({ call }) => call.startsWith('song.')).map(({ call }) => call)).toEqual([
    'song.start',
    'song.stop',
  ]);
});
