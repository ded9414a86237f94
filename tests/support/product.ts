import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { beforeEach } from 'vitest';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import type { SessionRow } from '../../src/server/features/visit/sessions.repo.ts';
import {
  requireVisit,
  type VisitHolder,
  type VisitorSession,
} from '../../src/server/features/visit/visitor.ts';
import type { RequestContext } from '../../src/server/http/request-context.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from './databases.ts';
import type { TestServer } from './deps.ts';
import { useServer } from './suites.ts';
import { attemptEntry, enterOrThrow, holderOf, makeCode, visitorOf } from './visits.ts';

/** The features on a fresh database per test, and queries for their rows. */

type Server = Pick<TestServer, 'deps'>;

type Table = 'access_logs' | 'event_logs' | 'notifications';
export const rowsOf = ({ deps }: Server, table: Table) =>
  deps.db.selectFrom(table).selectAll().orderBy('created_at').execute();

export const sessionRow = ({ deps }: Server, id: string): Promise<SessionRow> =>
  deps.db.selectFrom('active_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const tokenRowOf = ({ deps }: Server, id: string) =>
  deps.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const usesOf = async (server: Server, id: string) => (await tokenRowOf(server, id)).accessi_usati;

/** Returns the metadata of all events of a type. */
export async function eventsOf({ deps }: Server, type: string): Promise<Record<string, unknown>[]> {
  const found = await deps.db.selectFrom('event_logs').selectAll().where('event_type', '=', type).execute();
  return found.map(({ metadata }) => JSON.parse(metadata));
}

/** Returns the queued messages to the administrator, of one type or all. */
export async function noticesOf({ deps }: Server, type = '%'): Promise<Record<string, unknown>[]> {
  const waiting = deps.db.selectFrom('notifications').selectAll().where('type', 'like', type);
  return (await waiting.orderBy('created_at').execute()).map(({ payload }) => JSON.parse(payload));
}

/** Returns the refusal of a code, or `entered`. */
export async function entryResult(server: TestServer, token: string, changes = {}): Promise<string> {
  const result = await attemptEntry(server, token, changes);
  return isRefused(result) ? result.refused : 'entered';
}

/** Returns the topics published to the administrator's pages during `work`. */
export async function publishedTopics(server: TestServer, work: () => Promise<unknown>): Promise<string[][]> {
  server.messages.length = 0;
  await work();
  return server.messages.flatMap((message) => (message.type === 'changed' ? [[...message.topics]] : []));
}

/** A visit that has just started on a fresh server, before each test. After each test the invariants are checked. */
type VisitSuite = {
  server: TestServer;
  /** The cookie's value; a test may continue with another visit's. */
  secret: string;
  sessionId: string;
  visitor(): Promise<VisitorSession>;
  holder(): Promise<VisitHolder>;
  row(): Promise<SessionRow>;
  events(type: string): Promise<Record<string, unknown>[]>;
  /** Returns the guard's result for this cookie. */
  guard(cookie?: string | null): ReturnType<typeof requireVisit>;
  revoke(): Promise<void>;
};

/** Registers the hooks; call inside a `describe`, or at a file's top. */
export function useVisit(): VisitSuite {
  const server = useServer(sqliteDatabase);
  const suite: VisitSuite = {
    server,
    secret: '',
    sessionId: '',
    visitor: () => visitorOf(server, suite.secret),
    holder: () => holderOf(server, suite.secret),
    row: () => sessionRow(server, suite.sessionId),
    events: (type) => eventsOf(server, type),
    guard: (cookie = suite.secret) => requireVisit({ deps: server.deps, cookies: { visit: cookie } }),
    async revoke() {
      const { token_id } = await suite.row();
      await setTokenActive(server.ctx, { id: token_id, attivo: false });
    },
  };
  beforeEach(async () => {
    const { token } = await makeCode(server);
    const entered = await enterOrThrow(server, token, { device_id: 'device-1-a' });
    Object.assign(suite, { secret: entered.secret, sessionId: entered.session_id });
  });
  return suite;
}

export const at = (step: number, phrase = 0, second = 0) => ({ step, phrase, second });

/**
 * A browser from the viewpoint of the contract's calls: it stores cookies. `cleared` counts requests to clear the rest.
 */
export function browserOf(
  { deps }: Server,
  visit: string | null = null,
): RequestContext & { cleared: number } {
  const cookies: RequestContext['cookies'] = { visit, rehearsal: null, diagnosis: null, keepsake: null };
  const context: RequestContext & { cleared: number } = {
    deps,
    request_id: randomUUID(),
    address: '192.0.2.1',
    user_agent: 'Mozilla/5.0',
    connection: new Socket(),
    cookies,
    headers: new Headers(),
    setVisitCookie: (secret) => void (cookies.visit = secret),
    clearVisitCookie: () => void (cookies.visit = null),
    setPassCookie: (of, pass) => void (cookies[of] = pass),
    clearPassCookie: (of) => void (cookies[of] = null),
    clearSiteData: () => void (context.cleared += 1),
    cleared: 0,
  };
  return context;
}
