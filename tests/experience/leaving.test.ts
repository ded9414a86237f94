import { expect, test } from 'vitest';
import { exitPoint } from '../../src/domain/itinerary.ts';
import {
  availableTickets,
  currentStage,
  disconnectionOf,
  exitPointOf,
  exitReason,
  isEnding,
  thanksOf,
} from '../../src/experience/selectors.ts';
import { LOADING_ATTEMPTS } from '../../src/experience/timings.ts';
import { oneTrip, twoTrips } from './support/content.ts';
import { type Evening, openPage } from './support/evening.ts';
import { serverOf } from './support/server.ts';
import { live, pageAt } from './support/visitor.ts';

const REVOKED = { type: 'DISCONNECTED', reason: 'token_revoked', contatto: '@amica' } as const;

/** Brings a new page into each kind of state. */
const MOMENTS: Record<string, (page: Evening) => Promise<void>> = {
  loading: async () => {},
  video: (page) => live(page, { until: ({ screen }) => screen() === 'video' }),
  unsent: async (page) => {
    await live(page, { until: ({ screen }) => screen() === 'questions' });
    page.server.state.network = 'lost';
    await live(page, { until: ({ snapshot }) => snapshot().matches({ evening: { questions: 'unsent' } }) });
  },
  completing: async (page) => {
    await live(page, { until: ({ screen }) => screen() === 'closing' });
    page.server.state.network = 'lost';
    await live(page, { until: ({ snapshot }) => snapshot().matches({ evening: 'completing' }) });
  },
};

const callsSince = ({ log }: Evening, entry: number) => log.slice(entry).map(({ call }) => call);

test.each(Object.keys(MOMENTS))(
  'handles a code revoked during %s: notice and silence at once, exit after 2 s',
  async (moment) => {
    const page = openPage(serverOf(twoTrips()));
    await MOMENTS[moment]?.(page);
    const before = page.log.length;
    page.send(REVOKED);
    expect([page.screen(), currentStage(page.snapshot())]).toEqual(['disconnected', null]);
    expect(disconnectionOf(page.snapshot())).toEqual({ reason: 'token_revoked', contatto: '@amica' });
    const after = page.log.slice(before);
    expect(after.map(({ call }) => call)).toEqual(expect.arrayContaining(['song.stop', 'video.stop']));
    expect(after.filter(({ call }) => call === 'notify').map(({ detail }) => detail)).toEqual([
      { kind: 'disconnected', reason: 'token_revoked', contatto: '@amica' },
    ]);
    page.send(REVOKED);
    await page.pass(1_950);
    expect(exitReason(page.snapshot())).toBeNull();
    await page.pass(50);
    expect(exitReason(page.snapshot())).toEqual({ because: 'disconnected' });
    await page.pass(60_000);
    expect(
      page.calls('notify').filter(({ detail }) => (detail as { kind: string }).kind === 'disconnected'),
    ).toHaveLength(1);
    expect(
      page.log.slice(before).some(({ call }) => ['song.start', 'report', 'sendAnswers'].includes(call)),
    ).toBe(false);
  },
);

test.each([
  ['DISCONNECTED', null, [{ kind: 'disconnected', reason: 'token_revoked', contatto: null }]],
  ['NO_VISIT', { because: 'expelled' }, []],
  [
    'CONFIG_MISSING',
    { because: 'failed', code: 'CONFIG_MISSING' },
    [{ kind: 'failed', code: 'CONFIG_MISSING' }],
  ],
  [
    'VIDEO_MISSING',
    { because: 'failed', code: 'VIDEO_MISSING' },
    [{ kind: 'failed', code: 'VIDEO_MISSING' }],
  ],
] as const)('leaves with one notice if loading is refused with %s', async (code, way, notices) => {
  const server = serverOf(twoTrips());
  server.state.refuseAll = code;
  const page = openPage(server);
  await page.pass(0);
  expect([exitReason(page.snapshot()), page.calls('notify').map(({ detail }) => detail)]).toEqual([
    way,
    notices,
  ]);
  expect(page.screen() === 'disconnected').toEqual(code === 'DISCONNECTED');
  expect(page.calls('reportError')).toEqual([]);
});

