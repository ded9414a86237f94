import type { ExpressionBuilder } from 'kysely';
import type { ChannelName } from '../../../domain/channels.ts';
import type { Db, Tables } from '../../db/tables.ts';

/**
 * Condition for pending, unclaimed messages of channels that are not set up (`lost`). Excludes notices of which
 * `channel` has a row.
 */
const orphans =
  (channel: ChannelName, lost: readonly ChannelName[], now: Date) =>
  (eb: ExpressionBuilder<Tables, 'notifications'>) =>
    eb.and([
      eb('notifications.sent_at', 'is', null),
      eb('notifications.channel', 'in', [...lost]),
      eb.or([
        eb('notifications.claim', 'is', null),
        eb('notifications.next_attempt_at', '<=', now.toISOString()),
      ]),
      eb.not(
        eb.exists(
          eb
            .selectFrom('notifications as own')
            .select('own.id')
            .where('own.channel', '=', channel)
            .whereRef('own.notice', '=', 'notifications.notice'),
        ),
      ),
    ]);

/** Returns true if `takeOverMessages` has work; most checks find none. */
export async function hasStrandedMessages(
  db: Db,
  channel: ChannelName,
  lost: readonly ChannelName[],
  now: Date,
): Promise<boolean> {
  if (lost.length === 0) return false;
  const row = await db
    .selectFrom('notifications')
    .select('notifications.id')
    .where(orphans(channel, lost, now))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Moves messages of the lost channels to `channel`. Those that had failed become due at once. */
export async function takeOverMessages(
  tx: Db,
  channel: ChannelName,
  lost: readonly ChannelName[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set((eb) => ({
      channel,
      last_error: null,
      attempts: 0,
      next_attempt_at: eb
        .case()
        .when('attempts', '>', 0)
        .then(now.toISOString())
        .else(eb.ref('next_attempt_at'))
        .end(),
    }))
    .where(orphans(channel, lost, now))
    .execute();
}
