import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { itinerary } from '../../src/domain/itinerary.ts';
import { currentPhrase, currentStage, videoSecond } from '../../src/experience/selectors.ts';
import { visibleTimer } from '../../src/experience/visible-timer.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { type Device, type Evening, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live } from './support/visitor.ts';

/** Tests of an evening that is left and resumed, and of a page that is hidden and shown. */

const STEPS = itinerary(twoTrips()).map(({ stage, viaggio }, step) => ({ step, stage, viaggio }));
const page = async (...server: Parameters<typeof serverOf>) => {
  const opened = openPage(serverOf(...server));
  await opened.pass(0);
  return opened;
};
const untilScreen = (name: string) => ({ until: ({ screen }: Evening) => screen() === name });

test.each(STEPS)(
  'resumes a visit left at $stage of trip $viaggio there and reaches its end',
  async ({ step, stage, viaggio }) => {
    const device: Device = new Map();
    const first = openPage(serverOf(twoTrips()), { device });
    await live(first, { until: ({ snapshot }) => currentStage(snapshot())?.step === step });
    first.close();
    const second = openPage(first.server, { device });
    await second.pass(0);
    expect(currentStage(second.snapshot())).toMatchObject({ step, content: { stage, viaggio } });
    await live(second);
    expect([second.snapshot().matches('ended'), second.server.state.completed]).toEqual([true, true]);
  },
);

test('restarts an interrupted phrase, then shows the next; beyond the last, the last one', async () => {
  const evening = await page(twoTrips(), { step: 2, phrase: 1, second: 0 });
  const phrase = () => currentPhrase(evening.snapshot());
  expect(phrase()).toMatchObject({ text: 'Il', index: 1, total: 3, seconds: 6 });
  await evening.pass(5_950);
  expect(phrase()?.index).toBe(1);
  await evening.pass(50);
  expect(phrase()).toMatchObject({ text: 'Il', resting: true });
  await evening.pass(900);
  expect(phrase()).toMatchObject({ text: 'Video', index: 2, resting: false });
  const beyond = await page(twoTrips(), { step: 2, phrase: 999, second: 0 });
  expect(currentPhrase(beyond.snapshot())?.index).toBe(2);
});

test('resumes the video at its second and starts the next stage at its first phrase', async () => {
  const evening = await page(twoTrips(), { step: 1, phrase: 0, second: 37.5 });
  expect([evening.screen(), videoSecond(evening.snapshot())]).toEqual(['video', 37.5]);
  evening.send({ type: 'VIDEO_ENDED' });
  expect(currentPhrase(evening.snapshot())?.index).toBe(0);
});

test('resumes at the questions after the download, not at the card', async () => {
  const first = openPage(serverOf(oneTrip()));
  await live(first, untilScreen('card'));
  first.send({ type: 'DOWNLOAD' });
  await first.pass(0);
  first.close();
  const second = openPage(first.server);
  await second.pass(0);
  expect(second.screen()).toBe('questions');
});

test('resumes at the server position after a refused step, and reloads for another visit', async () => {
  const evening = openPage(serverOf(twoTrips()));
  const { state } = evening.server;
  await live(evening, untilScreen('destination'));
  const resumes = () => state.calls.filter((call) => call === 'resume').length;
  const before = resumes();
  evening.send({ type: 'CONTENT', visit: { ...evening.server.visit(), session_id: 'other' } });
  await evening.pass(0);
  expect(resumes()).toBe(before + 1);
  state.position = { step: 0, phrase: 1, second: 0 };
  await evening.pass(6_800);
  expect([currentStage(evening.snapshot())?.step, currentPhrase(evening.snapshot())?.index]).toEqual([0, 1]);
  await live(evening);
  expect(state.completed).toBe(true);
});

const at = async (screen: string, evening = openPage(serverOf(twoTrips()))): Promise<Evening> => {
  await live(evening, { until: ({ screens }) => screens.at(-1)?.screen.startsWith(screen) === true });
  return evening;
};
/** Waits until the current line has been on screen for `ms`. */
const stay = (evening: Evening, ms: number) =>
  evening.pass(ms - (evening.clock.now() - (evening.screens.at(-1)?.at ?? 0)));

