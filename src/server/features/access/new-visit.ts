import { randomUUID } from 'node:crypto';
import { exitPoint } from '../../../domain/exit-points.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import { START } from '../../../domain/position.ts';
import type { Db } from '../../db/tables.ts';
import { insertAccess, insertEvents } from '../../event-log/event-log.repo.ts';
import { countVisit } from '../../event-log/visit-counts.repo.ts';
import type { ConfigRow } from '../config/config.repo.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { hashOf, secretOf } from '../visit/cookie-secret.ts';
import { findByCookie, insertSession, type NewSession } from '../visit/sessions.repo.ts';
import { closeSession, startingEvent } from '../visit/sessions.service.ts';
import { takeStored } from '../visit/snapshot.ts';
import { keepSnapshot } from '../visit/snapshots.repo.ts';
import { visitView } from '../visit/visit-view.ts';
import { toVisitor } from '../visit/visitor-session.ts';
import { type TokenRow, takeUse } from './access.repo.ts';
import type { Attempt, Door, Entered } from './entry.ts';

/** Begins a visit: one use, one session, its log. Null when the attempt id belongs to somebody else by now; then nothing was written. */
export async function beginVisit(
  { tx, key, now }: Door,
  attempt: Attempt,
  token: TokenRow,
  config: ConfigRow,
): Promise<Entered | null> {
  const id = randomUUID();
  const { secret, cookie_hash } = secretOf(key, { session_id: id, attempt_id: attempt.attempt_id });
  const taken = await takeStored(tx, config);
  const session = newSession({ id, attempt, token, taken, cookie_hash, now });
  if (!(await insertSession(tx, session))) return null;
  await keepSnapshot(tx, taken);
  // The row was held and judged in this transaction: a code that can't be used here is a mistake of ours, and all is undone.
  if (!(await takeUse(tx, token.id, now))) throw new Error('A code that was judged usable could not be used');
  await leaveEarlierVisit(tx, attempt, now);
  await recordEntry(tx, session, token.nome, now);
  const visit = visitView(await toVisitor(tx, session));
  return {
    session_id: session.id,
    token_id: token.id,
    token_value: token.token,
    resumed: false,
    spent: true,
    visit,
    secret,
  };
}

type Beginning = {
  id: string;
  attempt: Attempt;
  token: TokenRow;
  taken: Awaited<ReturnType<typeof takeStored>>;
  cookie_hash: string;
  now: Date;
};

function newSession({ id, attempt, token, taken, cookie_hash, now }: Beginning): NewSession {
  const [first] = itinerary(taken.snapshot);
  return {
    id,
    token_id: token.id,
    token_value: token.token,
    device_id: attempt.device_id,
    user_agent: attempt.user_agent,
    is_active: true,
    started_at: now.toISOString(),
    last_activity: now.toISOString(),
    cookie_hash,
    attempt_id: attempt.attempt_id,
    snapshot_hash: taken.hash,
    exit_point: first ? exitPoint(first) : null,
    ...START,
    exit_seq: -1,
    reported_errors: 0,
    life: attempt.life ?? null,
    capabilities: attempt.capabilities?.join(' ') ?? null,
  };
}

/** The browser can hold one visit: the one its cookie led to until now is left. */
async function leaveEarlierVisit(tx: Db, { visit_secret }: Attempt, now: Date): Promise<void> {
  const earlier = visit_secret === null ? undefined : await findByCookie(tx, hashOf(visit_secret));
  if (earlier?.is_active) await closeSession(tx, earlier.id, 'user_logout', now);
}

async function recordEntry(tx: Db, session: NewSession, nome: string, now: Date): Promise<void> {
  const { id, token_id, token_value, device_id, user_agent } = session;
  await insertAccess(tx, { token_id, token_value, success: true, error_message: null }, now);
  const started = startingEvent({ id, token_id, token_value, device_id, user_agent });
  await insertEvents(tx, [{ ...started, event_type: 'access_granted' }, started], now);
  await enqueueNotification(tx, { type: 'access', token_value, success: true, device_id, nome }, now);
  await countVisit(tx, { accessi: 1, visite: 1 }, now);
}
