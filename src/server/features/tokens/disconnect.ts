import { type ForcedReason, isForced } from '../../../domain/visit-state.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { findSite } from '../config/config.repo.ts';
import { lockUnfinishedOf, updateSession } from '../visit/sessions.repo.ts';
import { closeSession } from '../visit/sessions.service.ts';

/** Visits that were cut in a transaction; to be told of once it is committed. */
export type Cut = { session_ids: string[]; reason: ForcedReason; contatto: string | null };

/**
 * Disconnects every holder of a code (decision 7): open sessions are closed with one `forced_disconnect` each, those closed already can't be taken
 * up again. All are held first, so that a visit which is just being opened again doesn't slip through.
 */
export async function disconnectHolders(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<Cut> {
  const holders = await lockUnfinishedOf(tx, token_id);
  for (const session of holders) {
    if (session.is_active) await closeSession(tx, session.id, reason, now);
    else if (!isForced(session.disconnection_reason) || reason === 'token_deleted')
      await updateSession(tx, session.id, { disconnection_reason: reason });
  }
  const site = await findSite(tx);
  return { session_ids: holders.map(({ id }) => id), reason, contatto: site?.contatto ?? null };
}

/** Tells every node, after the commit, to cut the live channels and media streams of these visits. Heartbeats tell what gets lost. */
export function announceCut(deps: Pick<Deps, 'live' | 'log'>, { session_ids, reason, contatto }: Cut): void {
  if (session_ids.length === 0) return;
  const disconnection = { reason, contatto };
  deps.live.publish({ type: 'disconnected', session_ids, disconnection }).catch((error: unknown) => {
    deps.log.error({ err: error }, 'disconnection not published');
  });
}
