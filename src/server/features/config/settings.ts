import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import { latestSongStart } from '../../../domain/content.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { decryptOrNull, encrypt } from '../../auth/secrets.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { resumeNotifications } from '../notifications/notifier.ts';
import { type ConfigRow, configurationOf, EMPTY_ROW, findConfig, saveVersioned } from './config.ts';

export const configCalls = calls(adminCalls.config, { read: readConfig, save: saveConfig });

type Outputs = InferContractRouterOutputs<typeof contract>['admin']['config'];
type Save = InferContractRouterInputs<typeof contract>['admin']['config']['save'];

/** Returns the configuration and its version; 0 before the first save. Excludes the bot token and the password. */
export async function readConfig({ db, secret }: AdminCtx): Promise<Outputs['read']> {
  return settingsFromRow(secret, await findConfig(db));
}

/**
 * Converts the row to the same output, for callers without an actor: the last four characters of the bot token, and only
 * whether a password is stored.
 */
export function settingsFromRow(secret: Buffer, row: ConfigRow = EMPTY_ROW): Outputs['read'] {
  const { id: _id, updated_at: _updated_at, telegram_bot_token, smtp_password, ...settings } = row;
  // A value that can't be decrypted must be entered again; everything else still works.
  const readable = (sealed: string | null) => (sealed === null ? null : decryptOrNull(secret, sealed));
  const token = readable(telegram_bot_token);
  return {
    ...settings,
    ...configurationOf(row),
    telegram_bot_token_masked: token === null ? null : `••••${token.slice(-4)}`,
    smtp_password_kept: readable(smtp_password) !== null,
  };
}

/** Fields that are the channel's target. */
const SETTINGS_OF: Readonly<Record<ChannelName, RegExp>> = {
  telegram: /^telegram_/,
  email: /^(smtp|email)_/,
};

/**
 * Saves some fields if the version is still `versione`; otherwise writes nothing. The first save creates the row.
 * Returns NOT_FOUND if the row was deleted after it was read.
 */
export async function saveConfig(
  ctx: AdminCtx,
  { versione, fields }: Save,
): Promise<Outputs['save'] | Refusal<'STALE_VERSION' | 'NOT_FOUND' | 'SONG_START_TOO_LATE'>> {
  const saved = await saveVersioned(ctx, 'admin_config', versione, async (tx, before) =>
    (await startsTooLate(tx, before, fields))
      ? refuse('SONG_START_TOO_LATE')
      : { ...fields, ...secretsToStore(ctx.secret, before, fields) },
  );
  if (saved === null) return refuse('NOT_FOUND');
  if (isRefused(saved)) return saved;
  for (const channel of CHANNELS)
    if (Object.keys(fields).some((field) => SETTINGS_OF[channel].test(field)))
      // Its errors do not affect the save.
      await resumeNotifications(ctx, channel).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'waiting notifications were not hurried');
      });
  return { versione: saved.row.versione, bin: saved.bin };
}

/**
 * Returns the bot token and the password encrypted, if the fields have them. Clears the password if the server changes
 * without a new one: otherwise someone at the page could have it sent to a server of their choice.
 */
function secretsToStore(
  secret: Buffer,
  before: ConfigRow,
  { telegram_bot_token, smtp_password, smtp_host }: Save['fields'],
) {
  const sealed = (text: string | null | undefined) => (text ? encrypt(secret, text) : text);
  const isStale = smtp_host !== undefined && smtp_host !== before.smtp_host && smtp_password === undefined;
  return {
    telegram_bot_token: sealed(telegram_bot_token),
    smtp_password: isStale ? null : sealed(smtp_password),
  };
}

/** Returns true if the song would start too close to its end. */
async function startsTooLate(
  tx: Db,
  before: ConfigRow,
  { canzone_inizio_secondi: start, canzone_url }: Save['fields'],
): Promise<boolean> {
  if (start === undefined || start === 0) return false;
  const seconds = await songSeconds(tx, canzone_url === undefined ? before.canzone_url : canzone_url);
  return seconds !== null && start > latestSongStart(seconds);
}

/** Returns the duration of the song in seconds, or null if unknown. */
export async function songSeconds(tx: Db, url: string | null): Promise<number | null> {
  const id = mediaIdOf(url) ?? '';
  const row = await tx.selectFrom('media').select('seconds').where('id', '=', id).executeTakeFirst();
  return row?.seconds ?? null;
}
