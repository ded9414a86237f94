import { accessVerdict, type DeniedReason, isSiteClosed } from '../../../domain/access.ts';
import { ATTEMPT_LIFETIME_MS, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import { isTooEarly } from '../../../domain/opening-time.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { visitState } from '../../../domain/visit-state.ts';
import { findConfig } from '../config/config.repo.ts';
import { hashSecret, visitSecret } from '../visit/cookie-secret.ts';
import { hasUnloaded, pageLoadChange } from '../visit/page-life.ts';
import {
  findByAttempt,
  findCutOff,
  findUnfinished,
  type SessionRow,
  timestampBefore,
  updateSession,
} from '../visit/sessions.repo.ts';
import { reopenSession } from '../visit/sessions.service.ts';
import { visitView } from '../visit/visit-view.ts';
import { loadVisitor } from '../visit/visitor-session.ts';
import { lockTokenByCode, type TokenRow } from './access.repo.ts';
import type { Attempt, EntryContext, EntryDenied, EntryGranted } from './entry.ts';
import { beginVisit } from './new-visit.ts';

/**
 * What a code opens (spec 4 and 5, decisions 1 and 2): the entry already made with this attempt, the unfinished visit of this device,
 * or a new visit that counts one use. Nothing is counted without a session, no session without its count: `tx` keeps both or neither.
 * @param normalized the code, normalised and not empty
 */
export async function redeem(
  at: EntryContext,
  attempt: Attempt,
  normalized: string,
): Promise<EntryGranted | EntryDenied> {
  const { tx, now } = at;
  // A longer one is not looked up, and not stored.
  const typed = normalized.slice(0, REFUSED_ENTRIES.typedSigns);
  // The code first: what is read after it in the same flight is read when it is held.
  const [token, earlier, config, begun] = await Promise.all([
    typed === normalized ? lockTokenByCode(tx, normalized) : undefined,
    findByAttempt(tx, attempt.attempt_id),
    findConfig(tx),
    findUnfinished(tx, holderOf(attempt, typed), now),
  ]);
  const deny = (denied: DeniedReason): EntryDenied => ({
    denied,
    token_id: token?.id ?? null,
    token_value: token?.token ?? typed,
  });
  if (earlier && !isSameEntry(earlier, attempt, token, now)) return deny('attempt_conflict');
  if (!token?.attivo) return deny(token ? 'token_revoked' : 'token_unknown');
  const unfinished = earlier ?? begun ?? (await cutOff(at, attempt, token));
  if (unfinished) return resumeEntry(at, attempt, unfinished, { resumed: earlier === undefined });
  const verdict = accessVerdict(token, now);
  if (verdict !== 'ok') return deny(DENIALS[verdict]);
  if (isSiteClosed(config?.data_laurea ?? null, now)) return deny('site_closed');
  const opens_at = config?.opens_at ?? null;
  if (isTooEarly(opens_at, now)) return { ...deny('too_early'), opens_at };
  if (config === undefined) return deny('config_missing');
  if (config.video_url === null) return deny('video_missing');
  return beginVisit(at, attempt, token, config);
}

/** How long a visit that lost its address can be taken up under another one, in ms. */
const CUT_OFF_MS = DAY_MS;

const DENIALS = {
  CODE_INVALID: 'token_unknown',
  CODE_EXPIRED: 'token_expired',
  CODE_EXHAUSTED: 'token_exhausted',
} as const;

/** An attempt id stands for one entry: with the same code, from the same device, within ten minutes and while its visit isn't over, nor was cut off for good. */
function isSameEntry(earlier: SessionRow, attempt: Attempt, token: TokenRow | undefined, now: Date): boolean {
  const fresh = now.getTime() - Date.parse(earlier.started_at) < ATTEMPT_LIFETIME_MS;
  const samePerson = earlier.token_id === token?.id && earlier.device_id === attempt.device_id;
  const over = earlier.completed_at !== null || earlier.disconnection_reason === 'token_deleted';
  return fresh && samePerson && !over;
}

function holderOf({ device_id, visit_secret }: Attempt, normalized: string) {
  return { normalized, device_id, cookie_hash: visit_secret === null ? null : hashSecret(visit_secret) };
}

/**
 * The unfinished visit of this code that was last let in under a tunnel's address that is gone: its cookie belongs to that name and can't come. Only through
 * the tunnel of now, within a day, and once: taken up, the visit is this address's.
 */
async function cutOff({ tx, now }: EntryContext, { tunnel_address }: Attempt, token: TokenRow) {
  if (!tunnel_address) return undefined;
  return findCutOff(tx, { token_id: token.id, tunnel_address, since: timestampBefore(now, CUT_OFF_MS) });
}

/**
 * Opens the visit again if it was closed, also by a revocation that has been withdrawn since, and gives it this attempt's secret: any other
 * ends here. An entry that got stuck on its way and comes after its page's farewell opens nothing.
 */
async function resumeEntry(
  { tx, key, now }: EntryContext,
  { attempt_id, life, tunnel_address = null }: Attempt,
  session: SessionRow,
  { resumed }: { resumed: boolean },
): Promise<EntryGranted> {
  const { secret, cookie_hash } = visitSecret(key, { session_id: session.id, attempt_id });
  await updateSession(tx, session.id, { cookie_hash, tunnel_address });
  if (!hasUnloaded(session, life)) {
    await updateSession(tx, session.id, { last_activity: now.toISOString(), ...pageLoadChange(life) });
    if (visitState(session, now) !== 'open') await reopenSession(tx, session, now, life);
  }
  const { id: session_id, token_id, token_value } = session;
  const visit = visitView(await loadVisitor(tx, session));
  return { session_id, token_id, token_value, resumed, spent: false, visit, secret };
}
