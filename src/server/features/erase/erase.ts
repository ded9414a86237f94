import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Erasable, Keep } from '../../../contract/admin/archive.ts';
import { LIVE_TOPICS } from '../../../contract/admin/dashboard.ts';
import { fieldsOf } from '../../../domain/configuration.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { emptyTables } from '../archive/archive.repo.ts';
import { findConfig, findSiteSettings, lockConfig, setConfig } from '../config/config.repo.ts';
import { closeGeneration } from '../rehearsal/rehearsal.repo.ts';
import { type ForcedDisconnection, publishDisconnection } from '../tokens/disconnect.ts';
import { stopWork } from '../uploads/uploads.ts';
import { countErasable, enableSecureDelete, lockCodes, unfinishedVisits } from './erase.repo.ts';
import { erasedTables } from './rules.ts';

export const eraseCalls = calls(adminCalls.erase, { look: erasable, carryOut: eraseEvening });

/** Counts what can be erased and the backups that stay. */
export async function erasable({ db, env }: AdminCtx): Promise<Erasable> {
  const backups = await readdir(join(env.DATA_DIR, 'backups')).catch(() => []);
  return { ...(await countErasable(db)), backups: backups.filter((name) => name.endsWith('.zip')).length };
}

/**
 * Erases the evening (decision 066): rows in one transaction, then the bytes of all files. After a crash in between,
 * the media sweep removes the bytes a day later. Visits in progress end as if their code was deleted.
 */
export async function eraseEvening(ctx: AdminCtx, { keep }: { keep: Keep }): Promise<{ erased: true }> {
  await dropUploads(ctx);
  // Files stored later belong to the next evening.
  const keys = await storedKeys(ctx);
  const publishLocally = await ctx.inTransaction(async (tx) =>
    publishDisconnection(ctx, tx, await eraseRows(tx, keep, ctx.now())),
  );
  publishLocally();
  for (const key of keys) await ctx.storage.remove(key);
  publishChange(ctx, ...LIVE_TOPICS);
  ctx.log.warn({ kept: keep }, 'the evening was erased');
  return { erased: true };
}

/** Stops and removes uploads and the records of refused ones, because their names belong to the evening. */
async function dropUploads({ uploads }: AdminCtx): Promise<void> {
  const { folder } = uploads;
  // A node that does not stop finds its files missing.
  for (const { id } of await folder.list()) await stopWork(uploads, id).catch(() => undefined);
  for (const { name } of await folder.entries()) await folder.drop(name);
}

async function storedKeys({ storage }: AdminCtx): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  return keys;
}

async function eraseRows(tx: Db, keep: Keep, now: Date): Promise<ForcedDisconnection> {
  await enableSecureDelete(tx);
  await lockConfig(tx);
  await lockCodes(tx);
  const site = await findSiteSettings(tx);
  const session_ids = await unfinishedVisits(tx);
  const hadConfig = (await findConfig(tx)) !== undefined;
  await emptyTables(tx, erasedTables(keep));
  if (keep.configuration && hadConfig) await setConfig(tx, WITHOUT_FILES, now);
  await closeGeneration(tx);
  return { session_ids, reason: 'token_deleted', contatto: site?.contatto ?? null };
}

/** Clears the references to files, because all files are deleted. */
const WITHOUT_FILES = Object.fromEntries(fieldsOf('file').map((field) => [field, null]));
