import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import { latestSongStart } from '../../../domain/content.ts';
import { REFUSED_ENTRY_RETENTION_DAYS } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { resumeNotifications } from '../notifications/notifier.ts';
import { affectsChannel, channelSettingsOf, clearStalePassword, encryptSecrets } from './channel-settings.ts';
import { type ConfigRow, ensureConfig, findConfig, songSeconds, updateConfig } from './config.repo.ts';
import { configurationOf, EMPTY_CONFIGURATION, toRowChange } from './config-row.ts';
import { moveRemovedToBin } from './lost-to-bin.ts';

export const configCalls = calls(adminCalls.config, { read: readConfig, save: saveConfig });

type Outputs = InferContractRouterOutputs<typeof contract>['admin']['config'];
type Save = InferContractRouterInputs<typeof contract>['admin']['config']['save'];

/** Returns the configuration and its version; 0 before the first save. Excludes the bot token and the password. */
export async function readConfig({ db, secret }: AdminCtx): Promise<Outputs['read']> {
  return settingsFromRow(secret, await findConfig(db));
}

/** Converts the row to the same output, for callers without an actor. */
export function settingsFromRow(secret: Buffer, row: ConfigRow | undefined): Outputs['read'] {
  return {
    ...(row === undefined ? EMPTY_CONFIGURATION : configurationOf(row)),
    ...channelSettingsOf(secret, row),
    contatto: row?.contatto ?? null,
    data_laurea: row?.data_laurea ?? null,
    opens_at: row?.opens_at ?? null,
    keepsake_until: row?.keepsake_until ?? null,
    privacy_notice: row?.privacy_notice ?? null,
    footer_text: row?.footer_text ?? null,
    share_message: row?.share_message ?? null,
    card_title: row?.card_title ?? null,
    tries_kept_days: row?.tries_kept_days ?? REFUSED_ENTRY_RETENTION_DAYS.default,
    versione: row?.versione ?? 0,
  };
}

/**
 * Saves some fields if the version is still `versione`; otherwise writes nothing. The first save creates the row.
 * Returns NOT_FOUND if the row was deleted after it was read.
 */
export async function saveConfig(
  ctx: AdminCtx,
  { versione, fields }: Save,
): Promise<Outputs['save'] | Refusal<'STALE_VERSION' | 'NOT_FOUND' | 'SONG_START_TOO_LATE'>> {
  const change = { ...toRowChange(fields), ...encryptSecrets(ctx.secret, fields) };
  const saved = await ctx.inTransaction<Awaited<ReturnType<typeof saveConfig>>>(async (tx) => {
    const now = ctx.now();
    if (versione === 0) await ensureConfig(tx, now);
    if (await startsTooLate(tx, versione, fields)) return refuse('SONG_START_TOO_LATE');
    const before = await findConfig(tx);
    const forgotten = await clearStalePassword(tx, fields);
    const next = await updateConfig(tx, { ...change, ...forgotten }, versione, now);
    if (next !== undefined && before !== undefined) {
      return { versione: next, bin: await moveRemovedToBin(tx, configurationOf(before), fields, now) };
    }
    return refuse((await findConfig(tx)) === undefined ? 'NOT_FOUND' : 'STALE_VERSION');
  });
  if (isRefused(saved)) return saved;
  publishChange(ctx, 'config');
  for (const channel of CHANNELS) if (affectsChannel(channel, fields)) await retryPending(ctx, channel);
  return saved;
}

/** Returns true if the song would start too close to its end. A stale version returns false, because it has its own refusal. */
async function startsTooLate(
  tx: Db,
  versione: number,
  { canzone_inizio_secondi: start, canzone_url }: Save['fields'],
): Promise<boolean> {
  if (start === undefined || start === 0) return false;
  const stored = await findConfig(tx);
  if (stored?.versione !== versione) return false;
  const seconds = await songSeconds(tx, canzone_url === undefined ? stored.canzone_url : canzone_url);
  return seconds !== null && start > latestSongStart(seconds);
}

/** Retries pending notifications of a changed channel. Errors do not affect the save. */
async function retryPending(ctx: AdminCtx, channel: ChannelName): Promise<void> {
  await resumeNotifications(ctx, channel).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'waiting notifications were not hurried');
  });
}
