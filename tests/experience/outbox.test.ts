import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Visit } from '../../src/contract/visit.ts';
import type { Position } from '../../src/domain/stage-content.ts';
import type { NetworkEvent } from '../../src/experience/events.ts';
import { comparePositions } from '../../src/experience/merge-visit.ts';
import { createOutbox } from '../../src/experience/outbox.ts';
import type { CallResult, RefusalCode } from '../../src/experience/ports.ts';
import { backoffMs } from '../../src/experience/timings.ts';
import { oneTrip } from './support/content.ts';
import { serverOf } from './support/server.ts';

const VISIT: Visit = serverOf(oneTrip()).visit();
const OK: CallResult<Visit> = { ok: true, value: VISIT };
const positionAt = (step: number, phrase = 0, second = 0): Position => ({ step, phrase, second });
const refusal = (code: RefusalCode): CallResult<Visit> => ({ ok: false, code });

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** An outbox with manually answered requests and manually run timers. */
function outboxOf(random = () => 0) {
  const sent: Position[] = [];
  const told: NetworkEvent[] = [];
  const answers: ((result: CallResult<Visit> | Error) => void)[] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const outbox = createOutbox({
    random,
    onEvent: (event) => told.push(event),
    send: (position) => {
      sent.push(position);
      return new Promise((resolve, reject) => {
        answers.push((result) => (result instanceof Error ? reject(result) : resolve(result)));
      });
    },
    later: (ms, run) => {
      const timer = { ms, run };
      timers.push(timer);
      return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1));
    },
  });
  return {
    outbox,
    sent,
    told,
    timers,
    isBusy: () => answers.length > 0,
    answer: (result: CallResult<Visit> | Error) => (answers.shift()?.(result), settle()),
    ring: () => (timers.shift()?.run(), settle()),
  };
}

test('merges queued positions of one step into the furthest, but not the one being sent', async () => {
  const { outbox, sent, answer } = outboxOf();
  for (const phrase of [0, 1, 3, 2]) outbox.report(positionAt(2, phrase));
  outbox.report(positionAt(3));
  for (const second of [5, 10]) outbox.report(positionAt(3, 0, second));
  for (let i = 0; i < 3; i += 1) await answer(OK);
  expect(sent).toEqual([positionAt(2, 0), positionAt(2, 3), positionAt(3, 0, 10)]);
});

test('retries after 0.5, 1, 2, 4, 8, 8 s and restarts the waits after a success', async () => {
  const { outbox, sent, timers, answer, ring } = outboxOf();
  outbox.report(positionAt(0));
  const waits: (number | undefined)[] = [];
  for (let i = 0; i < 6; i += 1) {
    await answer(i % 2 === 0 ? refusal('NETWORK') : new Error('network'));
    waits.push(timers[0]?.ms);
    await ring();
  }
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000]);
  await answer(OK);
  outbox.report(positionAt(1));
  await answer(refusal('UNAVAILABLE'));
  expect(timers[0]?.ms).toBe(500);
  expect(sent).toHaveLength(8);
});

test('shortens a wait by up to a half by jitter and never lengthens it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, random) => {
        const [longest, shortened] = [backoffMs(failures, 0), backoffMs(failures, random)];
        expect(shortened).toBeLessThanOrEqual(longest);
        expect(shortened).toBeGreaterThanOrEqual(longest / 2 - 1);
        expect(longest).toBeGreaterThanOrEqual(500);
        expect(longest).toBeLessThanOrEqual(8_000);
      },
    ),
  );
});

test('keeps its retry wait for a new position, but not for flushNow', async () => {
  const { outbox, sent, timers, answer } = outboxOf();
  outbox.report(positionAt(0));
  await answer(refusal('NETWORK'));
  outbox.report(positionAt(1));
  expect(sent).toHaveLength(1);
  outbox.flushNow();
  expect(sent).toEqual([positionAt(0), positionAt(0)]);
  expect(timers).toEqual([]);
  outbox.flushNow();
  expect(sent).toHaveLength(2);
  // Closing during the wait cancels the retry.
  await answer(refusal('NETWORK'));
  expect(timers).toHaveLength(1);
  outbox.close();
  expect(timers).toEqual([]);
});

