import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import type { OpenTestDatabase, TestDatabase } from './databases.ts';
import { openTestServer, type TestServer } from './deps.ts';
import { type Evening, prepareEvening, signUp } from './http-evening.ts';
import { checkInvariants } from './invariants.ts';
import { configureBot, type Node, nodeOn } from './notifier.ts';
import { type TestServer as StartedServer, startServer } from './server.ts';
import { type TelegramServer, telegramServer } from './telegram.ts';
import { configure } from './visits.ts';

/** Fixtures that are set up before tests and removed after them. Call each inside a `describe`, or at a file's top. */

/**
 * The features on a fresh database before each test, with a complete evening or empty. After each test the invariants
 * are checked.
 */
export function useServer(open: OpenTestDatabase, { empty = false } = {}): TestServer {
  const server = filledLater<TestServer>();
  beforeEach(async () => {
    Object.assign(server, await openTestServer(open));
    if (!empty) await configure(server);
  });
  afterEach(async () => {
    await sweepSessions(server.deps);
    expect(await checkInvariants(server.deps.db, server.clock.now())).toEqual([]);
    await server.close();
  });
  return server;
}

type Started = { server: StartedServer; to: { url: string; cookie: string } };

/** The product over HTTP for all tests of a file, with a signed-in administrator. */
export function useSignedUp(options: Parameters<typeof startServer>[0] = {}): Started {
  const started: Started = { server: filledLater(), to: filledLater() };
  beforeAll(async () => {
    Object.assign(started.server, await startServer(options));
    Object.assign(started.to, { url: started.server.url, cookie: await signUp(started.server) });
  });
  afterAll(() => started.server.stop());
  return started;
}

/** The product over HTTP for all tests of a file, with a complete evening and a code. */
export function useEvening(change: Record<string, unknown> = {}): {
  server: StartedServer;
  evening: Evening;
} {
  const started = { server: filledLater<StartedServer>(), evening: filledLater<Evening>() };
  beforeAll(async () => {
    Object.assign(started.server, await startServer());
    Object.assign(started.evening, await prepareEvening(started.server, change));
  });
  afterAll(() => started.server.stop());
  return started;
}

type Notifier = { database: TestDatabase; telegram: TelegramServer; node: Node };

/** A notifier with its bot before each test, on a fresh database and with a fake Telegram. */
export function useNotifier(open: OpenTestDatabase): Notifier {
  const on = filledLater<Notifier>();
  beforeEach(async () => {
    on.database = await open();
    on.telegram = await telegramServer();
    on.node = nodeOn(on.database, on.telegram);
    await configureBot(on.database);
  });
  afterEach(async () => {
    await on.telegram.close();
    await on.database.drop();
  });
  return on;
}

/** Returns an object that a suite fills before any test starts, so that tests can refer to it. */
function filledLater<T extends object>(): T {
  // Filled before any test starts.
  return {} as T;
}