test('expels the page if its visit ended elsewhere (another tab, reply to a position)', async () => {
  const page = await pageAt('phrases', twoTrips());
  page.server.state.completed = true;
  const before = page.log.length;
  await page.pass(6_900);
  expect(exitReason(page.snapshot())).toEqual({ because: 'expelled' });
  expect(callsSince(page, before)).toEqual(expect.arrayContaining(['song.stop', 'video.stop']));
});

test('reports a failed video once, leaves, and can resume the visit', async () => {
  const server = serverOf(twoTrips());
  const page = openPage(server);
  await live(page, { until: ({ screen }) => screen() === 'video' });
  const before = page.log.length;
  page.send({ type: 'VIDEO_FAILED' });
  expect(exitReason(page.snapshot())).toEqual({ because: 'failed', code: 'VIDEO_FAILED' });
  expect(callsSince(page, before)).toEqual(expect.arrayContaining(['song.stop', 'video.stop']));
  expect(page.calls('reportError').map(({ detail }) => detail)).toEqual(['video']);
  const again = openPage(server);
  await again.pass(0);
  expect(again.screen()).toBe('video');
});

test('shows that the network is missing and retries until closed, 0.5 to 8 s apart', async () => {
  const server = serverOf(twoTrips());
  server.state.network = 'lost';
  const page = openPage(server);
  await page.pass(0);
  expect(page.screen()).toBe('offline');
  await page.pass(15_500);
  expect(server.state.calls).toHaveLength(6);
  await page.pass(80_000);
  expect(server.state.calls).toHaveLength(16);
  server.state.network = 'up';
  page.send({ type: 'RETRY' });
  await page.pass(0);
  expect(page.screen()).toBe('pre_phrases');
});

test('gives up after some replies without a visit, not counting network failures before', async () => {
  const server = serverOf(twoTrips());
  server.state.network = 'lost';
  const page = openPage(server);
  await page.pass(60_000);
  const before = server.state.calls.length;
  server.state.network = 'up';
  server.state.refuseAll = 'INTERNAL';
  await page.pass(60_000);
  expect(server.state.calls).toHaveLength(before + LOADING_ATTEMPTS);
  expect(exitReason(page.snapshot())).toEqual({ because: 'failed', code: 'LOADING' });
  expect(page.calls('reportError').map(({ detail }) => detail)).toEqual(['loading']);
});

test('shows the closing without a network and ends after five attempts', async () => {
  const page = await pageAt('closing', oneTrip());
  expect(isEnding(page.snapshot())).toBe(false);
  expect(availableTickets(page.snapshot())).toHaveLength(1);
  await MOMENTS['completing']?.(page);
  expect(availableTickets(page.snapshot())).toEqual([]);
  const start = page.clock.now();
  expect(isEnding(page.snapshot())).toBe(true);
  expect(page.screen()).toBe('closing');
  expect(exitPointOf(page.snapshot())).toBe('after_checkboxes');
  expect(currentStage(page.snapshot())).toMatchObject({
    step: 6,
    content: { stage: 'closing', frase: 'Sì sì' },
  });
  await live(page);
  expect(exitReason(page.snapshot())).toEqual({ because: 'ended' });
  expect(page.clock.now() - start).toBe(500 + 1_000 + 2_000 + 4_000);
  expect(page.calls('complete')).toHaveLength(5);
});

test('reports the exit point of the previous stage while content is missing', async () => {
  const page = await pageAt('video', oneTrip());
  page.server.state.network = 'lost';
  await live(page, { until: ({ screen }) => screen() === 'waiting' });
  expect(exitPointOf(page.snapshot())).toBe('during_post_phrases');
});

test('treats a retry on a closed visit as completed', async () => {
  const page = await pageAt('closing', oneTrip());
  page.server.state.network = 'unanswered';
  await live(page, { until: ({ server }) => server.state.completed });
  page.server.state.network = 'up';
  await live(page);
  expect(exitReason(page.snapshot())).toEqual({ because: 'ended' });
  expect(page.calls('complete')).toHaveLength(2);
});

test('reports the exit point of each stage, and after the answers that of the end', async () => {
  const page = openPage(serverOf(twoTrips()));
  const points = new Set<string>();
  await live(page, {
    each: ({ snapshot }) => {
      const { content } = currentStage(snapshot()) ?? expect.unreachable();
      const expected = thanksOf(snapshot()) === null ? exitPoint(content) : 'after_checkboxes';
      expect(exitPointOf(snapshot())).toBe(expected);
      points.add(expected);
    },
  });
  expect(points.size).toBe(4);
});
