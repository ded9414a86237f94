import type { Notification } from '../../../contract/notifications.ts';
import type { DeniedReason } from '../../../domain/access.ts';
import { codeIn } from '../../../domain/codes.ts';
import { EARLY_LOG_INTERVAL_MS, FAILED_CODES, REFUSED_ENTRIES } from '../../../domain/limits.ts';
import { secondsUntil } from '../../../domain/opening.ts';
import { deniedMessages } from '../../../texts/access-log.ts';
import { counted } from '../../counted.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { networkTries, type TooMany, tooMany } from '../../limits/attempts.ts';
import { countFailure, type Guesser } from '../../limits/failures.repo.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type RefusalDetails, type Refused } from '../../refused.ts';
import { countUnwritten, recordRefusedTry } from '../logs/refused-tries.service.ts';
import { wasDenied } from './access.repo.ts';
import type { Attempt, Denied, Door, Entered, TypedCode } from './entry.ts';
import { redeem } from './redeem.ts';

const REFUSALS = {
  code_empty: 'CODE_EMPTY',
  too_many_attempts: 'TOO_MANY_ATTEMPTS',
  token_unknown: 'CODE_INVALID',
  token_revoked: 'CODE_INVALID',
  token_expired: 'CODE_EXPIRED',
  token_exhausted: 'CODE_EXHAUSTED',
  attempt_conflict: 'ATTEMPT_CONFLICT',
  site_closed: 'SITE_CLOSED',
  too_early: 'TOO_EARLY',
  config_missing: 'CONFIG_MISSING',
  video_missing: 'VIDEO_MISSING',
} as const satisfies Record<DeniedReason, string>;

/** The code was right and the site wasn't ready: no guess, so it doesn't count as a failed try. */
const NO_GUESS: ReadonlySet<DeniedReason> = new Set([
  'site_closed',
  'too_early',
  'config_missing',
  'video_missing',
]);

/** Why a code opened nothing: it wasn't looked at, or it was. */
type RefusalFor<D extends DeniedReason> = Refused<'CODE_EMPTY'> | TooMany | Refused<(typeof REFUSALS)[D]>;
export type EntryRefusal = RefusalFor<DeniedReason>;

type AccessDeps = Pick<Deps, 'inTransaction' | 'now' | 'secret' | 'tries' | 'live' | 'log'>;

/** Lets a visitor in, or says why not (spec 2 «Access-code screen», 4, 5, 7). */
export async function enter(deps: AccessDeps, attempt: Attempt): Promise<Entered | EntryRefusal> {
  const result = await tryCode(deps, attempt, (at, normalized) => redeem(at, attempt, normalized));
  if (!isRefused(result)) {
    counted.entry.say({ spent: result.spent });
    announce(deps, 'sessions', 'logs', 'tokens');
  }
  return result;
}

/**
 * Checks a typed code in one transaction, once its network's queue allows it (threat T1). Every refusal is counted, logged and notified.
 * @param look what the code opens, normalised and not empty
 */
export async function tryCode<T extends object, D extends DeniedReason>(
  deps: AccessDeps,
  typed: TypedCode,
  look: (at: Door, normalized: string) => Promise<T | Denied<D>>,
): Promise<T | RefusalFor<D>> {
  const guesser = networkTries('code', deps.secret, typed.address, FAILED_CODES);
  const normalized = codeIn(typed.token);
  if (normalized === '') {
    await recordUnlooked(deps, typed, guesser, 'code_empty');
    return { refused: 'CODE_EMPTY' };
  }
  const judge = () =>
    deps.inTransaction(async (tx): Promise<T | RefusalFor<D>> => {
      const at = { tx, key: deps.secret, now: deps.now() };
      const outcome = await look(at, normalized);
      return isDenied(outcome) ? denial(deps, at, { typed, guesser, outcome }) : outcome;
    });
  const result = await deps.tries.run(guesser, judge, typed.connection);
  const refused = isRefused(result) ? result.refused : null;
  if (refused === 'TOO_MANY_ATTEMPTS') await recordUnlooked(deps, typed, guesser, 'too_many_attempts');
  else if (refused !== null) announce(deps, 'logs');
  return result;
}

async function denial<D extends DeniedReason>(
  deps: Pick<AccessDeps, 'now'>,
  { tx, now }: Door,
  { typed, guesser, outcome }: { typed: TypedCode; guesser: Guesser; outcome: Denied<D> },
): Promise<TooMany | Refused<(typeof REFUSALS)[D]>> {
  if (!NO_GUESS.has(outcome.denied)) {
    const wait = await countFailure(tx, guesser, deps.now);
    if (wait > 0) return tooMany(wait);
  }
  if (outcome.denied !== 'too_early' || !(await cameEarlyBefore(tx, typed, outcome, now)))
    await recordDenial(tx, typed, outcome, now);
  return { refused: REFUSALS[outcome.denied], ...waitOf(outcome, now) };
}

/** A page that counts down asks again each minute: its coming is told once, not each time. */
async function cameEarlyBefore(
  tx: Db,
  { device_id }: TypedCode,
  { token_id }: Denied,
  now: Date,
): Promise<boolean> {
  const since = new Date(now.getTime() - EARLY_LOG_INTERVAL_MS);
  return token_id !== null && wasDenied(tx, { token_id, device_id, reason: 'too_early', since });
}

/** How long by this server's clock: the phone's may be wrong. */
function waitOf({ opens_at }: Denied, now: Date): RefusalDetails {
  return opens_at === undefined ? {} : { opens_at, secondi: secondsUntil(opens_at, now) };
}

function isDenied<T extends object, D extends DeniedReason>(outcome: T | Denied<D>): outcome is Denied<D> {
  return 'denied' in outcome;
}

/** A try whose code wasn't looked at leaves a line when the last one is a minute old, else it is only counted. */
async function recordUnlooked(
  deps: AccessDeps,
  typed: TypedCode,
  guesser: Guesser,
  denied: 'code_empty' | 'too_many_attempts',
): Promise<void> {
  if (!deps.tries.mention(guesser)) return;
  const token_value = codeIn(typed.token).slice(0, REFUSED_ENTRIES.typedSigns);
  const unmentioned = deps.tries.takeUnmentioned();
  await deps.inTransaction(async (tx) => {
    await countUnwritten(tx, unmentioned, deps.now());
    await recordDenial(tx, typed, { denied, token_id: null, token_value }, deps.now());
  });
  announce(deps, 'logs');
}

async function recordDenial(
  tx: Db,
  { device_id, user_agent }: TypedCode,
  { denied, token_id, token_value }: Denied,
  now: Date,
): Promise<void> {
  const error_message = deniedMessages[denied];
  const notification = denialNotification(denied, token_value, error_message);
  const what = { token_id, token_value, device_id, user_agent, error_message };
  await recordRefusedTry(tx, { ...what, reason: denied, notification }, now);
}

/** Spec 7: a missing video is told without the code, as what fails in the page is; an empty configuration is an error. */
function denialNotification(denied: DeniedReason, token_value: string, error_message: string): Notification {
  const failure = { success: false, error_message } as const;
  switch (denied) {
    case 'video_missing':
      return { type: 'access', ...failure };
    case 'config_missing':
      return { type: 'error', token_value, ...failure };
    case 'token_exhausted':
      return { type: 'access_exceeded', token_value, ...failure };
    default:
      return { type: 'access', token_value, ...failure };
  }
}
