import { randomUUID } from 'node:crypto';
import type { Notification } from '../../../contract/notifications.ts';
import type { Db } from '../../db/tables.ts';

/** What leaves first. Failures wait for each other: many of them become one message. */
export const PRIORITY = { answers: 0, other: 1, failures: 2 } as const;

/**
 * Puts a message in the queue. In the transaction of what it tells about, so that neither exists without the other.
 * Nobody waits for Telegram here.
 */
export async function enqueueNotification(tx: Db, notification: Notification, now: Date): Promise<void> {
  const at = now.toISOString();
  await tx
    .insertInto('notifications')
    .values({
      id: randomUUID(),
      type: notification.type,
      priority: priorityOf(notification),
      payload: JSON.stringify(notification),
      next_attempt_at: at,
      created_at: at,
      attempts: 0,
    })
    .execute();
}

function priorityOf(notification: Notification): number {
  if (notification.type === 'checkbox_response') return PRIORITY.answers;
  const failedEntry = notification.type !== 'error' && !notification.success;
  return failedEntry ? PRIORITY.failures : PRIORITY.other;
}
