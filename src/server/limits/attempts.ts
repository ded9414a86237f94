import { createHmac } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RateLimit } from '../../domain/access.ts';
import { FAILED_SIGN_INS, MAX_WAITING_ATTEMPTS, REFUSAL_DELAY } from '../../domain/limits.ts';
import type { Deps } from '../deps.ts';
import { type Network, networksOf } from '../http/address.ts';
import { isRefused, type Refusal, refuse } from '../refused.ts';
import { createSemaphore, type Rank, type Semaphore, SemaphoreFull } from '../work/semaphore.ts';
import {
  clearFailures,
  counterKey,
  type LimitKey,
  type LimitKeys,
  type LimitKind,
  narrowest,
  readLimitStatus,
  recordFailure,
} from './failures.repo.ts';

/** The global timer: the tests' fake clock doesn't reach `node:timers/promises`. */
const delay = (ms: number) => new Promise<void>((wake) => setTimeout(wake, ms));

type TooMany = Refusal<'TOO_MANY_ATTEMPTS'>;

/** Limits attempts at codes and sign-in. Queues are per process; failure counts are in the database. */
export type RateLimiter = {
  /**
   * Runs `work` in its turn, or refuses. Waits up to a second for a turn; a longer wait refuses a network that has failed. `work` counts
   * its failure with `recordFailure` in its own transaction, and returns `tooManyAttempts` if that returns a wait.
   * @param connection may have one attempt in the queue, which is removed when the connection closes
   */
  run<T>(keys: LimitKeys, work: () => Promise<T>, connection?: Connection): Promise<T | TooMany>;
  /** Returns true if this refusal should be logged: once a minute per network, 60 a minute in total; others are counted. */
  shouldLog(keys: LimitKeys): boolean;
  /** Returns the number of refusals not logged since the last call. */
  takeUnlogged(): number;
};

/** A client's socket. */
export type Connection = Pick<EventEmitter, 'once' | 'off'> & { destroyed: boolean };

/** Wait reported when the queue is full, in ms. */
const BUSY_MS = 3_000;
/** Longest wait spent here, and shortest wait that a refusal reports, in ms. */
const MAX_WAIT_MS = 1_000;
/** Codes of one network checked concurrently: on a slow machine one check takes longer than the interval. */
const MAX_CONCURRENT_CODES = 8;
/** Concurrent reads of the counters; each may hold a database connection. */
const MAX_CHECKS = 2;
const MAX_LOGGED_PER_MINUTE = 60;

/**
 * @param semaphore limits concurrent attempts in this process
 * @param spacing delays the refusals
 */
export function createRateLimiter({
  db,
  now,
  semaphore,
  spacing = createRefusalDelay(),
  sleep = delay,
}: Pick<Deps, 'db' | 'now'> & {
  semaphore: Semaphore;
  spacing?: RefusalDelay;
  sleep?: (ms: number) => Promise<unknown>;
}): RateLimiter {
  const checks = createSemaphore(MAX_CHECKS);
  const ownQueue = createQueues(MAX_WAITING_ATTEMPTS);
  const wideQueue = createQueues();
  const waiting = new WeakSet<Connection>();

  /** Checks the counters again after each wait, and after another node used the turn. */
  async function attempt<T>(keys: LimitKeys, work: () => Promise<T>, others: number): Promise<T | TooMany> {
    for (;;) {
      const { wait, failed } = await checks.run(() => readLimitStatus(db, keys, now(), others));
      if (failed && wait > MAX_WAIT_MS) return tooManyAttempts(wait);
      if (wait > 0 && wait <= MAX_WAIT_MS) await sleep(wait);
      else {
        const result = await semaphore.run(work, { rank: rankOf(keys, failed || wait > 0) });
        if (!isTooMany(result)) return result;
      }
    }
  }

  /** The addresses of a /48 take turns, so that the whole queue of one doesn't delay its neighbours. */
  const runInTurn = <T>(keys: LimitKeys, work: () => Promise<T>, signal?: AbortSignal) => {
    const { key, limit } = narrowest(keys);
    const concurrency = limit.everyMs > MAX_WAIT_MS ? 1 : MAX_CONCURRENT_CODES;
    return ownQueue(key, concurrency, signal, () =>
      wideQueue(keys[0].key, concurrency, signal, () => attempt(keys, work, concurrency - 1)),
    ).catch((error: unknown) => {
      if (error instanceof SemaphoreFull) return tooManyAttempts(BUSY_MS);
      throw error;
    });
  };

  async function runOncePerConnection<T>(keys: LimitKeys, work: () => Promise<T>, connection: Connection) {
    if (connection.destroyed || waiting.has(connection)) return tooManyAttempts(BUSY_MS);
    const abortController = new AbortController();
    const onClose = () => abortController.abort(new SemaphoreFull('It has left.'));
    waiting.add(connection);
    connection.once('close', onClose);
    return runInTurn(keys, work, abortController.signal).finally(() => {
      connection.off('close', onClose);
      waiting.delete(connection);
    });
  }

  return {
    async run(keys, work, connection) {
      const result = await (connection
        ? runOncePerConnection(keys, work, connection)
        : runInTurn(keys, work));
      if (!isTooMany(result)) return result;
      const delayedMs = await spacing();
      return tooManyAttempts(Math.max((result.secondi ?? 0) * 1_000 - delayedMs, MAX_WAIT_MS));
    },
    ...createLogThrottle(now),
  };
}

