import { createHmac } from 'node:crypto';
import { call as callRouter, ORPCError } from '@orpc/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { REHEARSAL_PASS_MS } from '../../src/domain/limits.ts';
import { closingPhrase, type Position } from '../../src/domain/stage-content.ts';
import type { TripAnswers } from '../../src/experience/ports.ts';
import { router } from '../../src/server/app.ts';
import {
  rehearsalStatus,
  rehearsedContent,
  requireSpectator,
  type SpectatorCtx,
} from '../../src/server/features/rehearsal/rehearsal.ts';
import type { RequestContext } from '../../src/server/http/request-context.ts';
import { isRefused } from '../../src/server/refused.ts';
import { createLocalVisit, type LocalVisit } from '../../src/web/visitor/local/local-visit.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { createClock, type TestServer as OpenServer, openTestServer } from '../support/deps.ts';
import { type Answered, call } from '../support/http.ts';
import {
  type Evening,
  enter,
  ok,
  prepareEvening,
  saveConfig,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { browserOf } from '../support/product.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { snapshots } from '../support/snapshots.ts';
import { hashOfAllTables } from '../support/table-hash.ts';
import { configure, enterOrThrow as enterAs, makeCode } from '../support/visits.ts';

let server: TestServer;
let evening: Evening;
const clock = createClock(new Date().toISOString());
beforeAll(async () => {
  server = await startServer({ now: clock.now });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type PassReply = { pass: string; scadenza: string; public_url: string | null };

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const PASS = '/admin/rehearsal/pass';
/** Returns the valid pass, or a new one in any case. */
const getPass = async (asked: { anew?: boolean } = {}): Promise<PassReply> =>
  ok(await asAdmin('POST', PASS, asked)).body;
const newPass = () => getPass({ anew: true });
const closePass = () => asAdmin('DELETE', PASS);
const openUntil = async (): Promise<string | null> => ok(await asAdmin('GET', PASS)).body.scadenza;

const bring = (pass: string, cookie = '') =>
  call(server.url, 'POST', '/rehearsal/enter', { pass }, { cookie });
/** Returns the cookie of a phone that entered with the pass. */
const enterWithPass = async () => ok(await bring((await getPass()).pass)).cookie;
const file = (path: string, cookie = '') =>
  call(server.url, 'GET', path.replace(/^\/api/, ''), undefined, { cookie });
const read = (cookie = '') => file('/rehearsal', cookie);
const ticketsPath = (viaggio: number) => `/rehearsal/tickets/${viaggio}/biglietti.pdf`;
const codeOf = ({ body }: Answered) => body?.codice;
const statusOf = async (url: string, cookie: string) => (await file(url, cookie)).status;

/** Signs a claim as passes are signed, possibly for another purpose. */
function sealed(purpose: string, claim: string): string {
  const seal = createHmac('sha256', server.deps.secret).update(`${purpose}${claim}`).digest('base64url');
  return `${claim}.${seal}`;
}

/** Expects that the pass and its cookie open nothing. */
async function expectOver(pass: string, cookie: string): Promise<void> {
  for (const answer of [await bring(pass), await read(cookie), await file(ticketsPath(1), cookie)])
    expect(codeOf(answer)).toBe('REHEARSAL_OVER');
  expect(await statusOf(evening.media.picture.url, cookie)).toBe(401);
}

describe('rehearsal pass', () => {
  test('lasts an hour and is not stored: only its number and its end are', async () => {
    const { pass, scadenza, public_url } = await newPass();
    expect(Date.parse(scadenza)).toBe(clock.now().getTime() + REHEARSAL_PASS_MS);
    expect(public_url).toBeNull();
    const [, generation = ''] = pass.split('.');
    expect(await server.deps.db.selectFrom('rehearsal_pass').selectAll().execute()).toEqual([
      { id: 1, generation: Number(generation), scadenza },
    ]);
    const before = await hashOfAllTables(server.deps.db);
    expect((await bring(pass)).status).toBe(200);
    expect(server.logged()).not.toContain(pass);
    expect(await openUntil()).toBe(scadenza);
    // A second request returns the same pass: showing the code twice excludes no phone.
    clock.advance(60_000);
    expect(await getPass()).toEqual({ pass, scadenza, public_url });
    expect(await hashOfAllTables(server.deps.db)).toBe(before);
  });

  test('is refused if it is forged, for another purpose, or not a pass at all', async () => {
    const { pass } = await newPass();
    const [ends = '', generation = ''] = pass.split('.');
    const claim = `${ends}.${generation}`;
    const next = `${ends}.${Number(generation) + 1}`;
    const wrong = [
      `${Number(ends) + 60_000}${pass.slice(ends.length)}`,
      pass.slice(0, -1) + (pass.endsWith('A') ? 'B' : 'A'),
      sealed('visit:', claim),
      // Signed by the server's key, but never issued.
      sealed('rehearsal:', next),
      'x',
      `${claim}.`,
      'é'.repeat(57),
    ];
    for (const text of wrong) {
      const answer = await bring(text);
      expect([text, codeOf(answer), answer.cookie]).toEqual([text, 'REHEARSAL_OVER', '']);
    }
    // A correctly signed pass is valid, so the refusals above are no mistakes of the test.
    expect((await bring(sealed('rehearsal:', claim))).status).toBe(200);
  });

  test('is over after its hour, when another is created, and when it is revoked', async () => {
    const ends: (() => Promise<unknown>)[] = [async () => clock.advance(1), newPass, closePass];
    for (const end of ends) {
      const { pass } = await newPass();
      const { cookie } = ok(await bring(pass));
      if (end === ends[0]) clock.advance(REHEARSAL_PASS_MS - 1);
      expect((await read(cookie)).status).toBe(200);
      await end();
      await expectOver(pass, cookie);
    }
    expect(await openUntil()).toBeNull();
    // Revoking twice has no further effect.
    expect((await closePass()).status).toBe(200);
    const next = await getPass();
    expect((await read(ok(await bring(next.pass)).cookie)).status).toBe(200);
    expect(await openUntil()).toBe(next.scadenza);
    clock.advance(REHEARSAL_PASS_MS);
    expect(await openUntil()).toBeNull();
  });

  test('is ignored for a signed-in administrator, and never hides that a sign-in is required', async () => {
    const { pass } = await newPass();
    const byPhone = ok(await bring(pass)).cookie;
    // The administrator's browser receives no pass, and one that it has is deleted.
    expect(ok(await bring(pass, evening.admin)).cookie).toBe('');
    const both = `${evening.admin}; ${byPhone}`;
    const signedIn = ok(await read(both));
    expect(signedIn.body.as).toBe('admin');
    const [line = ''] = signedIn.headers.getSetCookie();
    expect(line).toMatch(/^prova_[0-9a-f]{8}=;/);
    expect(line.split('; ')).toEqual(expect.arrayContaining(['Max-Age=0', 'Path=/api']));
    await closePass();
    expect(ok(await read(both)).body.as).toBe('admin');
    // The session is over and the pass was deleted in time, so the response requires a sign-in.
    expect(codeOf(await read())).toBe('SIGN_IN_REQUIRED');
  });
});

describe('content of the rehearsal', () => {
  test('is the content of a visit that begins now, for the administrator and for a guest', async () => {
    await enter(server, evening);
    const row = await server.deps.db
      .selectFrom('active_sessions')
      .innerJoin('visit_snapshots', 'hash', 'snapshot_hash')
      .select('body')
      .orderBy('started_at', 'desc')
      .executeTakeFirstOrThrow();
    const snapshot: Snapshot = JSON.parse(row.body);
    const version = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect((await read(evening.admin)).body).toEqual({ as: 'admin', snapshot, version });
    expect((await read(await enterWithPass())).body).toEqual({ as: 'guest', snapshot, version });
    const forged = `prova=${sealed('visit:', `${Date.now() + 60_000}.1`)}`;
    expect(codeOf(await read(forged))).toBe('REHEARSAL_OVER');
  });

  test('has the files of the current configuration, and no other', async () => {
    const cookie = await enterWithPass();
    const { media } = evening;
    const aside = await store(server, 'picture.jpg');
    expect(await statusOf(aside.url, cookie)).toBe(404);
    expect(await statusOf(aside.url, evening.admin)).toBe(200);
    const change = (immagine_destinazione_url: string) =>
      saveConfig(server, evening.admin, { immagine_destinazione_url });
    await change(aside.url);
    expect(await statusOf(aside.url, cookie)).toBe(200);
    expect(await statusOf(media.picture.url, cookie)).toBe(404);
    await change(media.picture.url);
  });
});

describe('rehearsal', () => {
  test('leaves every table and a visit unchanged after reading, playing and downloading', async () => {
    const visitor = await enter(server, evening);
    const before = await walkTo(server, visitor, 'destination');
    // The PDF of a picture is created once.
    for (const viaggio of [1, 2]) ok(await file(ticketsPath(viaggio), evening.admin));
    const hash = await hashOfAllTables(server.deps.db);
    for (const cookie of [`${visitor}; ${await enterWithPass()}`, `${visitor}; ${evening.admin}`]) {
      expect(ok(await read(cookie)).cookie).toBe('');
      for (const { url } of Object.values(evening.media)) expect(await statusOf(url, cookie)).toBe(200);
      for (const viaggio of [1, 2]) {
        const { headers, text } = ok(await file(ticketsPath(viaggio), cookie));
        expect(headers.get('content-disposition')).toContain('biglietti.pdf');
        expect(text.startsWith('%PDF-')).toBe(true);
      }
      // The visit's own cookie still opens only what it has reached.
      expect(codeOf(await file('/visit/tickets/2/biglietti.pdf', cookie))).toBe('NOT_FOUND');
    }
    expect(await hashOfAllTables(server.deps.db)).toBe(hash);
    expect(ok(await call(server.url, 'POST', '/visit/resume', {}, { cookie: visitor })).body).toEqual(before);
  });
});

describe('rehearsal seen to its end', () => {
  const seen = async (phone: boolean) => {
    const cookie = await enterWithPass();
    const { version } = (await read(cookie)).body;
    ok(await call(server.url, 'POST', '/rehearsal/seen', { version, phone }, { cookie }));
  };

  test('counts on a phone, for the current content of the evening', async () => {
    const since = () => rehearsalStatus(server.deps.db);
    expect(await since()).toBe('never');
    await seen(false);
    expect(await since()).toBe('never');
    await seen(true);
    expect(await since()).toBe('seen');
    await saveConfig(server, evening.admin, { frasi: ['Altro'] });
    expect(await since()).toBe('old');
  });
});

describe('visit of the rehearsal', () => {
  /** A request that a browser can send for a visit, sensible or not. */
  type VisitRequest =
    | { ask: 'position'; input: Position }
    | { ask: 'answers'; input: TripAnswers }
    | { ask: 'resume' | 'complete'; input: object };
  /** The position of the following stage. */
  const NEXT = 'next' as const;

  const place = fc.record({
    step: fc.nat(12),
    phrase: fc.nat(4),
    second: fc.integer({ min: 0, max: 40 }),
  });
  const tripAnswers = fc.record({
    viaggio: fc.constantFrom(1 as const, 2 as const),
    risposta_1: fc.boolean(),
    risposta_2: fc.boolean(),
  });
  const whole = fc.constantFrom('resume' as const, 'complete' as const);
  const asked: fc.Arbitrary<VisitRequest | typeof NEXT> = fc.oneof(
    { weight: 6, arbitrary: fc.constant(NEXT) },
    { weight: 3, arbitrary: tripAnswers.map((input) => ({ ask: 'answers' as const, input })) },
    { weight: 2, arbitrary: place.map((input) => ({ ask: 'position' as const, input })) },
    { weight: 1, arbitrary: whole.map((ask) => ({ ask, input: {} })) },
  );
  const walks = fc.tuple(fc.array(asked, { maxLength: 20 }), tripAnswers);

  let server: OpenServer;
  let spectator: SpectatorCtx['spectator'];
  beforeAll(async () => {
    server = await openTestServer(sqliteDatabase);
    const found = await requireSpectator({
      deps: server.deps,
      headers: new Headers(),
      cookies: { rehearsal: null },
    });
    if (isRefused(found)) throw new Error(found.refused);
    spectator = found.spectator;
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
      { ...(snapshot.config as Parameters<typeof configure>[1]), durata_frase_secondi: seconds },
      snapshot.questions,
    );
    const content = await rehearsedContent({ ...server.deps, spectator });
    if (isRefused(content)) throw new Error(content.refused);
    const { token } = await makeCode(server);
    const { secret } = await enterAs(server, token);
    // The cookie is never cleared, so that requests can continue.
    const real = { ...browserOf(server, secret), clearVisitCookie: () => undefined };
    return { real, rehearsed: createLocalVisit(content), content };
  }

  /** Returns the real server's response as the page receives it, without the visit's own ids. */
  async function askServer(context: RequestContext, { ask, input }: VisitRequest) {
    try {
      // Each call receives its own input.
      const value: object = await callRouter(router.visit[ask], input as never, { context });
      return { ok: true, value: nameless(value) };
    } catch (error) {
      if (!(error instanceof ORPCError) || !error.defined) throw error;
      return { ok: false, code: error.code };
    }
  }

  /** Returns a visit without the ids that only the server assigns; other values are unchanged. */
  function nameless(value: object): object {
    return { ...value, session_id: null, token_id: null, token_value: null };
  }

  function askRehearsed(rehearsed: LocalVisit, { ask, input }: VisitRequest) {
    const answer = rehearsed[ask](input as never);
    return answer.ok ? { ok: true, value: nameless(answer.value) } : answer;
  }

  const begins = (step: number): Position => ({ step, phrase: 0, second: 0 });

  test('responds like the server for any configuration and any walk, to the end', async () => {
    const ends = { completed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(snapshots(), walks, async (snapshot, [wandering, last]) => {
        const { real, rehearsed, content } = await beginBoth(snapshot);
        const steps = itinerary(content);
        const both = async (what: VisitRequest | typeof NEXT) => {
          const now = rehearsed.resume();
          const next = begins(now.ok ? now.value.position.step + 1 : 0);
          const request = what === NEXT ? { ask: 'position' as const, input: next } : what;
          const expected = await askServer(real, request);
          expect(askRehearsed(rehearsed, request)).toEqual(expected);
          if (!expected.ok) ends.refused += 1;
          return expected.ok;
        };
        for (const what of wandering) await both(what);
        for (const viaggio of [1, 2] as const) {
          for (let left = steps.length; left > 0; left -= 1) await both(NEXT);
          await both({ ask: 'answers', input: { ...last, viaggio } });
        }
        for (let left = steps.length; left > 0; left -= 1) await both(NEXT);
        if (await both({ ask: 'complete', input: {} })) ends.completed += 1;
        await both({ ask: 'resume', input: {} });
        await both({ ask: 'complete', input: {} });
      }),
      { numRuns: 25 },
    );
    // The walks reached the end and met refusals.
    expect(ends.completed).toBeGreaterThan(18);
    expect(ends.refused).toBeGreaterThan(18);
  }, 240_000);

  test('begins at the questions in the state of a visit that has reached them, with any other answers', async () => {
    await fc.assert(
      fc.asyncProperty(snapshots(), tripAnswers, async (snapshot, answers) => {
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
});
