import { call, ORPCError } from '@orpc/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closingPhrase } from '../../src/domain/closing.ts';
import type { Snapshot } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import type { Position } from '../../src/domain/position.ts';
import type { TripAnswers } from '../../src/experience/ports.ts';
import { rehearsedContent } from '../../src/server/features/rehearsal/rehearsal.service.ts';
import { requireSpectator, type Spectator } from '../../src/server/features/rehearsal/spectator.ts';
import type { RequestContext } from '../../src/server/http/orpc.ts';
import { isRefused } from '../../src/server/refused.ts';
import { router } from '../../src/server/router.ts';
import { createLocalVisit, type LocalVisit } from '../../src/web/visitor/local/local-visit.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { browserOf } from '../support/product.ts';
import { snapshots } from '../support/snapshots.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

/** What a browser can ask of a visit, sensible or not. */
type Asked =
  | { ask: 'position'; place: Position }
  | { ask: 'next' }
  | { ask: 'answers'; given: TripAnswers }
  | { ask: 'resume' }
  | { ask: 'complete' };

const place = fc.record({
  step: fc.nat(12),
  phrase: fc.nat(4),
  second: fc.integer({ min: 0, max: 40 }),
});
const given = fc.record({
  viaggio: fc.constantFrom(1 as const, 2 as const),
  risposta_1: fc.boolean(),
  risposta_2: fc.boolean(),
});
const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ ask: 'next' as const }) },
  { weight: 3, arbitrary: given.map((answers) => ({ ask: 'answers' as const, given: answers })) },
  { weight: 2, arbitrary: place.map((there) => ({ ask: 'position' as const, place: there })) },
  { weight: 1, arbitrary: fc.constantFrom({ ask: 'resume' as const }, { ask: 'complete' as const }) },
);
/** Wanders about, then goes to the end as a visitor does. */
const walks = fc.tuple(fc.array(asked, { maxLength: 20 }), given);

let server: TestServer;
let spectator: Spectator;
beforeAll(async () => {
  server = await openTestServer(sqliteDatabase);
  const found = await requireSpectator({
    deps: server.deps,
    headers: new Headers(),
    cookies: { rehearsal: null },
  });
  if (isRefused(found)) throw new Error(found.refused);
  spectator = found;
});
afterAll(() => server.close());

/** Both sides of a walk: the real server's calls on a database, and the rehearsal's visit in the page. */
type Sides = { real: RequestContext; rehearsed: LocalVisit; content: Snapshot };

async function beginBoth(snapshot: Snapshot): Promise<Sides> {
  const seconds = Number.isNaN(snapshot.config.durata_frase_secondi)
    ? 7
    : snapshot.config.durata_frase_secondi;
  await configure(
    server,
    // The playback rates are allowed ones.
    { ...(snapshot.config as Parameters<typeof configure>[1]), durata_frase_secondi: seconds },
    snapshot.questions,
  );
  const content = await rehearsedContent(server.deps, spectator);
  if (isRefused(content)) throw new Error(content.refused);
  const { token } = await makeCode(server);
  const { secret } = await comeIn(server, token);
  // It keeps its cookie whatever happens, so that it can go on asking.
  const real = { ...browserOf(server, secret), clearVisitCookie: () => undefined };
  return { real, rehearsed: createLocalVisit(content), content };
}

/** What the real server says, as the page would hear it; the visit's own names aside. */
async function reallyAsk(context: RequestContext, what: Asked, next: Position) {
  try {
    return { ok: true, value: nameless(await answered(context, what, next)) };
  } catch (error) {
    if (!(error instanceof ORPCError) || !error.defined) throw error;
    return { ok: false, code: error.code };
  }
}

function answered(context: RequestContext, what: Asked, next: Position) {
  switch (what.ask) {
    case 'position':
      return call(router.visit.position, what.place, { context });
    case 'next':
      return call(router.visit.position, next, { context });
    case 'answers':
      return call(router.visit.answers, what.given, { context });
    default:
      return call(router.visit[what.ask], {}, { context });
  }
}

/** A visit without the names that only the server gives; what isn't a visit stays as it is. */
function nameless(value: object): object {
  return { ...value, session_id: null, token_id: null, token_value: null };
}

function askRehearsed(rehearsed: LocalVisit, what: Asked, next: Position) {
  const answer = said(rehearsed, what, next);
  return answer.ok ? { ok: true, value: nameless(answer.value) } : answer;
}

function said(rehearsed: LocalVisit, what: Asked, next: Position) {
  switch (what.ask) {
    case 'position':
      return rehearsed.position(what.place);
    case 'next':
      return rehearsed.position(next);
    case 'answers':
      return rehearsed.answers(what.given);
    default:
      return rehearsed[what.ask]();
  }
}

const begins = (step: number): Position => ({ step, phrase: 0, second: 0 });

test('any configuration, any walk: the rehearsal’s visit says what the server says, word for word, to the end', async () => {
  const ends = { completed: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(snapshots(), walks, async (snapshot, [wandering, last]) => {
      const { real, rehearsed, content } = await beginBoth(snapshot);
      const steps = itinerary(content);
      const both = async (what: Asked) => {
        const now = rehearsed.resume();
        const next = begins(now.ok ? now.value.position.step + 1 : 0);
        const expected = await reallyAsk(real, what, next);
        expect(askRehearsed(rehearsed, what, next)).toEqual(expected);
        if (!expected.ok) ends.refused += 1;
        return expected.ok;
      };
      for (const what of wandering) await both(what);
      for (const viaggio of [1, 2] as const) {
        for (let left = steps.length; left > 0; left -= 1) await both({ ask: 'next' });
        await both({ ask: 'answers', given: { ...last, viaggio } });
      }
      for (let left = steps.length; left > 0; left -= 1) await both({ ask: 'next' });
      if (await both({ ask: 'complete' })) ends.completed += 1;
      await both({ ask: 'resume' });
      await both({ ask: 'complete' });
    }),
    { numRuns: 40 },
  );
  // The walks did get somewhere, and did meet refusals.
  expect(ends.completed).toBeGreaterThan(30);
  expect(ends.refused).toBeGreaterThan(30);
}, 240_000);

test('begun at the questions it is where a visit is that has come so far, with any other answers', async () => {
  await fc.assert(
    fc.asyncProperty(snapshots(), given, async (snapshot, answers) => {
      const steps = itinerary(snapshot);
      const step = steps.findIndex(({ stage }) => stage === 'questions');
      fc.pre(step !== -1);
      const walked = createLocalVisit(snapshot);
      for (let at = 1; at <= step; at += 1) walked.position(begins(at));
      const again = createLocalVisit(snapshot, begins(step));
      expect(again.resume()).toEqual(walked.resume());
      const sent = { ...answers, viaggio: steps[step]?.viaggio ?? 1 };
      expect(again.answers(sent)).toEqual(walked.answers(sent));
      const after = again.resume();
      const closing = after.ok ? after.value.stages.at(-1) : undefined;
      if (closing?.stage === 'closing' && closing.viaggio === 1)
        expect(closing.frase).toBe(closingPhrase(snapshot.config.frasi_finali, answers));
    }),
    { numRuns: 100 },
  );
});
