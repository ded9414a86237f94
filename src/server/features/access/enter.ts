import type { Notification } from '../../../contract/admin/notifications.ts';
import { secondsUntil } from '../../../domain/access.ts';
import { intendedCode } from '../../../domain/codes.ts';
import { EARLY_LOG_INTERVAL_MS, FAILED_CODES, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import { deniedMessages } from '../../../texts/errors.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { bind, os } from '../../http/calls.ts';
import { networkLimits, tooManyAttempts } from '../../limits/attempts.ts';
import { recordFailure } from '../../limits/failures.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { metricEvents } from '../../log.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { countUnloggedEntries, recordRefusedEntry } from '../logs/refused-tries.ts';
import { timestampBefore } from '../visit/sessions.repo.ts';
import {
  type Attempt,
  type CodeAttempt,
  type EntryCode,
  type EntryContext,
  type EntryDenied,
  type EntryGranted,
  LOGGED_REASONS,
  redeem,
} from './redeem.ts';

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
  const { secret, resumed, visit } = entered;
  const { token_id, token_value } = visit;
  request.setVisitCookie(secret);
  return { token_id, token_value, resumed, visit };
});

/** Refusals of a correct code because the site isn't ready. They don't count as failed attempts. */
const NO_GUESS: ReadonlySet<EntryCode> = new Set([
  'SITE_CLOSED',
  'TOO_EARLY',
  'CONFIG_MISSING',
  'VIDEO_MISSING',
]);

/** Refusal of an attempt: before the code is looked up (empty, too many attempts) or after. */
type AttemptRefusal<C extends EntryCode> = Refusal<'CODE_EMPTY' | 'TOO_MANY_ATTEMPTS' | C>;

/** Checks a code and starts or resumes the visit (spec 2 «Access-code screen», 4, 5, 7). */
export async function enter(deps: Deps, attempt: Attempt): Promise<EntryGranted | AttemptRefusal<EntryCode>> {
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
  deps: Deps,
  typed: CodeAttempt,
  lookUp: (at: EntryContext, normalized: string) => Promise<T | EntryDenied<C>>,
): Promise<T | AttemptRefusal<C>> {
  const keys = networkLimits('code', deps.secret, typed.address, FAILED_CODES);
  const normalized = intendedCode(typed.token);
  /** Logs an attempt whose code was not looked up, at most once a minute per network. The others are only counted. */
  const recordUnchecked = async (refused: 'CODE_EMPTY' | 'TOO_MANY_ATTEMPTS') => {
    if (!deps.rateLimiter.shouldLog(keys)) return;
    const token_value = normalized.slice(0, REFUSED_ENTRIES.typedChars);
    const unlogged = deps.rateLimiter.takeUnlogged();
    await deps.inTransaction(async (tx) => {
      await countUnloggedEntries(tx, unlogged, deps.now());
      await recordDenial(tx, typed, { refused, token_id: null, token_value }, deps.now());
    });
    publishChange(deps, 'logs');
  };
  if (normalized === '') {
    await recordUnchecked('CODE_EMPTY');
    return refuse('CODE_EMPTY');
  }
  const check = () =>
    deps.inTransaction(async (tx): Promise<T | AttemptRefusal<C>> => {
      const now = deps.now();
      const verdict = await lookUp({ tx, key: deps.secret, now }, normalized);
      if (!isDenied(verdict)) return verdict;
      const { refused, opens_at } = verdict;
      if (!NO_GUESS.has(refused)) {
        const wait = await recordFailure(tx, keys, deps.now);
        if (wait > 0) return tooManyAttempts(wait);
      }
      if (refused !== 'TOO_EARLY' || !(await hasLoggedEarlyEntry(tx, typed.device_id, verdict.token_id, now)))
        await recordDenial(tx, typed, verdict, now);
      // The opening time, and the seconds until then by the server's clock, because the phone's clock may be wrong.
      const details = opens_at === undefined ? {} : { opens_at, secondi: secondsUntil(opens_at, now) };
      return refuse(refused, details);
    });
  const result = await deps.rateLimiter.run(keys, check, typed.connection);
  const refused = isRefused(result) ? result.refused : null;
  if (refused === 'TOO_MANY_ATTEMPTS') await recordUnchecked(refused);
  else if (refused !== null) publishChange(deps, 'logs');
  return result;
}

function isDenied<T extends object, C extends EntryCode>(
  verdict: T | EntryDenied<C>,
): verdict is EntryDenied<C> {
  return 'refused' in verdict;
}

/** Returns true if this early attempt is logged already: a page that counts down repeats it every minute (decision 004). */
export async function hasLoggedEarlyEntry(
  tx: Db,
  device_id: string,
  token_id: string | null,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .selectFrom('event_logs')
    .select('id')
    .where('event_type', '=', 'access_denied')
    .where('token_id', '=', token_id)
    .where('device_id', '=', device_id)
    .where('created_at', '>', timestampBefore(now, EARLY_LOG_INTERVAL_MS))
    .where('metadata', '=', JSON.stringify({ reason: LOGGED_REASONS.TOO_EARLY }))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
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
  if (refused === 'VIDEO_MISSING') return { type: 'access', ...failure };
  if (refused === 'CONFIG_MISSING') return { type: 'error', token_value, ...failure };
  return { type: refused === 'CODE_EXHAUSTED' ? 'access_exceeded' : 'access', token_value, ...failure };
}
