import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import type { ChannelName } from '../../../domain/channels.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { decryptOrNull } from '../../auth/secrets.ts';
import { readCounter } from '../../db/counters.ts';
import { calls } from '../../http/calls.ts';
import { type Refusal, refuse } from '../../refused.ts';
import {
  cancelPending,
  lastSentAt,
  nextFailed,
  pendingCount,
  readChannelSettings,
} from './notifications.repo.ts';
import { paceOf, sendTestMessage } from './notifier.ts';
import { nextSendAt, sanitizeRate } from './pace.ts';
import { findChats } from './telegram.ts';

type Outputs = InferContractRouterOutputs<typeof contract>['admin']['notifications'];

export const notificationsCalls = calls(adminCalls.notifications, {
  status: notificationsStatus,
  takeBack: cancelNotifications,
  test: sendTestMessage,
  chats: searchChats,
});

/** Returns for each channel the number of pending messages, their last error, and the time of the last sent one. */
export async function notificationsStatus(ctx: AdminCtx): Promise<Outputs['status']> {
  const [telegram, email] = await Promise.all([channelStatus(ctx, 'telegram'), channelStatus(ctx, 'email')]);
  return { telegram, email };
}

async function channelStatus(
  { db, now }: AdminCtx,
  channel: ChannelName,
): Promise<Outputs['status'][ChannelName]> {
  const time = now();
  const [in_attesa, failed, pace, ultimo_invio] = await Promise.all([
    pendingCount(db, channel, time),
    nextFailed(db, channel, time),
    readCounter(db, paceOf(channel)),
    lastSentAt(db, channel),
  ]);
  if (failed === undefined) return { in_attesa, ultimo_errore: null, ultimo_invio };
  // A due message still waits for the channel's shared pace.
  const opens = nextSendAt(sanitizeRate(pace?.resets_at ?? 0, time.getTime()));
  const prossimo_tentativo = new Date(Math.max(Date.parse(failed.at), opens)).toISOString();
  return { in_attesa, ultimo_errore: { messaggio: failed.error, prossimo_tentativo }, ultimo_invio };
}

export async function cancelNotifications(
  { inTransaction }: AdminCtx,
  { canale }: { canale: ChannelName },
): Promise<Outputs['takeBack']> {
  return { tolti: await inTransaction((tx) => cancelPending(tx, canale)) };
}

/** Returns the chats with recent updates for the saved bot. */
export async function searchChats({
  env,
  db,
  secret,
}: AdminCtx): Promise<Outputs['chats'] | Refusal<'NOT_CONFIGURED'>> {
  const { telegram_bot_token: sealed = null } = (await readChannelSettings(db)) ?? {};
  const token = sealed === null ? null : decryptOrNull(secret, sealed);
  return token === null ? refuse('NOT_CONFIGURED') : findChats({ apiRoot: env.TELEGRAM_API_ROOT, token });
}
