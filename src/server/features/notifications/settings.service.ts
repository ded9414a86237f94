import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import type { ChannelName } from '../../../domain/channels.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { decryptOrNull } from '../../auth/secrets.ts';
import { readCounter } from '../../db/counters.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { type Refusal, refuse } from '../../refused.ts';
import {
  cancelPending,
  lastSentAt,
  nextFailed,
  pendingCount,
  readChannelSettings,
} from './notifications.repo.ts';
import { paceOf, sendTestMessage } from './notifications.service.ts';
import { GIVE_UP_AFTER, nextSendAt, sanitizeRate } from './pace.ts';

export const notificationsCalls = calls(adminCalls.notifications, {
  status: notificationsStatus,
  takeBack: cancelNotifications,
  test: testNotifications,
  chats: (ctx) => searchChats(ctx),
});

type Outputs = InferContractRouterOutputs<typeof contract>['admin']['notifications'];
type OfChannel = { canale: ChannelName };
type ChannelStatus = Outputs['status'][ChannelName];

/** Returns for each channel the number of pending messages, their last error, and the time of the last sent one. */
export async function notificationsStatus({ db, now }: AdminCtx): Promise<Outputs['status']> {
  const [telegram, email] = await Promise.all([
    channelStatus(db, 'telegram', now()),
    channelStatus(db, 'email', now()),
  ]);
  return { telegram, email };
}

async function channelStatus(db: Db, channel: ChannelName, now: Date): Promise<ChannelStatus> {
  const time = now.getTime();
  const since = new Date(time - GIVE_UP_AFTER);
  const [in_attesa, failed, pace, ultimo_invio] = await Promise.all([
    pendingCount(db, channel, since),
    nextFailed(db, channel, since),
    readCounter(db, paceOf(channel)),
    lastSentAt(db, channel),
  ]);
  return {
    in_attesa,
    ultimo_errore: failed && lastError(failed, sanitizeRate(pace?.resets_at ?? 0, time)),
    ultimo_invio,
  };
}

/** A due message still waits for the channel's shared pace. */
function lastError({ error, at }: { error: string; at: string }, pace: number) {
  const next = Math.max(Date.parse(at), nextSendAt(pace));
  return { messaggio: error, prossimo_tentativo: new Date(next).toISOString() };
}

export async function cancelNotifications(
  { inTransaction }: AdminCtx,
  { canale }: OfChannel,
): Promise<Outputs['takeBack']> {
  return { tolti: await inTransaction((tx) => cancelPending(tx, canale)) };
}

/** Sends «Invia un messaggio di prova». */
export async function testNotifications(
  ctx: AdminCtx,
  { canale }: OfChannel,
): Promise<Outputs['test'] | Refusal<'NOT_CONFIGURED'>> {
  return sendTestMessage(ctx, canale);
}

/** Returns the chats with recent updates for the saved bot, from one request that `signal` aborts. */
export async function searchChats(
  { env, db, secret }: AdminCtx,
  signal?: AbortSignal,
): Promise<Outputs['chats'] | Refusal<'NOT_CONFIGURED'>> {
  const { telegram_bot_token: sealed = null } = (await readChannelSettings(db)) ?? {};
  const token = sealed === null ? null : decryptOrNull(secret, sealed);
  if (token === null) return refuse('NOT_CONFIGURED');
  const { findChats } = await import('./chats.ts');
  return findChats(env.TELEGRAM_API_ROOT, token, signal);
}
