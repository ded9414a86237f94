import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SelectQueryBuilder } from 'kysely';
import type { Erasable, Keep } from '../../../contract/admin/archive.ts';
import { LIVE_TOPICS } from '../../../contract/admin/dashboard.ts';
import { fieldsOf } from '../../../domain/configuration.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db, Tables } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { countFiles, emptyTables, enableSecureDelete } from '../archive/archive.repo.ts';
import { erasedTables } from '../archive/rules.ts';
import { lockConfig, setConfig } from '../config/config.ts';
import { closeGeneration } from '../rehearsal/rehearsal.ts';
import { publishDisconnection } from '../tokens/tokens.ts';
import { stopWork } from '../uploads/uploads.ts';

export const eraseCalls = calls(adminCalls.erase, { look: erasable, carryOut: eraseEvening });

/** Counts what can be erased and the backups that stay. */
export async function erasable({ db, env }: AdminCtx): Promise<Erasable> {
  const sessions = db.selectFrom('active_sessions');
  const [visits, living, answers, replies, codes, events, accesses, files, backups] = await Promise.all([
    count(sessions),
    count(sessions.where('is_active', '=', true)),
    count(db.selectFrom('checkbox_responses')),
    count(db.selectFrom('keepsakes').where('reply', 'is not', null)),
    count(db.selectFrom('tokens')),
    count(db.selectFrom('event_logs')),
    count(db.selectFrom('access_logs')),
    countFiles(db.selectFrom('media')),
    readdir(join(env.DATA_DIR, 'backups')).catch(() => []),
  ]);
  return {
    visits,
    living,
    answers,
    replies,
    codes,
    events: events + accesses,
    ...files,
    backups: backups.filter((name) => name.endsWith('.zip')).length,
  };
}

async function count<T extends keyof Tables>(rows: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await rows.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * Erases the evening (decision 066): rows in one transaction, then the bytes of all files. After a crash in between,
 * the media sweep removes the bytes a day later. Visits in progress end as if their code was deleted.
 */
export async function eraseEvening(ctx: AdminCtx, { keep }: { keep: Keep }): Promise<{ erased: true }> {
  await dropUploads(ctx);
  // Files stored later belong to the next evening.
  const keys: string[] = [];
  for await (const key of ctx.storage.keys()) keys.push(key);
  const notifyNode = await ctx.inTransaction((tx) => eraseRows(ctx, tx, keep));
  notifyNode();
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

/** Returns the function that notifies this node after the commit. */
async function eraseRows(ctx: AdminCtx, tx: Db, keep: Keep): Promise<() => void> {
  await enableSecureDelete(tx);
  const config = await lockConfig(tx);
  // Entries wait, and then see its result.
  await tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .execute();
  const resumable = await tx
    .selectFrom('active_sessions')
    .select('id')
    .where('completed_at', 'is', null)
    .execute();
  const ids = resumable.map(({ id }) => id);
  const notifyNode = await publishDisconnection(ctx, tx, ids, 'token_deleted');
  await emptyTables(tx, erasedTables(keep));
  if (keep.configuration && config !== undefined) await setConfig(tx, WITHOUT_FILES, ctx.now());
  await closeGeneration(tx);
  return notifyNode;
}

/** Clears the references to files, because all files are deleted. */
const WITHOUT_FILES = Object.fromEntries(fieldsOf('file').map((field) => [field, null]));
