import { VISIT_LIFETIME_MS } from './limits.ts';
import type { VISIT_STATES } from './phase.ts';

/**
 * open: under way. paused: closed after silence or leaving, can be resumed. ended: completed, or older than 24 hours.
 * disconnected: the administrator revoked or deleted the code.
 */
export type VisitState = (typeof VISIT_STATES)[number];

export const FORCED_REASONS = ['token_revoked', 'token_deleted'] as const;
export type ForcedReason = (typeof FORCED_REASONS)[number];

type Judged = {
  is_active: boolean;
  started_at: string;
  completed_at: string | null;
  disconnection_reason: string | null;
};

export function visitState(session: Judged, now: Date): VisitState {
  if (session.completed_at !== null) return 'ended';
  if (isForced(session.disconnection_reason)) return 'disconnected';
  if (now.getTime() - Date.parse(session.started_at) >= VISIT_LIFETIME_MS) return 'ended';
  return session.is_active ? 'open' : 'paused';
}

/** Returns true if the administrator closed the session. */
export function isForced(reason: string | null): reason is ForcedReason {
  return FORCED_REASONS.some((forced) => forced === reason);
}
