import type { ExpressionBuilder } from 'kysely';
import type { ChannelName } from '../../../domain/channels.ts';
import type { Db, Tables } from '../../db/tables.ts';

/** What waits, isn't being sent, and goes a way that isn't set up: of what `channel` doesn't tell by a row of its own. */
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

/** Is there anything for `adopt`? Most looks find nothing. */
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

/** Makes `channel`'s own what waits for the lost ones. What had failed there may be tried at once. */
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
