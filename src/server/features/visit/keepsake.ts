import type { Insertable } from 'kysely';
import { isKeepsakeOpen } from '../../../domain/evening.ts';
import { KEEPSAKE } from '../../../domain/limits.ts';
import type { Db, KeepsakesTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findSiteSettings } from '../config/config.ts';
import { hashSecret, keepsakeSecretOf } from './visitor.ts';

const brand = Symbol('Keepsake');

/**
 * Proof that the caller's device finished this visit and may view it now: its code is active and the last day has not passed
 * (decision 064). `open` is true if the code was entered again. Created only in this file.
 */
export type Keepsake = {
  readonly row: NonNullable<Awaited<ReturnType<typeof findByKeepsakeCookie>>>;
  /** Last day, `YYYY-MM-DD`. */
  readonly until: string;
  readonly open: boolean;
  readonly [brand]: true;
};

type KeepsakeRequest = { deps: Pick<Deps, 'db' | 'now'>; cookies: { keepsake: string | null } };

/** Called at the end of a visit. Lets its device return if the administrator offers a keepsake now. */
export async function createKeepsake(
  { tx, key, now }: { tx: Db; key: Buffer; now: Date },
  session_id: string,
): Promise<void> {
  if ((await lastDay(tx, now)) === null) return;
  const cookie_hash = hashSecret(keepsakeSecretOf(key, session_id));
  await insertKeepsake(tx, { session_id, cookie_hash, given_at: now.toISOString() });
}

/** Returns the secret for the device that just finished this visit, or null without a keepsake. */
export async function keepsakeSecretFor({ db, secret }: Deps, session_id: string): Promise<string | null> {
  return (await hasKeepsake(db, session_id)) ? keepsakeSecretOf(secret, session_id) : null;
}

/** Returns the expiry of the cookie. The server decides separately what it opens, and until when. */
export function keepsakeCookieExpiry({ now }: Deps): Date {
  return new Date(now().getTime() + KEEPSAKE.cookieMs);
}

/** Returns the current keepsake of the request's device, or null. */
export async function findKeepsake({
  deps: { db, now },
  cookies: { keepsake: secret },
}: KeepsakeRequest): Promise<Keepsake | null> {
  if (secret === null) return null;
  const until = await lastDay(db, now());
  const row = until === null ? undefined : await findByKeepsakeCookie(db, hashSecret(secret));
  if (until === null || row === undefined) return null;
  const open = row.open_until !== null && row.open_until > now().toISOString();
  return { row, until, open, [brand]: true };
}

/** Guards the entry of a keepsake: this device must have one. */
export async function requireKeepsake(
  request: KeepsakeRequest,
): Promise<{ keepsake: Keepsake } | Refusal<'NO_KEEPSAKE'>> {
  const keepsake = await findKeepsake(request);
  return keepsake === null ? refuse('NO_KEEPSAKE') : { keepsake };
}

/** Guards the content of a keepsake: the code must have been entered again. */
export async function requireOpenKeepsake(
  request: KeepsakeRequest,
): Promise<{ keepsake: Keepsake } | Refusal<'NO_KEEPSAKE' | 'KEEPSAKE_CLOSED'>> {
  const found = await requireKeepsake(request);
  return isRefused(found) || found.keepsake.open ? found : refuse('KEEPSAKE_CLOSED');
}

/** Returns true if the keepsake is still open for this device. Rechecked during a transfer. */
export async function isKeepsakeStillOpen(request: KeepsakeRequest): Promise<boolean> {
  return (await findKeepsake(request))?.open ?? false;
}

/** Returns the snapshot hashes of visits that may be viewed again. */
export async function keepsakeSnapshots(db: Db, now: Date): Promise<string[]> {
  return (await lastDay(db, now)) === null ? [] : snapshotsOfKeepsakes(db);
}

async function lastDay(db: Db, now: Date): Promise<string | null> {
  const until = (await findSiteSettings(db))?.keepsake_until ?? null;
  return isKeepsakeOpen(until, now) ? until : null;
}

/** Records that a device may return to its evening, once for each visit. */
export async function insertKeepsake(tx: Db, keepsake: Insertable<KeepsakesTable>): Promise<void> {
  await tx
    .insertInto('keepsakes')
    .values(keepsake)
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
}

export async function hasKeepsake(db: Db, session_id: string): Promise<boolean> {
  const keepsakes = db.selectFrom('keepsakes').select('session_id').where('session_id', '=', session_id);
  return (await keepsakes.executeTakeFirst()) !== undefined;
}

/** Keepsakes whose code exists and is active. */
const withActiveCode = (db: Db) =>
  db
    .selectFrom('keepsakes')
    .innerJoin('active_sessions', 'active_sessions.id', 'keepsakes.session_id')
    .innerJoin('tokens', 'tokens.id', 'active_sessions.token_id')
    .where('tokens.attivo', '=', true);

/** Returns the visit that the device with this cookie finished, with its keepsake. Undefined if the code is deleted or inactive. */
export async function findByKeepsakeCookie(db: Db, cookie_hash: string) {
  return withActiveCode(db)
    .selectAll('active_sessions')
    .select(['open_until', 'reply', 'replied_at'])
    .where('keepsakes.cookie_hash', '=', cookie_hash)
    .executeTakeFirst();
}

/** Returns the distinct snapshot hashes of these visits. */
export async function snapshotsOfKeepsakes(db: Db): Promise<string[]> {
  const rows = await withActiveCode(db).select('snapshot_hash').distinct().execute();
  return rows.map(({ snapshot_hash }) => snapshot_hash);
}

export async function updateKeepsake(
  tx: Db,
  session_id: string,
  change: Partial<Omit<KeepsakesTable, 'session_id' | 'cookie_hash'>>,
): Promise<void> {
  await tx.updateTable('keepsakes').set(change).where('session_id', '=', session_id).execute();
}
