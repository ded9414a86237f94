import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { type AdminCtx, type Auth, readAdmin } from '../../src/server/auth/actor.ts';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import type { Deps } from '../../src/server/deps.ts';
import { readEnv } from '../../src/server/env.ts';
import type { Sharing } from '../../src/server/features/sharing/sharing.ts';
import { openUploads } from '../../src/server/features/uploads/uploads.ts';
import { createRateLimiter } from '../../src/server/limits/attempts.ts';
import { type BusMessage, memoryLiveBus } from '../../src/server/live/bus.ts';
import { createMediaWorker } from '../../src/server/media-worker/worker.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { createSemaphore } from '../../src/server/work/semaphore.ts';
import type { OpenTestDatabase, TestDatabase } from './databases.ts';

/** A clock that moves only when advanced. */
export type TestClock = { now(): Date; advance(ms: number): void };

export function createClock(start = '2027-02-14T19:00:00.000Z'): TestClock {
  let at = Date.parse(start);
  return { now: () => new Date(at), advance: (ms) => void (at += ms) };
}

/** Advances the clock to the end of a wait, unless it is already there. */
export const sleepBy = (clock: TestClock) => async (ms: number) => {
  const end = clock.now().getTime() + ms;
  await setImmediate();
  clock.advance(Math.max(0, end - clock.now().getTime()));
};

const off = () => Promise.reject(new Error('Nothing is shared here'));
/** Sharing from this computer is off. */
export const notShared: Sharing = {
  address: () => null,
  lostAddress: () => null,
  read: off,
  start: off,
  stop: off,
  given: off,
  resume: async () => {},
  close: async () => {},
};

/** The features' dependencies on a real database, for one process. */
export type TestServer = {
  deps: Deps;
  clock: TestClock;
  database: TestDatabase;
  /** The same object, for services of the administrator. */
  ctx: AdminCtx;
  /** Published messages, in order. */
  messages: BusMessage[];
  close(): Promise<void>;
};

export async function openTestServer(open: OpenTestDatabase, clock = createClock()): Promise<TestServer> {
  const database = await open();
  const auth = signedInAuth();
  const live = memoryLiveBus((error) => {
    throw error;
  });
  const messages: BusMessage[] = [];
  live.subscribe((message) => messages.push(message));
  const log = pino({ level: 'silent' });
  const mediaWorker = createMediaWorker({ log });
  const deps: Deps = {
    env: readEnv({ ...database.env }),
    mediaWorker,
    db: database.db,
    inTransaction: database.inTransaction,
    storage: await diskStorage(`${database.env.DATA_DIR}/media`),
    uploads: await openUploads(database.env),
    live,
    auth,
    unnamedProxy: { seen: null },
    drain: { begun: false },
    certificate: null,
    sharing: notShared,
    metrics: null,
    rateLimiter: createRateLimiter({
      db: database.db,
      now: () => clock.now(),
      semaphore: createSemaphore(4),
      spacing: async () => 0,
      sleep: sleepBy(clock),
    }),
    secret: await loadSecret(database.env.DATA_DIR, 'encryption'),
    cookieId: '0a1b2c3d',
    log,
    now: () => clock.now(),
    clockIsOff: () => false,
  };
  const actor = await readAdmin(auth, new Headers());
  if (actor === null) throw new Error('nobody is signed in');
  const close = async () => {
    await mediaWorker.close();
    await live.close();
    await database.drop();
  };
  return { deps, ctx: Object.assign(deps, { actor }), clock, database, messages, close };
}

/** Sign-in that always has a session, for tests of the features that use it. */
function signedInAuth(): Auth {
  return {
    handle: async () => new Response(null, { status: 404 }),
    readSession: async () => ({ user_id: 'admin-1', email: 'lui@example.com', session_id: 'session-1' }),
    registrationOpen: async () => false,
    isNew: () => Promise.resolve(false),
    refuseSetUp: () => Promise.resolve(null),
    setupCode: () => null,
  };
}
