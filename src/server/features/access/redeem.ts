import { accessVerdict, isSiteClosed, isTooEarly } from '../../../domain/access.ts';
import { visitState } from '../../../domain/evening.ts';
import { ATTEMPT_LIFETIME_MS, DAY_MS, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import { refuse } from '../../refused.ts';
import { findConfig } from '../config/config.ts';
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
import type { Attempt, EntryCode, EntryContext, EntryDenied, EntryGranted } from './entry.ts';
import { beginVisit } from './new-visit.ts';

/**
 * Returns the entry of this attempt id, the unfinished visit of this device, or a new visit that consumes one use (spec
 * 4, 5). The use and the session are written in one transaction: both or neither.
 * @param normalized the code, normalized and not empty
 */
export async function redeem(
  at: EntryContext,
  attempt: Attempt,
  normalized: string,
): Promise<EntryGranted | EntryDenied> {
  const { tx, now } = at;
  // A longer code is not looked up, and only its beginning is stored.
  const typed = normalized.slice(0, REFUSED_ENTRIES.typedChars);
  // The code comes first: the later queries of this round trip read after its row is locked.
  const [token, earlier, config, begun] = await Promise.all([
    typed === normalized ? lockTokenByCode(tx, normalized) : undefined,
    findByAttempt(tx, attempt.attempt_id),
    findConfig(tx),
    findUnfinished(tx, holderOf(attempt, typed), now),
  ]);
  const deny = (code: EntryCode): EntryDenied => ({
    ...refuse(code),
    token_id: token?.id ?? null,
    token_value: token?.token ?? typed,
  });
  if (earlier && !isSameEntry(earlier, attempt, token, now)) return deny('ATTEMPT_CONFLICT');
  if (!token?.attivo) return deny('CODE_INVALID');
  const unfinished = earlier ?? begun ?? (await cutOff(at, attempt, token));
  if (unfinished) return resumeEntry(at, attempt, unfinished, { resumed: earlier === undefined });
  const verdict = accessVerdict(token, now);
  if (verdict !== 'ok') return deny(verdict);
  if (isSiteClosed(config?.data_laurea ?? null, now)) return deny('SITE_CLOSED');
  const opens_at = config?.opens_at ?? null;
  if (isTooEarly(opens_at, now)) return { ...deny('TOO_EARLY'), opens_at };
  if (config === undefined) return deny('CONFIG_MISSING');
  if (config.video_url === null) return deny('VIDEO_MISSING');
  return beginVisit(at, attempt, token, config);
}

/** Time for which a visit can be resumed under a new tunnel address, in ms. */
const CUT_OFF_MS = DAY_MS;

/**
 * Returns true if the attempt id belongs to this entry: same code, same device, at most ten minutes old. False if the
 * visit was completed or ended by deleting the code.
 */
function isSameEntry(earlier: SessionRow, attempt: Attempt, token: TokenRow | undefined, now: Date): boolean {
  const fresh = now.getTime() - Date.parse(earlier.started_at) < ATTEMPT_LIFETIME_MS;
  const samePerson = earlier.token_id === token?.id && earlier.device_id === attempt.device_id;
  const ended = earlier.completed_at !== null || earlier.disconnection_reason === 'token_deleted';
  return fresh && samePerson && !ended;
}

function holderOf({ device_id, visit_secret }: Attempt, normalized: string) {
  return { normalized, device_id, cookie_hash: visit_secret === null ? null : hashSecret(visit_secret) };
}

/**
 * Returns the unfinished visit of this code under a former tunnel address, because its cookie can't be sent to the new
 * one. Only through the present tunnel, within a day and once: resuming it stores the new address (decision 104).
 */
async function cutOff({ tx, now }: EntryContext, { tunnel_address }: Attempt, token: TokenRow) {
  if (!tunnel_address) return undefined;
  return findCutOff(tx, { token_id: token.id, tunnel_address, since: timestampBefore(now, CUT_OFF_MS) });
}

/**
 * Reopens the visit if it was closed, also after a withdrawn revocation. The attempt's secret replaces every earlier
 * one. A late request of an unloaded page does not reopen it.
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
