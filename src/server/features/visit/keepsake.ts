import { isKeepsakeOpen } from '../../../domain/evening.ts';
import { KEEPSAKE } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { findSiteSettings } from '../config/config.ts';
import { hashSecret, keepsakeSecretOf } from './cookie-secret.ts';
import {
  findByKeepsakeCookie,
  hasKeepsake,
  insertKeepsake,
  type KeepsakeVisit,
  snapshotsOfKeepsakes,
} from './keepsake.repo.ts';
import type { VisitHolder } from './visitor-session.ts';

const brand = Symbol('Keepsake');

/**
 * Proof that the caller's device finished this visit and may view it now: its code is active and the last day has not passed
 * (decision 064). `open` is true if the code was entered again. Created only in this file.
 */
export type Keepsake = {
  readonly row: KeepsakeVisit;
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
export async function keepsakeSecretFor(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { row: { id } }: VisitHolder,
): Promise<string | null> {
  return (await hasKeepsake(db, id)) ? keepsakeSecretOf(secret, id) : null;
}

/** Returns the expiry of the cookie. The server decides separately what it opens, and until when. */
export function keepsakeCookieExpiry({ now }: Pick<Deps, 'now'>): Date {
  return new Date(now().getTime() + KEEPSAKE.cookieMs);
}

/** Returns the current keepsake of the device with this secret, or null. */
export async function findKeepsake(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  secret: string | null,
): Promise<Keepsake | null> {
  if (secret === null) return null;
  const until = await lastDay(db, now());
  const row = until === null ? undefined : await findByKeepsakeCookie(db, hashSecret(secret));
  if (until === null || row === undefined) return null;
  const open = row.open_until !== null && row.open_until > now().toISOString();
  return { row, until, open, [brand]: true };
}

/** Guards the entry of a keepsake: this device must have one. */
export async function requireKeepsake({
  deps,
  cookies,
}: KeepsakeRequest): Promise<{ keepsake: Keepsake } | Refusal<'NO_KEEPSAKE'>> {
  const keepsake = await findKeepsake(deps, cookies.keepsake);
  return keepsake === null ? refuse('NO_KEEPSAKE') : { keepsake };
}

/** Guards the content of a keepsake: the code must have been entered again. */
export async function requireOpenKeepsake(
  request: KeepsakeRequest,
): Promise<{ keepsake: Keepsake } | Refusal<'NO_KEEPSAKE' | 'KEEPSAKE_CLOSED'>> {
  const found = await requireKeepsake(request);
  return 'refused' in found || found.keepsake.open ? found : refuse('KEEPSAKE_CLOSED');
}

/** Returns true if the keepsake is still open for this device. Rechecked during a transfer. */
export async function isKeepsakeStillOpen({ deps, cookies }: KeepsakeRequest): Promise<boolean> {
  return (await findKeepsake(deps, cookies.keepsake))?.open ?? false;
}

/** Returns the snapshot hashes of visits that may be viewed again. */
export async function keepsakeSnapshots(db: Db, now: Date): Promise<string[]> {
  return (await lastDay(db, now)) === null ? [] : snapshotsOfKeepsakes(db);
}

async function lastDay(db: Db, now: Date): Promise<string | null> {
  const until = (await findSiteSettings(db))?.keepsake_until ?? null;
  return isKeepsakeOpen(until, now) ? until : null;
}
