import { afterWrong, type TryLimit, waitMs } from '../../domain/tries.ts';
import type { Db } from '../db/tables.ts';

/** What wrong answers are counted under in `rate_limits`, and how many it may have. */
export type Counter = { key: string; limit: TryLimit };

/** `try:code:…`, `try:sign-in:…`. */
const PREFIX = 'try:';
export type TryKind = 'code' | 'sign-in';
export const counterKey = (kind: TryKind, hash: string): string => `${PREFIX}${kind}:${hash}`;

/** Longer ahead than any counter can have been set, in ms. */
const FAR_AHEAD = 24 * 3_600_000;

export type Standing = {
  counter: Counter;
  /** When all its wrong answers are forgiven, in ms. */
  forgiven: number;
  /** How long to wait, in ms; 0 for nothing. */
  wait: number;
};

/** How those of the counters stand that have wrong answers not forgiven yet. */
export async function readFailures(db: Db, counters: readonly Counter[], now: Date): Promise<Standing[]> {
  const rows = await db
    .selectFrom('rate_limits')
    .select(['key', 'resets_at'])
    .where('key', 'in', keysOf(counters))
    .where('resets_at', '>', now.toISOString())
    .execute();
  return standings(counters, rows, now);
}

/**
 * Counts a wrong answer under all the counters, or under none when by now one of them has had too many: then it must not be told.
 * Their rows are held until the transaction ends, so that of however many at once, on however many nodes, no more are counted than may be.
 * @returns how long to wait, in ms; 0 when it was counted
 */
export async function countFailure(tx: Db, counters: readonly Counter[], now: Date): Promise<number> {
  const at = now.toISOString();
  const rows = await tx
    .insertInto('rate_limits')
    .values(counters.map(({ key }) => ({ key, points: 0, resets_at: at })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })))
    .returning(['key', 'resets_at'])
    .execute();
  const held = standings(counters, rows, now);
  const wait = Math.max(...held.map((standing) => standing.wait));
  if (wait > 0) return wait;
  await tx
    .insertInto('rate_limits')
    .values(held.map((standing) => counted(standing, now.getTime())))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        points: eb.ref('excluded.points'),
        resets_at: eb.ref('excluded.resets_at'),
      })),
    )
    .execute();
  return 0;
}

/** The row after one more: `points` are the wrong answers that are not forgiven yet. */
function counted({ counter: { key, limit }, forgiven }: Standing, now: number) {
  const after = afterWrong(forgiven, limit, now);
  const points = Math.ceil((after - now) / limit.everyMs);
  return { key, points, resets_at: new Date(after).toISOString() };
}

function standings(
  counters: readonly Counter[],
  rows: readonly { key: string; resets_at: string }[],
  now: Date,
): Standing[] {
  return rows.flatMap(({ key, resets_at }) => {
    const counter = counters.find((one) => one.key === key);
    const forgiven = Date.parse(resets_at);
    return counter ? [{ counter, forgiven, wait: waitMs(forgiven, counter.limit, now.getTime()) }] : [];
  });
}

/** The wrong answers of these counters count no more. */
export async function forgive(tx: Db, counters: readonly Counter[]): Promise<void> {
  await tx.deleteFrom('rate_limits').where('key', 'in', keysOf(counters)).execute();
}

/** No wrong answer of a kind counts any more. */
export async function forgiveAll(tx: Db, kind: TryKind): Promise<void> {
  await tx
    .deleteFrom('rate_limits')
    .where('key', 'like', `${counterKey(kind, '')}%`)
    .execute();
}

/** Removes the counters whose wrong answers are forgiven, and what a clock that was set back since has left ahead. */
export async function deleteForgiven(tx: Db, now: Date): Promise<void> {
  const ahead = new Date(now.getTime() + FAR_AHEAD).toISOString();
  await tx
    .deleteFrom('rate_limits')
    .where('key', 'like', `${PREFIX}%`)
    .where((eb) => eb.or([eb('resets_at', '<=', now.toISOString()), eb('resets_at', '>', ahead)]))
    .execute();
}

/** Keeps so many counters, those that are forgiven last: a flood from more networks than that must not fill the disk. */
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

const keysOf = (counters: readonly Counter[]) => counters.map(({ key }) => key);