async function hide(evening: Evening, ms: number): Promise<void> {
  evening.send({ type: 'HIDDEN' });
  await evening.pass(ms);
  evening.send({ type: 'SHOWN' });
}

/** Returns the milliseconds until the screen's line changes. */
async function untilChange(evening: Evening): Promise<number> {
  const [start, line] = [evening.clock.now(), evening.screens.at(-1)];
  while (evening.screens.at(-1) === line && evening.clock.now() - start < 100_000) await evening.pass(50);
  return evening.clock.now() - start;
}

test('ends a timer after its visible time, for any sequence of hiding and showing', () => {
  const steps = fc.array(fc.record({ visible: fc.nat(900), hidden: fc.nat(50_000) }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), steps, fc.boolean(), (ms, stretches, beganHidden) => {
      const clock = new SimulatedClock();
      const input = { ms, hidden: beganHidden, now: () => clock.now() };
      const timer = createActor(visibleTimer, { clock, input }).start();
      const status = () => timer.getSnapshot().status;
      const stay = (left: number) => {
        for (let passed = 0; passed < left; passed++) clock.increment(1);
      };
      if (beganHidden) clock.increment(60_000);
      let seen = 0;
      for (const { visible, hidden } of stretches) {
        if (seen >= ms) break;
        timer.send({ type: 'SHOWN' });
        stay(visible);
        seen += visible;
        expect(status()).toBe(seen >= ms ? 'done' : 'active');
        if (seen < ms) timer.send({ type: 'HIDDEN' });
        clock.increment(hidden);
      }
      if (seen >= ms) return;
      timer.send({ type: 'SHOWN' });
      stay(ms - seen - 1);
      expect(status()).toBe('active');
      clock.increment(1);
      expect(status()).toBe('done');
    }),
  );
});

test('counts half a second of the time for which a page was frozen', () => {
  const clock = new SimulatedClock();
  const input = { ms: 4_000, hidden: false, now: () => clock.now() };
  const timer = createActor(visibleTimer, { clock, input }).start();
  clock.increment(60_000);
  for (let passed = 0; passed < 3_499; passed++) clock.increment(1);
  expect(timer.getSnapshot().status).toBe('active');
  clock.increment(1);
  expect(timer.getSnapshot().status).toBe('done');
});

test.each<[string, number, number, Evening?]>([
  ['pre_phrases 1: Prima', 2_000, 4_000],
  ['phrases 1: Video …', 400, 600],
  ['destination 1', 1_500, 5_300],
  ['closing 1', 500, 1_500, openPage(serverOf(oneTrip({ config: { frasi_finali: null } })))],
])(
  'leaves to %s, hidden after %i ms, %i ms when it is shown again',
  async (screen, before, left, evening) => {
    const opened = await at(screen, evening);
    await stay(opened, before);
    await hide(opened, 600_000);
    expect(opened.screens.at(-1)?.screen.startsWith(screen)).toBe(true);
    expect(await untilChange(opened)).toBe(left);
  },
);

test('restarts a phrase that started on a hidden page and continues one that was visible', async () => {
  const evening = await at('video 1');
  evening.send({ type: 'HIDDEN' });
  evening.send({ type: 'VIDEO_ENDED' });
  await evening.pass(30_000);
  const unseen = currentPhrase(evening.snapshot());
  expect(unseen).toMatchObject({ text: 'Dopo', index: 0, paused: true });
  evening.send({ type: 'SHOWN' });
  const seen = currentPhrase(evening.snapshot());
  expect(seen).toMatchObject({ text: 'Dopo', index: 0, paused: false });
  expect(seen?.run).not.toBe(unseen?.run);
  await evening.pass(1_000);
  await hide(evening, 1_000);
  expect(currentPhrase(evening.snapshot())?.run).toBe(seen?.run);
  expect(await untilChange(evening)).toBe(5_000);
  // An evening opened in a hidden page waits with its full time.
  const hidden = openPage(serverOf(twoTrips()), { hidden: true });
  await hidden.pass(300_000);
  expect(hidden.screens.at(-1)?.screen).toBe('pre_phrases 1: Prima');
  hidden.send({ type: 'SHOWN' });
  expect(await untilChange(hidden)).toBe(6_000);
});
