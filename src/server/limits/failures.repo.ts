import { afterFailure, type RateLimit, waitMs } from '../../domain/access.ts';
import { DAY_MS } from '../../domain/limits.ts';
import { statement } from '../db/statement.ts';
import type { Db } from '../db/tables.ts';

/** Key of a failure counter in `rate_limits`, and its limit. `isKnown`: a device that has signed in before; it goes first. */
export type LimitKey = { key: string; limit: RateLimit; isKnown?: true };

/** Counters of one client: see `networkLimits`. At most two: the wider network first, the client's own last. */
export type LimitKeys = readonly [LimitKey, ...LimitKey[]];

export const narrowest = (limitKeys: LimitKeys): LimitKey => limitKeys.at(-1) ?? limitKeys[0];

/** Keys are `try:code:…` and `try:sign-in:…`. */
const PREFIX = 'try:';
export type LimitKind = 'code' | 'sign-in';
export const counterKey = (kind: LimitKind, hash: string): string => `${PREFIX}${kind}:${hash}`;

/** Beyond the latest possible time of a counter, in ms. */
const MAX_AHEAD_MS = DAY_MS;

export type LimitStatus = {
  /** Time to wait in ms; 0 if none. */
  wait: number;
  /** The client's own network has failures that haven't expired. */
  failed: boolean;
};

/** `states`: each counter with the time when all its failures have expired, in ms since 1970. */
function evaluate(
  limitKeys: LimitKeys,
  rows: readonly { key: string; resets_at: string }[],
  now: Date,
  atWork = 0,
): LimitStatus & { states: { counter: LimitKey; clearsAt: number }[] } {
  const at = now.getTime();
  const states = limitKeys.map((counter) => {
    const row = rows.find(({ key }) => key === counter.key);
    return { counter, clearsAt: row === undefined ? at : Date.parse(row.resets_at) };
  });
  const waits = states.map(({ counter, clearsAt }) => waitMs(clearsAt, counter.limit, at, atWork));
  return { states, wait: Math.max(0, ...waits), failed: (states.at(-1)?.clearsAt ?? at) > at };
}

/** Reads the state of the counters. `atWork`: attempts in progress that may fail as well. */
export async function readLimitStatus(
  db: Db,
  limitKeys: LimitKeys,
  now: Date,
  atWork: number,
): Promise<LimitStatus> {
  const keys = { wide: limitKeys[0].key, own: narrowest(limitKeys).key };
  const rows = await activeCounters(db, { ...keys, now: now.toISOString() });
  return evaluate(limitKeys, rows, now, atWork);
}

const activeCounters = statement<{ wide: string; own: string; now: string }>()((db, value) =>
  db
    .selectFrom('rate_limits')
    .select(['key', 'resets_at'])
    .where('key', 'in', [value.wide, value.own])
    .where('resets_at', '>', value.now),
);

/**
 * Counts a failure under all counters. Counts none if they have reached their limit by now: then the answer must not be sent. A network
 * without failures is always counted. Locks the rows until the transaction ends, so that concurrent attempts on all nodes stay within the
 * limit.
 * @returns time to wait in ms; 0 if it was counted
 */
export async function recordFailure(tx: Db, limitKeys: LimitKeys, clock: () => Date): Promise<number> {
  const at = clock().toISOString();
  const rows = await tx
    .insertInto('rate_limits')
    .values(limitKeys.map(({ key }) => ({ key, points: 0, resets_at: at })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })))
    .returning(['key', 'resets_at'])
    .execute();
  // Others may have counted while this transaction waited for the rows.
  const now = clock();
  const { wait, failed, states } = evaluate(limitKeys, rows, now);
  if (failed && wait > 0) return wait;
  await tx
    .insertInto('rate_limits')
    .values(states.map(({ counter, clearsAt }) => toRow(counter, clearsAt, now.getTime())))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        points: eb.ref('excluded.points'),
        resets_at: eb.ref('excluded.resets_at'),
      })),
    )
    .execute();
  return 0;
}

/** Returns the row after another failure; `points` is the number of failures that haven't expired. */
function toRow({ key, limit }: LimitKey, clearsAt: number, now: number) {
  const after = afterFailure(clearsAt, limit, now);
  const points = Math.ceil((after - now) / limit.everyMs);
  return { key, points, resets_at: new Date(after).toISOString() };
}

/** Deletes the failures of these counters. */
export async function clearFailures(tx: Db, counters: readonly LimitKey[]): Promise<void> {
  const keys = counters.map(({ key }) => key);
  await tx.deleteFrom('rate_limits').where('key', 'in', keys).execute();
}

/** Deletes all failures of a kind. */
export async function clearFailuresOfKind(tx: Db, kind: LimitKind): Promise<void> {
  await tx
    .deleteFrom('rate_limits')
    .where('key', 'like', `${counterKey(kind, '')}%`)
    .execute();
}

/** Deletes expired counters, and counters far in the future from a clock that was set back since. */
export async function deleteExpiredFailures(tx: Db, now: Date): Promise<void> {
  const ahead = new Date(now.getTime() + MAX_AHEAD_MS).toISOString();
  await tx
    .deleteFrom('rate_limits')
    .where('key', 'like', `${PREFIX}%`)
    .where((eb) => eb.or([eb('resets_at', '<=', now.toISOString()), eb('resets_at', '>', ahead)]))
    .execute();
}

/** Limits the number of counters to the `count` that expire last, so that a flood from many networks can't fill the disk. */
export async function keepLatest(tx: Db, count: number): Promise<void> {
  await tx
    .deleteFrom('rate_limits')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('rate_limits')
        .select('key')
        .where('key', 'like', `${PREFIX}%`)
        .orderBy('resets_at', 'desc')
        .orderBy('key')
        .limit(1_000_000)
        .offset(count),
    )
    .execute();
}