const rankOf = (keys: LimitKeys, hasFailed: boolean): Rank => {
  if (narrowest(keys).isKnown) return 'first';
  return hasFailed ? 'last' : 'next';
};

const isTooMany = (result: unknown): result is TooMany =>
  (result as Partial<Refusal> | null | undefined)?.refused === 'TOO_MANY_ATTEMPTS';

/** Returns the refusal with a wait in ms. */
export function tooManyAttempts(wait: number): TooMany {
  return refuse('TOO_MANY_ATTEMPTS', { secondi: Math.ceil(wait / 1_000) });
}

type Limits = Record<Network['reach'], RateLimit>;

/** Returns the counters of an address's networks. Addresses are stored only as keyed hashes. */
export function networkLimits(kind: LimitKind, secret: Buffer, address: string, limits: Limits): LimitKeys {
  const counters = networksOf(address).map(({ reach, name }) =>
    limitKeyOf(kind, secret, name, limits[reach]),
  );
  return counters as [LimitKey, ...LimitKey[]];
}

/** Returns the counter of a name: a network or a device. */
export function limitKeyOf(kind: LimitKind, secret: Buffer, name: string, limit: RateLimit): LimitKey {
  const hash = createHmac('sha256', secret).update(`${kind}:${name}`).digest('base64url');
  return { key: counterKey(kind, hash), limit };
}

/** Creates queues by key, each first in, first out. */
function createQueues(places = Number.POSITIVE_INFINITY) {
  const queues = new Map<string, Semaphore>();
  return <T>(key: string, concurrency: number, signal: AbortSignal | undefined, work: () => Promise<T>) => {
    const queue = queues.get(key) ?? createSemaphore(concurrency, { next: places });
    queues.set(key, queue);
    return queue.run(work, { signal }).finally(() => queue.isIdle() && queues.delete(key));
  };
}

function createLogThrottle(now: () => Date): Pick<RateLimiter, 'shouldLog' | 'takeUnlogged'> {
  let minute = 0;
  let unloggedCount = 0;
  const loggedKeys = new Set<string>();
  return {
    shouldLog([{ key }]) {
      const current = Math.floor(now().getTime() / 60_000);
      if (current !== minute) loggedKeys.clear();
      minute = current;
      const isLogged = !loggedKeys.has(key) && loggedKeys.size < MAX_LOGGED_PER_MINUTE;
      if (isLogged) loggedKeys.add(key);
      else unloggedCount += 1;
      return isLogged;
    },
    takeUnlogged() {
      const count = unloggedCount;
      unloggedCount = 0;
      return count;
    },
  };
}

/** Refusals of a failed attempt. */
const WRONG: ReadonlySet<ErrorCode> = new Set(['BAD_CREDENTIALS', 'SETUP_CODE_WRONG']);

export const isWrongCredential = ({ refused }: Refusal): boolean => WRONG.has(refused);

/** Returns the counters of an attempt: that of a device that has signed in before (its id), otherwise those of its networks. */
export function signInLimitKeys(secret: Buffer, address: string, device: string | null): LimitKeys {
  if (device === null) return networkLimits('sign-in', secret, address, FAILED_SIGN_INS);
  return [{ ...limitKeyOf('sign-in', secret, `device:${device}`, FAILED_SIGN_INS.device), isKnown: true }];
}

/**
 * Runs a sign-in attempt within the limits, and counts its failure before the result is sent. A success clears the failures of the client's
 * own counter.
 */
export function limitSignIn<T extends object>(
  { rateLimiter, inTransaction, now }: Pick<Deps, 'rateLimiter' | 'inTransaction' | 'now'>,
  keys: LimitKeys,
  work: () => Promise<T | Refusal>,
): Promise<T | Refusal> {
  return rateLimiter.run(keys, async () => {
    const result = await work();
    if (!isRefused(result)) await inTransaction((tx) => clearFailures(tx, keys.slice(-1)));
    else if (isWrongCredential(result)) {
      const wait = await inTransaction((tx) => recordFailure(tx, keys, now));
      if (wait > 0) return tooManyAttempts(wait);
    }
    return result;
  });
}

/** Waits for the turn of a refusal; returns the time waited in ms. */
export type RefusalDelay = () => Promise<number>;

/**
 * Spaces out refusals, so that blocked clients that retry at once over many connections don't occupy the server. A single refusal isn't
 * delayed.
 */
export function createRefusalDelay(): RefusalDelay {
  let next = 0;
  let held = 0;
  return async () => {
    const now = performance.now();
    const startsAt = Math.min(Math.max(now, next), now + REFUSAL_DELAY.maxDelayMs);
    next = startsAt + REFUSAL_DELAY.spacingMs;
    if (startsAt === now || held >= REFUSAL_DELAY.maxHeld) return 0;
    held += 1;
    await delay(startsAt - now);
    held -= 1;
    return startsAt - now;
  };
}
