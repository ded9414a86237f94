import type { Db } from '../../db/tables.ts';

/** A counter of a window of time. `window` in milliseconds. */
export type Counter = { key: string; window: number };
export type Counted = { key: string; points: number; resets_at: string };

/**
 * Adds a point to each counter and returns how they stand. A window that is over begins anew; so does one that ends later than it
 * could have been set to, which only a clock put back can cause.
 */
export async function takePoints(tx: Db, counters: readonly Counter[], now: Date): Promise<Counted[]> {
  return tx
    .insertInto('rate_limits')
    .values(counters.map(({ key, window }) => ({ key, points: 1, resets_at: after(now, window) })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => {
        const over = eb.or([
          eb('rate_limits.resets_at', '<=', now.toISOString()),
          eb('rate_limits.resets_at', '>', eb.ref('excluded.resets_at')),
        ]);
        return {
          points: eb
            .case()
            .when(over)
            .then(1)
            .else(eb('rate_limits.points', '+', 1))
            .end(),
          resets_at: eb
            .case()
            .when(over)
            .then(eb.ref('excluded.resets_at'))
            .else(eb.ref('rate_limits.resets_at'))
            .end(),
        };
      }),
    )
    .returning(['key', 'points', 'resets_at'])
    .execute();
}

/** Takes back a point that was added in this transaction. */
export async function returnPoints(tx: Db, counters: readonly Counter[]): Promise<void> {
  await tx
    .updateTable('rate_limits')
    .set((eb) => ({ points: eb('points', '-', 1) }))
    .where(
      'key',
      'in',
      counters.map(({ key }) => key),
    )
    .execute();
}

/** How a counter stands, or undefined when its window is over. */
export async function readCounter(tx: Db, { key, window }: Counter, now: Date): Promise<Counted | undefined> {
  return tx
    .selectFrom('rate_limits')
    .select(['key', 'points', 'resets_at'])
    .where('key', '=', key)
    .where('resets_at', '>', now.toISOString())
    .where('resets_at', '<=', after(now, window))
    .executeTakeFirst();
}

export async function deleteExpiredLimits(tx: Db, now: Date): Promise<void> {
  await tx.deleteFrom('rate_limits').where('resets_at', '<=', now.toISOString()).execute();
}

function after(now: Date, ms: number): string {
  return new Date(now.getTime() + ms).toISOString();
}
