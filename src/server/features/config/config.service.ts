import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { latestSongStart } from '../../../domain/content.ts';
import type { AdminActor } from '../../auth/actor.ts';
import { decryptOrNull, encrypt } from '../../auth/secrets.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { resumeNotifications } from '../notifications/notifications.service.ts';
import { type ConfigRow, ensureConfig, findConfig, songSeconds, updateConfig } from './config.repo.ts';
import { changeOf, configurationOf, EMPTY_CONFIGURATION } from './config-row.ts';

type Outputs = InferContractRouterOutputs<typeof contract>['admin']['config'];
type Save = InferContractRouterInputs<typeof contract>['admin']['config']['save'];

/** The configuration with its version; 0 means that nothing was ever saved. The bot token only by its last four signs. */
export async function readConfig(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  _actor: AdminActor,
): Promise<Outputs['read']> {
  const row = await findConfig(db);
  return {
    ...(row === undefined ? EMPTY_CONFIGURATION : configurationOf(row)),
    telegram_chat_id: row?.telegram_chat_id ?? null,
    contatto: row?.contatto ?? null,
    data_laurea: row?.data_laurea ?? null,
    telegram_bot_token_masked: maskedToken(secret, row),
    versione: row?.versione ?? 0,
  };
}

/** A token that can't be read any more is as good as none: it has to be given again, and everything else goes on. */
function maskedToken(secret: Buffer, row: ConfigRow | undefined): string | null {
  const token = row?.telegram_bot_token ? decryptOrNull(secret, row.telegram_bot_token) : null;
  return token === null ? null : `••••${token.slice(-4)}`;
}

/**
 * Saves some fields if nobody has saved since `versione` was read; else nothing is written. The first save makes the row; NOT_FOUND: there
 * was one when it was read, and there is none any more.
 */
export async function saveConfig(
  deps: Pick<Deps, 'inTransaction' | 'secret' | 'now' | 'live' | 'log'>,
  _actor: AdminActor,
  { versione, fields: { telegram_bot_token, ...fields } }: Save,
): Promise<Outputs['save'] | Refused<'STALE_VERSION' | 'NOT_FOUND' | 'SONG_START_TOO_LATE'>> {
  const change = {
    ...changeOf(fields),
    ...(telegram_bot_token === undefined
      ? {}
      : { telegram_bot_token: sealed(deps.secret, telegram_bot_token) }),
  };
  const saved = await deps.inTransaction<Awaited<ReturnType<typeof saveConfig>>>(async (tx) => {
    const now = deps.now();
    if (versione === 0) await ensureConfig(tx, now);
    if (await startsTooLate(tx, versione, fields)) return { refused: 'SONG_START_TOO_LATE' };
    const next = await updateConfig(tx, change, versione, now);
    if (next !== undefined) return { versione: next };
    return { refused: (await findConfig(tx)) === undefined ? 'NOT_FOUND' : 'STALE_VERSION' };
  });
  if (isRefused(saved)) return saved;
  announce(deps, 'config');
  if (telegram_bot_token !== undefined || fields.telegram_chat_id !== undefined) await hurry(deps);
  return saved;
}

/** Would the song start when next to nothing of it is left? Who saves over something else hears of that first. */
async function startsTooLate(
  tx: Db,
  versione: number,
  { canzone_inizio_secondi: start, canzone_url }: Omit<Save['fields'], 'telegram_bot_token'>,
): Promise<boolean> {
  if (start === undefined || start === 0) return false;
  const stored = await findConfig(tx);
  if (stored?.versione !== versione) return false;
  const seconds = await songSeconds(tx, canzone_url === undefined ? stored.canzone_url : canzone_url);
  return seconds !== null && start > latestSongStart(seconds);
}

/** What waits because of the old bot or chat is tried again at once. The save stands, whatever becomes of this. */
async function hurry(deps: Pick<Deps, 'inTransaction' | 'now' | 'log'>): Promise<void> {
  await resumeNotifications(deps).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'waiting notifications were not hurried');
  });
}

function sealed(secret: Buffer, token: string | null): string | null {
  return token === null ? null : encrypt(secret, token);
}
