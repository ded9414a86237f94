import type { ForcedReason } from '../../../domain/evening.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { findSiteSettings } from '../config/config.repo.ts';
import { lockUnfinishedOf } from '../visit/sessions.repo.ts';
import { disconnectSessions } from '../visit/sessions.service.ts';

/** Visits disconnected in a transaction. */
export type ForcedDisconnection = { session_ids: string[]; reason: ForcedReason; contatto: string | null };

/**
 * Disconnects all holders of a code: closes open sessions with one `forced_disconnect` each, and prevents closed ones from resuming.
 * Locks all of them first, so that a session that is being resumed isn't missed.
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
 * Publishes to all nodes that the live channels and transfers of these visits must close. Other nodes receive it with the commit;
 * the returned function notifies this node and must be called after the commit. Lost messages are found in the database
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
