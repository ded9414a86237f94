import type { Notification } from '../../../contract/admin/notifications.ts';
import { type DeniedReason, secondsUntil } from '../../../domain/access.ts';
import { intendedCode } from '../../../domain/codes.ts';
import { EARLY_LOG_INTERVAL_MS, FAILED_CODES, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import { deniedMessages } from '../../../texts/errors.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { bind, os } from '../../http/calls.ts';
import { networkLimits, tooManyAttempts } from '../../limits/attempts.ts';
import { type LimitKeys, recordFailure } from '../../limits/failures.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { metricEvents } from '../../log.ts';
import { isRefused, type Refusal, type RefusalDetails, refuse } from '../../refused.ts';
import { countUnloggedEntries, recordRefusedEntry } from '../logs/refused-tries.ts';
import { wasDenied } from './access.repo.ts';
import type { Attempt, CodeAttempt, EntryCode, EntryContext, EntryDenied, EntryGranted } from './entry.ts';
import { redeem } from './redeem.ts';

/** Reasons of refused entries in the log. */
const LOGGED_REASONS = {
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
} as const satisfies Record<string, DeniedReason>;

/** Refusals of a correct code because the site isn't ready. They don't count as failed attempts. */
const NO_GUESS: ReadonlySet<EntryCode> = new Set([
  'SITE_CLOSED',
  'TOO_EARLY',
  'CONFIG_MISSING',
  'VIDEO_MISSING',
]);

/** Refusal of an attempt: before the code is looked up (empty, too many attempts) or after. */
type AttemptRefusal<C extends EntryCode> = Refusal<'CODE_EMPTY' | 'TOO_MANY_ATTEMPTS' | C>;
export type EntryRefusal = AttemptRefusal<EntryCode>;

type AccessDeps = Pick<Deps, 'inTransaction' | 'now' | 'secret' | 'rateLimiter' | 'live' | 'log'>;

/** Checks a code and starts or resumes the visit (spec 2 «Access-code screen», 4, 5, 7). */
export async function enter(deps: AccessDeps, attempt: Attempt): Promise<EntryGranted | EntryRefusal> {
  const result = await attemptCode(deps, attempt, (at, normalized) => redeem(at, attempt, normalized));
  if (!isRefused(result)) {
    metricEvents.entry.emit({ spent: result.spent });
    publishChange(deps, 'sessions', 'logs', 'tokens');
  }
  return result;
}

/**
 * Checks a typed code in one transaction, after the queue of its network. Every refusal is counted, logged and
 * notified.
 * @param lookUp looks up what the code opens; the code is normalized and not empty
 */
export async function attemptCode<T extends object, C extends EntryCode>(
  deps: AccessDeps,
  typed: CodeAttempt,
  lookUp: (at: EntryContext, normalized: string) => Promise<T | EntryDenied<C>>,
): Promise<T | AttemptRefusal<C>> {
  const keys = networkLimits('code', deps.secret, typed.address, FAILED_CODES);
  const normalized = intendedCode(typed.token);
  if (normalized === '') {
    await recordUncheckedAttempt(deps, typed, keys, 'CODE_EMPTY');
    return refuse('CODE_EMPTY');
  }
  const check = () =>
    deps.inTransaction(async (tx): Promise<T | AttemptRefusal<C>> => {
      const at = { tx, key: deps.secret, now: deps.now() };
      const verdict = await lookUp(at, normalized);
      return isDenied(verdict) ? denial(deps, at, { typed, guesser: keys, outcome: verdict }) : verdict;
    });
  const result = await deps.rateLimiter.run(keys, check, typed.connection);
  const refused = isRefused(result) ? result.refused : null;
  if (refused === 'TOO_MANY_ATTEMPTS') await recordUncheckedAttempt(deps, typed, keys, 'TOO_MANY_ATTEMPTS');
  else if (refused !== null) publishChange(deps, 'logs');
  return result;
}

async function denial<C extends EntryCode>(
  deps: Pick<AccessDeps, 'now'>,
  { tx, now }: EntryContext,
  {
    typed,
    guesser: keys,
    outcome: verdict,
  }: { typed: CodeAttempt; guesser: LimitKeys; outcome: EntryDenied<C> },
): Promise<AttemptRefusal<C>> {
  if (!NO_GUESS.has(verdict.refused)) {
    const wait = await recordFailure(tx, keys, deps.now);
    if (wait > 0) return tooManyAttempts(wait);
  }
  if (verdict.refused !== 'TOO_EARLY' || !(await hasLoggedEarlyEntry(tx, typed, verdict, now)))
    await recordDenial(tx, typed, verdict, now);
  return refuse(verdict.refused, waitOf(verdict, now));
}

/** Returns true if this early attempt is logged already: a page that counts down repeats it every minute (decision 004). */
async function hasLoggedEarlyEntry(
  tx: Db,
  { device_id }: CodeAttempt,
  { token_id }: EntryDenied,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - EARLY_LOG_INTERVAL_MS);
  return token_id !== null && wasDenied(tx, { token_id, device_id, reason: 'too_early', since });
}

