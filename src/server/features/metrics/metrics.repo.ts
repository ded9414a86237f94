import type { ChannelName } from '../../../domain/channels.ts';
import type { Db } from '../../db/tables.ts';
import { isPending } from '../notifications/notifications.repo.ts';

/** Counts open visits, including those left a moment ago. */
export async function countOpenVisits(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('active_sessions')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Unsent messages of a channel: all, and those whose last attempt failed. */
export type Queue = { waiting: number; failed: number };

export async function readQueue(db: Db, channel: ChannelName, now: Date): Promise<Queue> {
  const counts = await isPending(db, channel, now)
    .select((eb) => {
      const all = eb.fn.countAll();
      return [all.as('waiting'), all.filterWhere('last_error', 'is not', null).as('failed')];
    })
    .executeTakeFirstOrThrow();
  return { waiting: Number(counts.waiting), failed: Number(counts.failed) };
}
