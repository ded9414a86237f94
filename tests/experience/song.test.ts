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
    'until the closing, where nothing is asked',
    oneTrip({ questions: NO_QUESTIONS }),
    'start at 24.9, fade at 54, stop at 56',
  ],
  ['never where there is none', twoTrips({ config: { canzone_url: null } }), 'stop at 108.1'],
])('plays %s', async (_when, snapshot, song) => {
  expect((await songOf(snapshot)).join(', ')).toBe(song);
});

test('plays at each stage after a resume as without one', async () => {
  const answers = ([1, 2] as const).map((viaggio) => ({ viaggio, risposta_1: true, risposta_2: true }));
  const starts: number[] = [];
  for (const step of itinerary(twoTrips()).keys()) {
    const stored = answers.slice(0, step > 10 ? 2 : step > 5 ? 1 : 0);
    const page = openPage(serverOf(twoTrips(), { step, phrase: 0, second: 0 }, stored));
    await page.pass(0);
    expect(currentStage(page.snapshot())?.step).toBe(step);
    starts.push(page.calls('song.start').length);
  }
  expect(starts).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
});

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
