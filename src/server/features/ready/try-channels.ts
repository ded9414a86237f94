import { createHash } from 'node:crypto';
import type { ChannelName } from '../../../domain/channels.ts';
import type { ChannelState } from '../../../domain/readiness-probes.ts';
import type { Deps } from '../../deps.ts';
import { canSend, openChannels } from '../notifications/channels.ts';
import { readChannelSettings } from '../notifications/notifications.repo.ts';

type ChannelDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'secret' | 'now'>;

/** `settings`: hash of the settings that were checked. */
export type ChannelCheckResult = { settings: string; state: ChannelState };

/** Returns the SHA-256 of a channel's settings. A stored result is only valid for the settings it was found with. */
export async function settingsOf(
  { env, db }: Pick<Deps, 'env' | 'db'>,
  channel: ChannelName,
): Promise<string> {
  const all = (await readChannelSettings(db)) ?? null;
  const { telegram_bot_token, telegram_chat_id, ...mail } = all ?? {};
  const own = channel === 'telegram' ? [env.TELEGRAM_API_ROOT, telegram_bot_token, telegram_chat_id] : mail;
  return createHash('sha256').update(JSON.stringify(own)).digest('hex');
}

/**
 * Checks whether a channel would accept a message.
 * `aheadMs`: lead of this machine's clock over the channel's, in ms; null if unknown.
 */
export async function checkChannel(
  deps: ChannelDeps,
  channel: ChannelName,
  signal: AbortSignal,
): Promise<{ result: ChannelCheckResult; aheadMs: number | null }> {
  const settings = await settingsOf(deps, channel);
  const opened = (await openChannels(deps))[channel];
  // A channel that isn't set up needs no request.
  if (!canSend(opened)) return { result: { settings, state: 'untried' }, aheadMs: null };
  const { state, told: serverTime } = await opened.ask({ signal });
  return {
    result: { settings, state },
    aheadMs: serverTime === null ? null : deps.now().getTime() - serverTime.getTime(),
  };
}

/**
 * Returns the lead of the clock over the certificate authority's, in ms.
 * Null if the server doesn't request its own certificate, or without a reply.
 */
export async function authorityClockOffset(
  { env, now }: Pick<Deps, 'env' | 'now'>,
  signal: AbortSignal,
): Promise<number | null> {
  if (env.HTTPS_DOMAIN === undefined) return null;
  const timeoutSignal = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const answer = await fetch(env.ACME_DIRECTORY, { signal: timeoutSignal }).catch(() => null);
  await answer?.body?.cancel();
  const serverTime = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(serverTime) ? null : now().getTime() - serverTime;
}
