import type { Disconnection } from '../../../contract/visit.ts';
import { isSiteClosed } from '../../../domain/access.ts';
import { MINUTE_MS } from '../../../domain/limits.ts';
import { fillName } from '../../../domain/recipient-name.ts';
import type { Deps } from '../../deps.ts';
import { findSiteSettings } from '../config/config.ts';
import { findKeepsake } from './keepsake.ts';
import { disconnectionOf } from './presence.service.ts';
import type { VisitHolder } from './visitor-session.ts';

/** Time in ms during which the access screen shows why the visit ended. */
const REASON_SHOWN_MS = 10 * MINUTE_MS;

export type SiteState = {
  data_laurea: string | null;
  closed: boolean;
  resumable: boolean;
  disconnection: Disconnection | null;
  keepsake: boolean;
  footer_text: string | null;
  privacy_notice: string | null;
};

/**
 * Returns the state for the access screen. Changes nothing.
 * @param keepsake the device's secret, if it has one
 */
export async function siteState(
  deps: Pick<Deps, 'db' | 'now'>,
  holder: VisitHolder | null,
  keepsake: string | null = null,
): Promise<SiteState> {
  const { db, now } = deps;
  const found = await findSiteSettings(db);
  const data_laurea = found?.data_laurea ?? null;
  const isResumable = holder?.state === 'open' || holder?.state === 'paused';
  return {
    data_laurea,
    closed: isSiteClosed(data_laurea, now()),
    resumable: isResumable,
    disconnection:
      holder && wasJustDisconnected(holder, now()) ? await disconnectionOf(db, holder.row.id) : null,
    keepsake: (await findKeepsake(deps, keepsake)) !== null,
    // Anyone may read it, so it never contains the recipient's name.
    footer_text: found?.footer_text == null ? null : fillName(found.footer_text, null),
    privacy_notice: found?.privacy_notice ?? null,
  };
}

function wasJustDisconnected({ row, state }: VisitHolder, now: Date): boolean {
  if (state !== 'disconnected' || row.disconnected_at === null) return false;
  return now.getTime() - Date.parse(row.disconnected_at) < REASON_SHOWN_MS;
}
