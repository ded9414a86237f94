import { randomUUID } from 'node:crypto';
import { exitPoint, itinerary } from '../../../domain/itinerary.ts';
import { START } from '../../../domain/stage-content.ts';
import { RetryTransaction } from '../../db/errors.ts';
import type { Db } from '../../db/tables.ts';
import { insertAccess, insertEvents } from '../../event-log/event-log.repo.ts';
import { countVisit } from '../../event-log/visit-counts.repo.ts';
import type { ConfigRow } from '../config/config.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { hashSecret, visitSecret } from '../visit/cookie-secret.ts';
import { findByCookie, insertSession, type NewSession } from '../visit/sessions.repo.ts';
import { closeSession, startingEvent } from '../visit/sessions.service.ts';
import { createStoredSnapshot } from '../visit/snapshot.ts';
import { saveSnapshot } from '../visit/snapshots.repo.ts';
import { visitView } from '../visit/visit-view.ts';
import { initialVisitor } from '../visit/visitor-session.ts';
import { consumeUse, type TokenRow } from './access.repo.ts';
import type { Attempt, EntryContext, EntryGranted } from './entry.ts';

/**
 * Begins a visit: consumes one use, inserts the session and its log rows. The writes are sent together, in one round
 * trip to PostgreSQL. If one fails, the transaction rolls back. Rejects with `RetryTransaction` if another request used
 * the attempt id first.
 */
export async function beginVisit(
  { tx, key, now }: EntryContext,
  attempt: Attempt,
  token: TokenRow,
  config: ConfigRow,
): Promise<EntryGranted> {
  const id = randomUUID();
  const { secret, cookie_hash } = visitSecret(key, { session_id: id, attempt_id: attempt.attempt_id });
  const stored = await createStoredSnapshot(tx, config);
  const session = newSession({ id, attempt, token, taken: stored, cookie_hash, now });
  await leaveEarlierVisit(tx, attempt, now);
  const [added, , used] = await Promise.all([
    insertSession(tx, session),
    saveSnapshot(tx, stored),
    consumeUse(tx, token.id, now),
    recordEntry(tx, { session, nome: token.nome, config, now }),
  ]);
  if (!added) throw new RetryTransaction('The attempt id was taken meanwhile');
  // The row is locked and was checked in this transaction, so an unusable code here is a bug. The error rolls back
  // everything.
  if (!used) throw new Error('A code that was judged usable could not be used');
  return {
    session_id: session.id,
    token_id: token.id,
    token_value: token.token,
    resumed: false,
    spent: true,
    visit: visitView(initialVisitor(session, stored.snapshot)),
    secret,
  };
}

type NewVisitInput = {
  id: string;
  attempt: Attempt;
  token: TokenRow;
  taken: Awaited<ReturnType<typeof createStoredSnapshot>>;
  cookie_hash: string;
  now: Date;
};

function newSession({ id, attempt, token, taken: stored, cookie_hash, now }: NewVisitInput): NewSession {
  const [first] = itinerary(stored.snapshot);
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
    snapshot_hash: stored.hash,
    exit_point: first ? exitPoint(first) : null,
    ...START,
    exit_seq: -1,
    reported_errors: 0,
    life: attempt.life ?? null,
    capabilities: attempt.capabilities?.join(' ') ?? null,
    tunnel_address: attempt.tunnel_address ?? null,
  };
}

/** Closes the visit of the present cookie: a browser holds one visit. */
async function leaveEarlierVisit(tx: Db, { visit_secret }: Attempt, now: Date): Promise<void> {
  const earlier = visit_secret === null ? undefined : await findByCookie(tx, hashSecret(visit_secret));
  if (earlier?.is_active) await closeSession(tx, earlier.id, 'user_logout', now);
}

type EntryRecord = { session: NewSession; nome: string; config: ConfigRow; now: Date };

async function recordEntry(tx: Db, { session, nome, config, now }: EntryRecord): Promise<void> {
  const { id, token_id, token_value, device_id, user_agent } = session;
  const started = startingEvent({ id, token_id, token_value, device_id, user_agent });
  await Promise.all([
    insertAccess(tx, { token_id, token_value, success: true, error_message: null }, now),
    insertEvents(tx, [{ ...started, event_type: 'access_granted' }, started], now),
    enqueueNotification(tx, { type: 'access', token_value, success: true, device_id, nome }, now, {
      settings: config,
    }),
    countVisit(tx, { accessi: 1, visite: 1 }, now),
  ]);
}
