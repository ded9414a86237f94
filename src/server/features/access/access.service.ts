import type { Notification } from '../../../contract/notifications.ts';
import type { DeniedReason } from '../../../domain/access.ts';
import { normalizeCode } from '../../../domain/codes.ts';
import { FAILED_CODES, REFUSED_TRIES } from '../../../domain/limits.ts';
import { deniedMessages } from '../../../texts/access-log.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { networkTries, tooMany } from '../../limits/attempts.ts';
import { countFailure, type Guesser } from '../../limits/failures.repo.ts';
import { announce } from '../../live/announce.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { countUnwritten, recordRefusedTry } from '../logs/refused-tries.service.ts';
import type { Attempt, Denied, Door, Entered } from './entry.ts';
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
  config_missing: 'CONFIG_MISSING',
  video_missing: 'VIDEO_MISSING',
} as const satisfies Record<DeniedReason, string>;

/** The code was right and the site wasn't ready: no guess, so it doesn't count as a failed try. */
const NO_GUESS: ReadonlySet<DeniedReason> = new Set(['site_closed', 'config_missing', 'video_missing']);

export type EntryRefusal = Refused<(typeof REFUSALS)[DeniedReason]>;

type AccessDeps = Pick<Deps, 'inTransaction' | 'now' | 'secret' | 'tries' | 'live' | 'log'>;

/**
 * Lets a visitor in, or says why not (spec 2 «Access-code screen», 4, 5, 7). One transaction, begun only when the wrong codes of her own
 * network allow the try (threat T1).
 */
export async function enter(deps: AccessDeps, attempt: Attempt): Promise<Entered | EntryRefusal> {
  const guesser = networkTries('code', deps.secret, attempt.address, FAILED_CODES);
  const normalized = normalizeCode(attempt.token);
  if (normalized === '') {
    await recordUnlooked(deps, attempt, guesser, 'code_empty');
    return { refused: 'CODE_EMPTY' };
  }
  const result = await deps.tries.run(guesser, () =>
    deps.inTransaction((tx) =>
      checkCode({ tx, key: deps.secret, now: deps.now() }, attempt, normalized, guesser),
    ),
  );
  if (!isRefused(result)) announce(deps, 'sessions', 'logs', 'tokens');
  else if (result.refused === 'TOO_MANY_ATTEMPTS')
    await recordUnlooked(deps, attempt, guesser, 'too_many_attempts');
  else announce(deps, 'logs');
  return result;
}

async function checkCode(
  at: Door,
  attempt: Attempt,
  normalized: string,
  guesser: Guesser,
): Promise<Entered | EntryRefusal> {
  const outcome = await redeem(at, attempt, normalized);
  if (!('denied' in outcome)) return outcome;
  const { tx, now } = at;
  if (!NO_GUESS.has(outcome.denied)) {
    const wait = await countFailure(tx, guesser, now);
    if (wait > 0) return tooMany(wait);
  }
  await recordDenial(tx, attempt, outcome, now);
  return { refused: REFUSALS[outcome.denied] };
}

/** A try whose code wasn't looked at leaves a line when the last one is a minute old, else it is only counted. */
async function recordUnlooked(
  deps: AccessDeps,
  attempt: Attempt,
  guesser: Guesser,
  denied: 'code_empty' | 'too_many_attempts',
): Promise<void> {
  if (!deps.tries.mention(guesser)) return;
  const token_value = normalizeCode(attempt.token).slice(0, REFUSED_TRIES.typedSigns);
  const unmentioned = deps.tries.takeUnmentioned();
  await deps.inTransaction(async (tx) => {
    await countUnwritten(tx, unmentioned, deps.now());
    await recordDenial(tx, attempt, { denied, token_id: null, token_value }, deps.now());
  });
  announce(deps, 'logs');
}

async function recordDenial(
  tx: Db,
  { device_id, user_agent }: Attempt,
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
