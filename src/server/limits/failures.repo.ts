import { DAY_MS } from '../../domain/time.ts';
import { afterWrong, type TryLimit, waitMs } from '../../domain/tries.ts';
import { statement } from '../db/statement.ts';
import type { Db } from '../db/tables.ts';

/** What wrong answers are counted under in `rate_limits`, and how many it may have. */
export type Counter = { key: string; limit: TryLimit };

/** Whose wrong answers are counted together: see `networkTries`. The widest network comes first, their own last. */
export type Guesser = readonly [Counter, ...Counter[]];

export const ownOf = (guesser: Guesser): Counter => guesser.at(-1) ?? guesser[0];

/** `try:code:…`, `try:sign-in:…`. */
const PREFIX = 'try:';
export type TryKind = 'code' | 'sign-in' | 'key';
export const counterKey = (kind: TryKind, hash: string): string => `${PREFIX}${kind}:${hash}`;

/** Longer ahead than any counter can have been set, in ms. */
const FAR_AHEAD = DAY_MS;

type Standing = {
  counter: Counter;
  /** When all its wrong answers are forgiven, in ms. */
  forgiven: number;
  /** How long to wait, in ms; 0 for nothing. */
  wait: number;
};

export type Look = {
  /** How long to wait, in ms; 0 for nothing. */
  wait: number;
  /** Their own network has wrong answers that are not forgiven yet. */
  failed: boolean;
  /** It has none, and a wider one has had too many. */
  slowed: boolean;
};

/** A network without wrong answers of its own never waits, whatever its neighbours in a wider one have done: one that has, for all of them. */
function judged(guesser: Guesser, standings: readonly Standing[], now: Date): Look {
  const own = ownOf(guesser);
  const wait = Math.max(0, ...standings.map((standing) => standing.wait));
  const failed = standings.some(({ counter, forgiven }) => counter === own && forgiven > now.getTime());
  return failed ? { wait, failed, slowed: false } : { wait: 0, failed, slowed: wait > 0 };
}

/** May they try now? */
export async function readFailures(db: Db, guesser: Guesser, now: Date): Promise<Look> {
  const rows = await unforgiven(guesser.length)(db, { ...keysOf(guesser), now: now.toISOString() });
  return judged(guesser, standings(guesser, rows, now), now);
}

type Keys = { now: string; [place: number]: string };

const lookingAt = (counters: number) =>
  statement<Keys>()((db, value) =>
    db
      .selectFrom('rate_limits')
      .select(['key', 'resets_at'])
      .where(
        'key',
        'in',
        Array.from({ length: counters }, (_, place) => value[place] ?? ''),
      )
      .where('resets_at', '>', value.now),
  );

const questions = new Map<number, ReturnType<typeof lookingAt>>();

/** One question for each number of counters, of which there are a few (`networkTries`). */
function unforgiven(counters: number) {
  const question = questions.get(counters) ?? lookingAt(counters);
  questions.set(counters, question);
  return question;
}

/**
 * Counts a wrong answer under all the counters, or under none when by now they have had too many: then it must not be told.
 * Their rows are held until the transaction ends, so that of however many at once, on however many nodes, no more are counted than may be.
 * @returns how long to wait, in ms; 0 when it was counted
 */
export async function countFailure(tx: Db, guesser: Guesser, now: Date): Promise<number> {
  const at = now.toISOString();
  const rows = await tx
    .insertInto('rate_limits')
    .values(guesser.map(({ key }) => ({ key, points: 0, resets_at: at })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })))
    .returning(['key', 'resets_at'])
    .execute();
  const held = standings(guesser, rows, now);
  const { wait } = judged(guesser, held, now);
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