/** Returns the opening time and the seconds until then by the server's clock, because the phone's clock may be wrong. */
function waitOf({ opens_at }: EntryDenied, now: Date): RefusalDetails {
  return opens_at === undefined ? {} : { opens_at, secondi: secondsUntil(opens_at, now) };
}

function isDenied<T extends object, C extends EntryCode>(
  verdict: T | EntryDenied<C>,
): verdict is EntryDenied<C> {
  return 'refused' in verdict;
}

/** Logs an attempt whose code was not looked up, at most once a minute per network. The others are only counted. */
async function recordUncheckedAttempt(
  deps: AccessDeps,
  typed: CodeAttempt,
  keys: LimitKeys,
  refused: 'CODE_EMPTY' | 'TOO_MANY_ATTEMPTS',
): Promise<void> {
  if (!deps.rateLimiter.shouldLog(keys)) return;
  const token_value = intendedCode(typed.token).slice(0, REFUSED_ENTRIES.typedChars);
  const unlogged = deps.rateLimiter.takeUnlogged();
  await deps.inTransaction(async (tx) => {
    await countUnloggedEntries(tx, unlogged, deps.now());
    await recordDenial(tx, typed, { refused, token_id: null, token_value }, deps.now());
  });
  publishChange(deps, 'logs');
}

async function recordDenial(
  tx: Db,
  { device_id, user_agent }: CodeAttempt,
  { refused, token_id, token_value }: EntryDenied,
  now: Date,
): Promise<void> {
  // The reply to a revoked code doesn't reveal that it exists.
  const isRevoked = refused === 'CODE_INVALID' && token_id !== null;
  const reason = isRevoked ? 'token_revoked' : LOGGED_REASONS[refused];
  const error_message = deniedMessages[reason];
  const notification = denialNotification(refused, token_value, error_message);
  const what = { token_id, token_value, device_id, user_agent, error_message };
  await recordRefusedEntry(tx, { ...what, reason, notification }, now);
}

/** Notification of a denial (spec 7). A missing film is reported without the code, a missing configuration as an error. */
function denialNotification(refused: EntryCode, token_value: string, error_message: string): Notification {
  const failure = { success: false, error_message } as const;
  switch (refused) {
    case 'VIDEO_MISSING':
      return { type: 'access', ...failure };
    case 'CONFIG_MISSING':
      return { type: 'error', token_value, ...failure };
    case 'CODE_EXHAUSTED':
      return { type: 'access_exceeded', token_value, ...failure };
    default:
      return { type: 'access', token_value, ...failure };
  }
}

export const enterCall = bind(os.visit.enter, async (deps, input, request) => {
  const { address, user_agent, connection, cookies } = request;
  const { tunnel, PUBLIC_URL = null } = deps.env;
  const entered = await enter(deps, {
    ...input,
    address,
    user_agent,
    connection,
    visit_secret: cookies.visit,
    tunnel_address: tunnel === undefined ? null : PUBLIC_URL,
  });
  if (isRefused(entered)) return entered;
  const { secret, token_id, token_value, resumed, visit } = entered;
  request.setVisitCookie(secret);
  return { token_id, token_value, resumed, visit };
});
