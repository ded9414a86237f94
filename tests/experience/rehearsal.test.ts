import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { itinerary } from '../../src/domain/itinerary.ts';
import {
  type CurrentPhrase,
  currentPhrase,
  currentStage,
  pictureSeconds,
} from '../../src/experience/selectors.ts';
import { anyEvening } from './support/arbitraries.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { type Evening, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { act, live, VISITOR } from './support/visitor.ts';

/** Skips each stage that can be skipped and answers the questions; returns the labels of all screens. */
async function skipThrough(page: Evening, answers: readonly [boolean, boolean]): Promise<string[]> {
  await page.pass(0);
  for (let turns = 0; !page.isOver(); turns += 1) {
    if (turns > 200) throw new Error(`The rehearsal hangs: ${JSON.stringify(page.screens)}`);
    if (page.snapshot().can({ type: 'SKIP' })) page.send({ type: 'SKIP' });
    else act(page, { ...VISITOR, answers }, 0);
    await page.pass(50);
  }
  return page.screens.map(({ screen }) => screen);
}

test('skips through any evening, showing every stage in order without waiting', async () => {
  await fc.assert(
    fc.asyncProperty(anyEvening, fc.boolean(), fc.boolean(), async (snapshot, one, two) => {
      const server = serverOf(snapshot);
      const page = openPage(server, { rehearsal: { speed: 1 } });
      const seen: number[] = [];
      page.actor.subscribe((now) => {
        const step = currentStage(now)?.step;
        if (step !== undefined && seen.at(-1) !== step) seen.push(step);
      });
      await skipThrough(page, [one, two]);
      expect(seen).toEqual(itinerary(snapshot).map((_, step) => step));
      expect(server.state.completed).toBe(true);
      const asking = itinerary(snapshot).filter(({ stage }) => stage === 'questions');
      expect(server.state.stored).toEqual(
        asking.map(({ viaggio }) => ({ viaggio, risposta_1: one, risposta_2: two })),
      );
      expect(page.clock.now()).toBeLessThanOrEqual((seen.length + 4) * 50);
    }),
    { numRuns: 60 },
  );
});

test('ignores skip, next phrase and pace events of a visitor', async () => {
  const pressing = (evening: Evening) => {
    for (const event of [{ type: 'SKIP' }, { type: 'NEXT_PHRASE' }, { type: 'PACE', pace: 0.01 }] as const) {
      expect(evening.snapshot().can(event)).toBe(false);
      evening.send(event);
    }
  };
  const alone = openPage(serverOf(twoTrips()));
  await live(alone);
  const pressed = openPage(serverOf(twoTrips()));
  await live(pressed, { each: pressing });
  expect(pressed.screens).toEqual(alone.screens);
  expect(pressed.log).toEqual(alone.log);
});

test('runs a rehearsal at normal speed like a visit, to the millisecond', async () => {
  const evening = openPage(serverOf(twoTrips()));
  await live(evening);
  const rehearsal = openPage(serverOf(twoTrips()), { rehearsal: { speed: 1 } });
  await live(rehearsal);
  expect(rehearsal.screens).toEqual(evening.screens);
  expect(rehearsal.log).toEqual(evening.log);
});

test('stops a skipped film, starts the song and shows the next stage', async () => {
  const page = openPage(serverOf(oneTrip()), { rehearsal: { speed: 1 } });
  await live(page, { until: ({ screen }) => screen() === 'video' });
  page.send({ type: 'SKIP' });
  await page.pass(0);
  expect(page.screens.at(-1)?.screen).toBe('phrases 1: Dopo');
  const media = page.log.map(({ call }) => call).filter((call) => /^(song|video)\./.test(call));
  expect(media).toEqual(['video.stop', 'song.start']);
});

test('moves one phrase at a time: the next, the pause after the last, the next stage', async () => {
  const page = openPage(serverOf(oneTrip()), { rehearsal: { speed: 1 } });
  await live(page, { until: ({ screen }) => screen() === 'video' });
  page.send({ type: 'SKIP' });
  await page.pass(0);
  for (let taps = 0; taps < 4; taps += 1) {
    page.send({ type: 'NEXT_PHRASE' });
    await page.pass(0);
  }
  expect(page.screens.slice(-5).map(({ screen }) => screen)).toEqual([
    'phrases 1: Dopo',
    'phrases 1: Il',
    'phrases 1: Video',
    'phrases 1: Video …',
    'destination 1',
  ]);
});

// The page of the rehearsal sets the number (visitor/rehearsal/evening.tsx).
test('multiplies every time of the flow by a quarter in fast mode, also on screen', async () => {
  const at = (pace: number) => openPage(serverOf(twoTrips()), { rehearsal: { speed: pace } });
  const [slow, fast] = [at(1), at(0.25)];
  const seconds: (CurrentPhrase['seconds'] | undefined)[] = [];
  fast.actor.subscribe((now) => {
    if (currentPhrase(now) !== null) seconds.push(currentPhrase(now)?.seconds);
    if (currentStage(now)?.content.stage === 'destination') expect(pictureSeconds(now)).toBe(1.7);
  });
  const visitor = { ...VISITOR, videoSeconds: 0 };
  await live(slow, { visitor, tickMs: 25 });
  await live(fast, { visitor, tickMs: 25 });
  expect(fast.screens.map(({ screen }) => screen)).toEqual(slow.screens.map(({ screen }) => screen));
  expect(new Set(seconds)).toEqual(new Set([1.5]));
  const lasted = (page: Evening) => page.screens.at(-1)?.at ?? 0;
  expect(lasted(fast) / lasted(slow)).toBeGreaterThan(0.24);
  expect(lasted(fast) / lasted(slow)).toBeLessThan(0.27);
});

test('applies a changed pace to the next timer, not to the running one', async () => {
  const page = openPage(serverOf(oneTrip()), { rehearsal: { speed: 1 } });
  await page.pass(1_000);
  page.send({ type: 'PACE', pace: 0.25 });
  await live(page, { until: ({ screen }) => screen() === 'video' });
  expect(page.screens.map(({ at, screen }) => [at, screen])).toEqual([
    [0, 'loading'],
    [0, 'pre_phrases 1'],
    [0, 'pre_phrases 1: Prima'],
    [6_000, 'pre_phrases 1: Prima …'],
    [6_250, 'pre_phrases 1: Del video'],
    [7_750, 'video 1'],
  ]);
});
