import { afterEach, beforeEach, expect } from 'vitest';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { requireVisit } from '../../src/server/features/visit/guards.ts';
import type { SessionRow } from '../../src/server/features/visit/sessions.repo.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import type { VisitHolder, VisitorSession } from '../../src/server/features/visit/visitor-session.ts';
import type { OpenTestDatabase } from './databases.ts';
import { openTestServer, type TestServer } from './deps.ts';
import { checkLaws } from './laws.ts';
import { comeIn, configure, holderOf, makeCode, visitorOf } from './visits.ts';

/** A visit that has just begun on a fresh server, the same before every test. After every test the laws are checked. */
export type VisitSuite = {
  server: TestServer;
  /** What the cookie holds; a test may go on with another visit's. */
  secret: string;
  sessionId: string;
  visitor(): Promise<VisitorSession>;
  holder(): Promise<VisitHolder>;
  row(): Promise<SessionRow>;
  /** What the events of a type say. */
  events(type: string): Promise<Record<string, unknown>[]>;
  /** The guard's answer to this cookie. */
  guard(cookie?: string | null): ReturnType<typeof requireVisit>;
  revoke(): Promise<void>;
};

/** To be called inside a `describe`. */
export function useVisit(open: OpenTestDatabase): VisitSuite {
  const suite = createSuite();

  beforeEach(async () => {
    suite.server = await openTestServer(open);
    await configure(suite.server);
    const { token } = await makeCode(suite.server);
    const entered = await comeIn(suite.server, token, { device_id: 'device-1-a' });
    Object.assign(suite, { secret: entered.secret, sessionId: entered.session_id });
  });

  afterEach(async () => {
    const { deps, clock } = suite.server;
    await sweepSessions(deps);
    expect(await checkLaws(deps.db, clock.now())).toEqual([]);
    await suite.server.close();
  });

  return suite;
}

function createSuite(): VisitSuite {
  const suite: VisitSuite = {
    // There before any test begins.
    server: undefined as unknown as TestServer,
    secret: '',
    sessionId: '',
    visitor: () => visitorOf(suite.server, suite.secret),
    holder: () => holderOf(suite.server, suite.secret),
    row: () => sessionRow(suite),
    events: (type) => eventsOf(suite, type),
    guard: (cookie = suite.secret) => requireVisit({ deps: suite.server.deps, cookies: { visit: cookie } }),
    async revoke() {
      const { token_id } = await suite.row();
      await setTokenActive(suite.server.deps, suite.server.actor, { id: token_id, attivo: false });
    },
  };
  return suite;
}

function sessionRow({ server, sessionId }: VisitSuite): Promise<SessionRow> {
  const { db } = server.deps;
  return db.selectFrom('active_sessions').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow();
}

async function eventsOf({ server }: VisitSuite, type: string): Promise<Record<string, unknown>[]> {
  const { db } = server.deps;
  const found = await db.selectFrom('event_logs').selectAll().where('event_type', '=', type).execute();
  return found.map(({ metadata }) => JSON.parse(metadata));
}

export const at = (step: number, phrase = 0, second = 0) => ({ step, phrase, second });
