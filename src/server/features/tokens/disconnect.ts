import type { ForcedReason } from '../../../domain/visit-state.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { findSiteSettings } from '../config/config.repo.ts';
import { lockUnfinishedOf } from '../visit/sessions.repo.ts';
import { disconnectSessions } from '../visit/sessions.service.ts';

/** Visits that are cut in a transaction. */
export type ForcedDisconnection = { session_ids: string[]; reason: ForcedReason; contatto: string | null };

/**
 * Disconnects every holder of a code (decision 7): open sessions are closed with one `forced_disconnect` each, those closed already can't be taken
 * up again. All are held first, so that a visit which is just being opened again doesn't slip through.
 */
export async function disconnectHolders(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<ForcedDisconnection> {
  const session_ids = await lockUnfinishedOf(tx, token_id);
  await disconnectSessions(tx, token_id, reason, now);
  const site = await findSiteSettings(tx);
  return { session_ids, reason, contatto: site?.contatto ?? null };
}

/**
 * Tells every node to cut the live channels and media streams of these visits: the others by the transaction itself, which none can miss whom
 * the commit reaches, this one by what is returned, to be called after it. What gets lost all the same is found in the database
 * (`live/connections.ts`).
 */
export async function publishDisconnection(
  { live }: Pick<Deps, 'live'>,
  tx: Db,
  { session_ids, reason, contatto }: ForcedDisconnection,
): Promise<() => void> {
  if (session_ids.length === 0) return () => {};
  return live.publishInTransaction(tx, {
    type: 'disconnected',
    session_ids,
    disconnection: { reason, contatto },
  });
}
