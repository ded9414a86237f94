import { isKeepsakeOpen } from '../../../domain/keepsake.ts';
import { KEEPSAKE } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Refusal } from '../../refused.ts';
import { findSiteSettings } from '../config/config.repo.ts';
import { hashSecret, keepsakeSecretOf } from './cookie-secret.ts';
import {
  findByKeepsakeCookie,
  hasKeepsake,
  insertKeepsake,
  type KeptVisit,
  snapshotsOfKeepsakes,
} from './keepsake.repo.ts';
import type { VisitHolder } from './visitor-session.ts';

const brand = Symbol('Keepsake');

/**
 * Proof that the caller's device finished this visit and may look at it again now: its code stands, a keepsake is left, and its day has not
 * passed (decision 064). Whether the code was typed again is `open`. Minted only here.
 */
export type Keepsake = {
  readonly row: KeptVisit;
  /** Its last day, `YYYY-MM-DD`. */
  readonly until: string;
  readonly open: boolean;
  readonly [brand]: true;
};

/** What the guards need of a request. */
type KeepsakeRequest = { deps: Pick<Deps, 'db' | 'now'>; cookies: { keepsake: string | null } };

/** At the end of a visit: its device may come back, where the administrator leaves a keepsake now. */
export async function createKeepsake(
  { tx, key, now }: { tx: Db; key: Buffer; now: Date },
  session_id: string,
): Promise<void> {
  if ((await lastDay(tx, now)) === null) return;
  const cookie_hash = hashSecret(keepsakeSecretOf(key, session_id));
  await insertKeepsake(tx, { session_id, cookie_hash, given_at: now.toISOString() });
}

/** The secret for the device that has just finished this visit, or null where nothing was given. */
export async function keepsakeSecretFor(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { row: { id } }: VisitHolder,
): Promise<string | null> {
  return (await hasKeepsake(db, id)) ? keepsakeSecretOf(secret, id) : null;
}

/** Until when the browser keeps the cookie. What it opens, and until when, is the server's to say. */
export function keepsakeCookieExpiry({ now }: Pick<Deps, 'now'>): Date {
  return new Date(now().getTime() + KEEPSAKE.cookieMs);
}

/** The keepsake of the device with this secret, or null where there is none now. */
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

/** The guard of the keepsake's door: there is one for this device. */
export async function requireKeepsake({
  deps,
  cookies,
}: KeepsakeRequest): Promise<{ keepsake: Keepsake } | Refusal<'NO_KEEPSAKE'>> {
  const keepsake = await findKeepsake(deps, cookies.keepsake);
  return keepsake === null ? { refused: 'NO_KEEPSAKE' } : { keepsake };
}

/** The guard of everything behind it: the code was typed again. */
export async function requireOpenKeepsake(
  asking: KeepsakeRequest,
): Promise<{ keepsake: Keepsake } | Refusal<'NO_KEEPSAKE' | 'KEEPSAKE_CLOSED'>> {
  const found = await requireKeepsake(asking);
  return 'refused' in found || found.keepsake.open ? found : { refused: 'KEEPSAKE_CLOSED' };
}

/** Is it still open for this device? Asked again while one of its files is on its way. */
export async function isKeepsakeStillOpen({ deps, cookies }: KeepsakeRequest): Promise<boolean> {
  return (await findKeepsake(deps, cookies.keepsake))?.open ?? false;
}

/** What the visits that may be looked at again began with, by its hash. */
export async function keepsakeSnapshots(db: Db, now: Date): Promise<string[]> {
  return (await lastDay(db, now)) === null ? [] : snapshotsOfKeepsakes(db);
}

async function lastDay(db: Db, now: Date): Promise<string | null> {
  const until = (await findSiteSettings(db))?.keepsake_until ?? null;
  return isKeepsakeOpen(until, now) ? until : null;
}
