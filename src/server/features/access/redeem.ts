import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { ErrorCode } from '../../../contract/errors.ts';
import type { Capability, Visit } from '../../../contract/visit.ts';
import { accessVerdict, type DeniedReason, isSiteClosed, isTooEarly } from '../../../domain/access.ts';
import { exitPoint, itinerary } from '../../../domain/itinerary.ts';
import { ATTEMPT_LIFETIME_MS, DAY_MS, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import { START } from '../../../domain/stage-content.ts';
import { RetryTransaction } from '../../db/errors.ts';
import { statement } from '../../db/statement.ts';
import type { Db, TokensTable } from '../../db/tables.ts';
import { countVisit, insertAccess, insertEvents } from '../../event-log/events.repo.ts';
import type { Connection } from '../../limits/attempts.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { type ConfigRow, findConfig } from '../config/config.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import {
  findByAttempt,
  findByCookie,
  findCutOff,
  findUnfinished,
  insertSession,
  type NewSession,
  type SessionRow,
  timestampBefore,
  updateSession,
} from '../visit/sessions.repo.ts';
import {
  closeSession,
  hasUnloaded,
  type PageLoadId,
  recordPresence,
  sessionEvent,
} from '../visit/sessions.ts';
import { createStoredSnapshot, saveSnapshot } from '../visit/snapshot.ts';
import { hashSecret, loadVisitor, newVisitView, visitSecret, visitView } from '../visit/visitor.ts';

/** Transaction and time of an attempt. `key` derives the visitors' cookie secrets. */
export type EntryContext = { tx: Db; key: Buffer; now: Date };

/** A typed code and its origin. */
export type CodeAttempt = {
  /** As typed, not normalized. */
  token: string;
  device_id: string;
  /** IP address; stored only as a keyed hash. */
  address: string;
  /** At most 500 characters; truncated when the request is read. */
  user_agent: string;
  connection?: Connection;
};

/** A request to enter. */
export type Attempt = CodeAttempt & {
  attempt_id: string;
  /** Secret in the visitor cookie, if the browser has one. */
  visit_secret: string | null;
  /** Address of the tunnel that the request came through; null without a tunnel. */
  tunnel_address?: string | null;
  /** Id of the page load that sent the code. */
  life?: PageLoadId;
  /** Capabilities that the browser reports. */
  capabilities?: readonly Capability[] | undefined;
};

/** An admitted entry. `secret` is the cookie's value; `spent` is true if it consumed a use of the code. */
export type EntryGranted = { visit: Visit; secret: string; resumed: boolean; spent: boolean };

/** Codes of refused entries, with their reasons in the log. */
export const LOGGED_REASONS = {
  CODE_EMPTY: 'code_empty',
  TOO_MANY_ATTEMPTS: 'too_many_attempts',
  CODE_INVALID: 'token_unknown',
  CODE_EXPIRED: 'token_expired',
  CODE_EXHAUSTED: 'token_exhausted',
  ATTEMPT_CONFLICT: 'attempt_conflict',
  SITE_CLOSED: 'site_closed',
  TOO_EARLY: 'too_early',
  CONFIG_MISSING: 'config_missing',
  VIDEO_MISSING: 'video_missing',
} as const satisfies Partial<Record<ErrorCode, DeniedReason>>;
export type EntryCode = keyof typeof LOGGED_REASONS;

/** A denied entry. `token_value` is the stored code, or the typed one if it is unknown. */
export type EntryDenied<C extends EntryCode = EntryCode> = Refusal<C> & {
  token_id: string | null;
  token_value: string;
};

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
  const { device_id, visit_secret } = attempt;
  const cookie_hash = visit_secret === null ? null : hashSecret(visit_secret);
  // A longer code is not looked up, and only its beginning is stored.
  const typed = normalized.slice(0, REFUSED_ENTRIES.typedChars);
  // The code comes first: the later queries of this round trip read after its row is locked.
  const [[token], earlier, config, begun] = await Promise.all([
    typed === normalized ? lockTokenByCode(tx, { normalized }) : [],
    findByAttempt(tx, attempt.attempt_id),
    findConfig(tx),
    findUnfinished(tx, { normalized: typed, device_id, cookie_hash }, now),
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

type TokenRow = Selectable<TokensTable>;

/** Locks the code with this normalized value until the transaction ends, so that entries with one code run one at a time. */
const lockTokenByCode = statement<{ normalized: string }>()((tx, value) =>
  tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .where('normalized', '=', value.normalized)
    .returningAll(),
);

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

/** Time for which a visit can be resumed under a new tunnel address, in ms. */
const CUT_OFF_MS = DAY_MS;

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
  const { secret, cookie_hash } = visitSecret(key, session.id, attempt_id);
  await updateSession(tx, session.id, { cookie_hash, tunnel_address });
  if (!hasUnloaded(session, life)) await recordPresence(tx, session, now, life);
  return { visit: visitView(await loadVisitor(tx, session)), secret, resumed, spent: false };
}

/**
 * Begins a visit: consumes one use, inserts the session and its log rows. The writes are sent together, in one round
 * trip to PostgreSQL. If one fails, the transaction rolls back. Rejects with `RetryTransaction` if another request used
 * the attempt id first.
 */
async function beginVisit(
  { tx, key, now }: EntryContext,
  attempt: Attempt,
  token: TokenRow,
  config: ConfigRow,
): Promise<EntryGranted> {
  const { attempt_id, visit_secret, device_id, user_agent } = attempt;
  const { id: token_id, token: token_value, nome } = token;
  const id = randomUUID();
  const { secret, cookie_hash } = visitSecret(key, id, attempt_id);
  const stored = await createStoredSnapshot(tx, config);
  const { snapshot } = stored;
  const steps = itinerary(snapshot);
  const session: NewSession = {
    id,
    token_id,
    token_value,
    device_id,
    user_agent,
    is_active: true,
    started_at: now.toISOString(),
    last_activity: now.toISOString(),
    cookie_hash,
    attempt_id,
    snapshot_hash: stored.hash,
    exit_point: steps[0] ? exitPoint(steps[0]) : null,
    life: attempt.life ?? null,
    capabilities: attempt.capabilities?.join(' ') ?? null,
    tunnel_address: attempt.tunnel_address ?? null,
  };
  await leaveEarlierVisit(tx, visit_secret, now);
  const started = sessionEvent(session, 'session_started');
  const notice = { type: 'access', token_value, success: true, device_id, nome } as const;
  const [added, used] = await Promise.all([
    insertSession(tx, session),
    consumeUse(tx, { id: token_id, now: now.toISOString() }),
    saveSnapshot(tx, stored),
    insertAccess(tx, { token_id, token_value, success: true, error_message: null }, now),
    insertEvents(tx, [{ ...started, event_type: 'access_granted' }, started], now),
    enqueueNotification(tx, notice, now, { settings: config }),
    countVisit(tx, now),
  ]);
  if (!added) throw new RetryTransaction('The attempt id was taken meanwhile');
  // The row is locked and was checked in this transaction, so an unusable code here is a bug. The error rolls back
  // everything.
  if (used.length === 0) throw new Error('A code that was judged usable could not be used');
  const visit = { id, token_id, token_value, snapshot, steps, position: START, answers: new Map() };
  return { visit: newVisitView(visit), secret, resumed: false, spent: true };
}

/** Closes the visit of the present cookie: a browser holds one visit. */
async function leaveEarlierVisit(tx: Db, secret: string | null, now: Date): Promise<void> {
  const earlier = secret === null ? undefined : await findByCookie(tx, hashSecret(secret));
  if (earlier?.is_active) await closeSession(tx, earlier.id, now);
}

/** Uses the code once if it is valid now. The update repeats the whole rule, so that no other error can exceed the code's limit. */
const consumeUse = statement<{ id: string; now: string }>()((tx, value) =>
  tx
    .updateTable('tokens')
    .set((eb) => ({ accessi_usati: eb('accessi_usati', '+', 1) }))
    .where('id', '=', value.id)
    .where('attivo', '=', true)
    .whereRef('accessi_usati', '<', 'max_accessi')
    .where((eb) => eb.or([eb('scadenza', 'is', null), eb('scadenza', '>', value.now)]))
    .returning('id'),
);
