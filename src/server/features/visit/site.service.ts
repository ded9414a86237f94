import type { Disconnection } from '../../../contract/visit.ts';
import { isSiteClosed } from '../../../domain/access.ts';
import type { Deps } from '../../deps.ts';
import { findSite } from '../config/config.repo.ts';
import { disconnectionOf } from './presence.service.ts';
import type { VisitHolder } from './visitor-session.ts';

/** For so long the access screen still says why the visit ended, in milliseconds. */
const TOLD_FOR_MS = 600_000;

export type SiteState = {
  data_laurea: string | null;
  closed: boolean;
  resumable: boolean;
  disconnection: Disconnection | null;
};

/** What the access screen must know: spends nothing, changes nothing. */
export async function siteState(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  holder: VisitHolder | null,
): Promise<SiteState> {
  const data_laurea = (await findSite(db))?.data_laurea ?? null;
  const alive = holder?.state === 'open' || holder?.state === 'paused';
  return {
    data_laurea,
    closed: isSiteClosed(data_laurea, now()),
    resumable: alive,
    disconnection: holder && wasJustCut(holder, now()) ? await disconnectionOf(db, holder.row.id) : null,
  };
}

function wasJustCut({ row, state }: VisitHolder, now: Date): boolean {
  if (state !== 'disconnected' || row.disconnected_at === null) return false;
  return now.getTime() - Date.parse(row.disconnected_at) < TOLD_FOR_MS;
}
