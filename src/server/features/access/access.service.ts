import type { Notification } from '../../../contract/notifications.ts';
import type { DeniedReason } from '../../../domain/access.ts';
import { normalizeCode } from '../../../domain/codes.ts';
import { deniedMessages } from '../../../texts/access-log.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { announce } from '../live/announce.ts';
import { insertAccess, insertEvents } from '../logs/logs.repo.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import type { Attempt, Denied, Door, Entered } from './entry.ts';
import { type Try, takeTry } from './failed-codes.service.ts';
import { redeem } from './redeem.ts';

const REFUSALS = {
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

export type EntryRefusal = Refused<'CODE_EMPTY' | 'TOO_MANY_ATTEMPTS' | (typeof REFUSALS)[DeniedReason]>;

/** Refusals that leave no trace. */
const UNLOGGED: ReadonlySet<EntryRefusal['refused']> = new Set(['CODE_EMPTY', 'TOO_MANY_ATTEMPTS']);

/** Lets a visitor in, or says why not (spec 2 «Access-code screen», 4, 5, 7). One transaction; nobody waits for anything else. */
export async function enter(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'secret' | 'live' | 'log'>,
  attempt: Attempt,
): Promise<Entered | EntryRefusal> {
  const result = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const pass = await takeTry(tx, deps.secret, attempt.address, now);
    return isRefused(pass) ? pass : checkCode({ tx, key: deps.secret, now }, attempt, pass);
  });
  if (!isRefused(result)) announce(deps, 'sessions', 'logs', 'tokens');
  else if (!UNLOGGED.has(result.refused)) announce(deps, 'logs');
  return result;
}

async function checkCode(at: Door, attempt: Attempt, pass: Try): Promise<Entered | EntryRefusal> {
  const normalized = normalizeCode(attempt.token);
  if (normalized === '') {
    await pass.giveBack();
    return { refused: 'CODE_EMPTY' };
  }
  const outcome = await redeem(at, attempt, normalized);
  if (!('denied' in outcome)) {
    await pass.giveBack();
    return outcome;
  }
  return deny(at, attempt, outcome, pass);
}

async function deny({ tx, now }: Door, attempt: Attempt, denied: Denied, pass: Try): Promise<EntryRefusal> {
  if (NO_GUESS.has(denied.denied)) await pass.giveBack();
  else {
    const tooMany = await pass.fail();
    if (tooMany) return tooMany;
  }
  await recordDenial(tx, attempt, denied, now);
  return { refused: REFUSALS[denied.denied] };
}

/** Every failure is logged, shows among the events and is told (decision 1). */
async function recordDenial(
  tx: Db,
  { device_id, user_agent }: Attempt,
  { denied, token_id, token_value }: Denied,
  now: Date,
): Promise<void> {
  const error_message = deniedMessages[denied];
  const what = { token_id, token_value, success: false, error_message };
  await insertAccess(tx, what, now);
  const event = { ...what, event_type: 'access_denied' as const, device_id, user_agent };
  await insertEvents(tx, [{ ...event, metadata: { reason: denied } }], now);
  await enqueueNotification(tx, denialNotification(denied, token_value, error_message), now);
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
