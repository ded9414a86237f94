import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActor, SimulatedClock } from 'xstate';
import { currentPhrase } from '../../src/experience/selectors.ts';
import { visibleTimer } from '../../src/experience/visible-timer.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { type Evening, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live } from './support/visitor.ts';

const at = async (screen: string, page = openPage(serverOf(twoTrips()))): Promise<Evening> => {
  await live(page, { until: ({ screens }) => screens.at(-1)?.screen.startsWith(screen) === true });
  return page;
};

/** Lets pass what is missing until the line on the screen has been there for `ms`. */
const stay = (page: Evening, ms: number) =>
  page.pass(ms - (page.clock.now() - (page.screens.at(-1)?.at ?? 0)));

async function hide(page: Evening, ms: number): Promise<void> {
  page.send({ type: 'HIDDEN' });
  await page.pass(ms);
  page.send({ type: 'SHOWN' });
}

/** Milliseconds until the screen's line changes. */
async function untilChange(page: Evening): Promise<number> {
  const [start, line] = [page.clock.now(), page.screens.at(-1)];
  while (page.screens.at(-1) === line && page.clock.now() - start < 100_000) await page.pass(50);
  return page.clock.now() - start;
}

test('the timer is done after its visible time, however the page is hidden and shown', () => {
  const steps = fc.array(fc.record({ visible: fc.nat(900), hidden: fc.nat(50_000) }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), steps, fc.boolean(), (ms, stretches, beganHidden) => {
      const clock = new SimulatedClock();
      const timer = createActor(visibleTimer, {
        clock,
        input: { ms, hidden: beganHidden, now: () => clock.now() },
      }).start();
      if (beganHidden) clock.increment(60_000);
      let seen = 0;
      for (const { visible, hidden } of stretches) {
        if (seen >= ms) break;
        timer.send({ type: 'SHOWN' });
        clock.increment(visible);
        seen += visible;
        expect(timer.getSnapshot().status).toBe(seen >= ms ? 'done' : 'active');
        if (seen < ms) timer.send({ type: 'HIDDEN' });
        clock.increment(hidden);
      }
      if (seen >= ms) return;
      timer.send({ type: 'SHOWN' });
      clock.increment(ms - seen - 1);
      expect(timer.getSnapshot().status).toBe('active');
      clock.increment(1);
      expect(timer.getSnapshot().status).toBe('done');
    }),
  );
});

test.each([
  ['pre_phrases 1: Prima', 2_000, 4_000],
  ['phrases 1: Video …', 400, 600],
  ['destination 1', 1_500, 3_500],
  ['closing 2: Fine', 5_950, 50],
  ['closing 2: Davvero …', 1_000, 2_000],
])('%s, hidden after %i ms, has %i ms left when it is shown again', async (screen, before, left) => {
  const page = await at(screen);
  await stay(page, before);
  await hide(page, 10_000);
  expect(page.screens.at(-1)?.screen.startsWith(screen)).toBe(true);
  expect(await untilChange(page)).toBe(left);
});

test('the closing phrase of a single trip and the notice in its place count visible time', async () => {
  const phrase = await at('closing 1: Sì sì', openPage(serverOf(oneTrip())));
  await stay(phrase, 19_000);
  await hide(phrase, 600_000);
  expect(await untilChange(phrase)).toBe(1_000);

  const notice = await at('closing 1', openPage(serverOf(oneTrip({ config: { frasi_finali: null } }))));
  await stay(notice, 500);
  await hide(notice, 600_000);
  expect(await untilChange(notice)).toBe(1_500);
});

test('the 1.5 s after the download wait for the visitor to come back from the tickets', async () => {
  const page = await at('card 1');
  page.send({ type: 'DOWNLOAD' });
  await page.pass(300);
  await hide(page, 120_000);
  await page.pass(1_150);
  expect(page.screen()).toBe('card');
  await page.pass(50);
  expect(page.screen()).toBe('questions');
});

test('a phrase that began on a hidden page begins anew when it is shown', async () => {
  const page = await at('video 1');
  page.send({ type: 'HIDDEN' });
  page.send({ type: 'VIDEO_ENDED' });
  await page.pass(30_000);
  const unseen = currentPhrase(page.snapshot());
  expect(unseen).toMatchObject({ text: 'Dopo', index: 0, paused: true });
  page.send({ type: 'SHOWN' });
  const seen = currentPhrase(page.snapshot());
  expect(seen).toMatchObject({ text: 'Dopo', index: 0, paused: false });
  expect(seen?.run).not.toBe(unseen?.run);
  expect(await untilChange(page)).toBe(6_000);
});

test('a phrase that was seen goes on and is not begun anew', async () => {
  const page = await at('pre_phrases 1: Prima');
  const run = currentPhrase(page.snapshot())?.run;
  await page.pass(1_000);
  await hide(page, 1_000);
  expect(currentPhrase(page.snapshot())?.run).toBe(run);
});

test('an evening opened in a hidden page waits whole', async () => {
  const page = openPage(serverOf(twoTrips()), { hidden: true });
  await page.pass(300_000);
  expect(page.screens.at(-1)?.screen).toBe('pre_phrases 1: Prima');
  page.send({ type: 'SHOWN' });
  expect(await untilChange(page)).toBe(6_000);
});