test.each(['STEP_REFUSED', 'BAD_INPUT'] as const)(
  'empties the queue on %s and requests a resync',
  async (code) => {
    const { outbox, sent, told, answer } = outboxOf();
    outbox.report(positionAt(3));
    outbox.report(positionAt(4));
    await answer(refusal(code));
    expect(told).toEqual([{ type: 'RESYNC' }]);
    expect(sent).toHaveLength(1);
    outbox.report(positionAt(1));
    expect(sent).toEqual([positionAt(3), positionAt(1)]);
  },
);

test('reports the end of the visit and a disconnection with its details', async () => {
  const { outbox, told, answer } = outboxOf();
  outbox.report(positionAt(0));
  await answer(refusal('VISIT_ENDED'));
  outbox.report(positionAt(0));
  const disconnection = { reason: 'token_deleted', contatto: '@amica' } as const;
  await answer({ ok: false, code: 'DISCONNECTED', disconnection });
  expect(told).toEqual([
    { type: 'LOAD_FAILED', code: 'VISIT_ENDED' },
    { type: 'DISCONNECTED', ...disconnection },
  ]);
});

test('resolves whenIdle after the reported positions, at once if empty or closed', async () => {
  const { outbox, sent, told, timers, answer } = outboxOf();
  let settled = 0;
  const wait = () => void outbox.whenIdle().then(() => (settled += 1));
  wait();
  await settle();
  expect(settled).toBe(1);
  outbox.report(positionAt(0));
  outbox.report(positionAt(1));
  wait();
  await answer(OK);
  expect(settled).toBe(1);
  await answer(OK);
  expect(settled).toBe(2);
  outbox.report(positionAt(2));
  wait();
  outbox.close();
  await settle();
  expect(settled).toBe(3);
  await answer(OK);
  outbox.report(positionAt(3));
  expect([sent.length, told.length, timers]).toEqual([3, 2, []]);
});

test('sends in order, one at a time, without missing a step, on any network', async () => {
  const reports = fc
    .array(fc.record({ step: fc.nat(1), phrase: fc.nat(1), second: fc.nat(1) }), {
      minLength: 1,
      maxLength: 20,
    })
    .map((moves) => {
      const now = { step: 0, phrase: 0, second: 0 };
      return moves.map((move) => {
        if (move.step > 0) Object.assign(now, { step: now.step + 1, phrase: 0, second: 0 });
        else Object.assign(now, { phrase: now.phrase + move.phrase, second: now.second + move.second });
        return { ...now };
      });
    });
  const turns = fc.infiniteStream(fc.constantFrom('report', 'ok', 'lost', 'throw', 'ring', 'nudge'));
  await fc.assert(
    fc.asyncProperty(reports, turns, async (places, choices) => {
      const { outbox, sent, answer, ring, isBusy, timers } = outboxOf();
      const arrived: Position[] = [];
      const waiting = [...places];
      for (let turn = 0; turn < 2_000 && (waiting.length > 0 || isBusy() || timers.length > 0); turn += 1) {
        const choice = turn < 200 ? choices.next().value : ['report', 'ok', 'ring'][turn % 3];
        const under = sent.at(-1);
        if (choice === 'report' && waiting.length > 0) outbox.report(waiting.shift() as Position);
        if (choice === 'ring') await ring();
        if (choice === 'nudge') outbox.flushNow();
        if (!isBusy() || under === undefined) continue;
        if (choice === 'ok') arrived.push(sent.at(-1) as Position);
        if (choice === 'ok') await answer(OK);
        if (choice === 'lost') await answer(refusal('NETWORK'));
        if (choice === 'throw') await answer(new Error('cut'));
      }
      expect(arrived).toEqual([...arrived].toSorted(comparePositions));
      expect(new Set(arrived.map(({ step }) => step))).toEqual(new Set(places.map(({ step }) => step)));
      for (const { step } of arrived) {
        const last = arrived.filter((other) => other.step === step).at(-1);
        expect(last).toEqual(places.filter((other) => other.step === step).at(-1));
      }
      await outbox.whenIdle();
    }),
    { numRuns: 200 },
  );
});
