import { createHmac, hash } from 'node:crypto';
import type { LiveTopic } from '../../../contract/admin/dashboard.ts';
import type { Visit } from '../../../contract/visit.ts';
import { type VisitState, visitState } from '../../../domain/evening.ts';
import { type StoredAnswers, type VisitProgress, visibleVisit } from '../../../domain/stage-content.ts';
import { statement } from '../../db/statement.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findByCookie, lockSession, type SessionRow } from './sessions.repo.ts';
import { hasUnloaded, type PageLoadId, recordPresence } from './sessions.ts';
import { loadVisitPlan } from './snapshot.ts';

/**
 * Returns a visitor's secret: 256 bits derived from the installation's key. It is sent in a cookie; only its hash is stored.
 * Each attempt at a visit has one secret (decision 001): a delayed request may run after the reply to its retry,
 * and the cookie of that reply must remain valid.
 */
export function visitSecret(key: Buffer, session_id: string, attempt_id: string) {
  const secret = createHmac('sha256', key).update(`visit:${session_id}:${attempt_id}`).digest('base64url');
  return { secret, cookie_hash: hashSecret(secret) };
}

/** Returns the secret of the device that finished this visit, for its keepsake. It never changes, so a lost reply does no harm. */
export function keepsakeSecretOf(key: Buffer, session_id: string): string {
  return createHmac('sha256', key).update(`keepsake:${session_id}`).digest('base64url');
}

/** Returns the SHA-256 of a visitor's secret, hex. Sessions are found by it. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

const holderBrand = Symbol('VisitHolder');
const visitorBrand = Symbol('VisitorSession');

/** Proof that the caller's cookie belongs to this visit, in any state. Created only in this file. */
export type VisitHolder = {
  readonly row: SessionRow;
  readonly state: VisitState;
  readonly [holderBrand]: true;
};

/** A visit and its progress. */
type VisitOfCode = VisitProgress & {
  readonly id: string;
  readonly token_id: string;
  readonly token_value: string;
};

/**
 * Proof of a visit that is open, or paused and resumable, and whose code is active. Created only in this file.
 * `position` and `answers` are those at the start of the request.
 */
export type VisitorSession = VisitOfCode & { readonly [visitorBrand]: true };

/** Dependencies of a service, with what its guard has granted. */
export type HolderCtx = Deps & { holder: VisitHolder };
export type VisitCtx = Deps & { visitor: VisitorSession };

type VisitRequest = { deps: Pick<Deps, 'db' | 'now'>; cookies: { visit: string | null } };

/** Returns the visit of the cookie in any state, or null. */
export async function findVisitHolder({ deps, cookies }: VisitRequest): Promise<VisitHolder | null> {
  const row = cookies.visit === null ? undefined : await findByCookie(deps.db, hashSecret(cookies.visit));
  if (row === undefined) return null;
  const ownState = visitState(row, deps.now());
  const isResumable = ownState === 'open' || ownState === 'paused';
  const state = isResumable && !row.code_active ? 'disconnected' : ownState;
  return { row, state, [holderBrand]: true };
}

/** Like `findVisitHolder`, but refuses a request without a visit. */
export async function requireHolder(
  request: VisitRequest,
): Promise<{ holder: VisitHolder } | Refusal<'NO_VISIT'>> {
  const holder = await findVisitHolder(request);
  return holder ? { holder } : refuse('NO_VISIT');
}

type VisitUnavailable = Refusal<'NO_VISIT' | 'VISIT_ENDED' | 'DISCONNECTED'>;

/** Guards everything a visitor sees: requires a resumable visit whose code is still active. Changes nothing. */
export async function requireVisit(
  request: VisitRequest,
): Promise<{ visitor: VisitorSession } | VisitUnavailable> {
  const found = await requireHolder(request);
  if (isRefused(found)) return found;
  const over = unavailableRefusal(found.holder);
  return over ?? { visitor: await loadVisitor(request.deps.db, found.holder.row) };
}

/** Returns the refusal of a visit that is over, or null. */
export function unavailableRefusal({
  state,
}: Pick<VisitHolder, 'state'>): Refusal<'VISIT_ENDED' | 'DISCONNECTED'> | null {
  if (state === 'disconnected') return refuse('DISCONNECTED');
  return state === 'ended' ? refuse('VISIT_ENDED') : null;
}

/** Loads the visit of a row. The caller has checked that it isn't over. */
export async function loadVisitor(db: Db, row: SessionRow): Promise<VisitorSession> {
  const { id, token_id, token_value, step, phrase, second } = row;
  const plan = await loadVisitPlan(db, row);
  const position = { step, phrase, second };
  const answers = await readAnswers(db, id);
  return { id, token_id, token_value, ...plan, position, answers, [visitorBrand]: true };
}

const answersOf = statement<{ session_id: string }>()((db, value) =>
  db
    .selectFrom('checkbox_responses')
    .select(['viaggio', 'risposta_1', 'risposta_2'])
    .where('session_id', '=', value.session_id)
    .orderBy('viaggio'),
);

export async function readAnswers(db: Db, session_id: string): Promise<StoredAnswers> {
  const rows = await answersOf(db, { session_id });
  return new Map(rows.map(({ viaggio, ...answers }) => [viaggio, answers]));
}

/** Returns what the browser may know of its visit: the stages reached and the next one (decision 001). */
export const visitView = (visit: VisitorSession): Visit => newVisitView(visit);

/** Like `visitView`, for a visit that begins in this transaction. */
export function newVisitView(visit: VisitOfCode): Visit {
  const { id, token_id, token_value } = visit;
  return { session_id: id, token_id, token_value, ...visibleVisit(visit) };
}

/** A visit in a transaction, with its row locked and open. If the requesting page was closed (`pageLeft`), the visit is unchanged. */
type OpenVisit = { tx: Db; visitor: VisitorSession; now: Date; pageLeft: boolean };

/**
 * Runs `work` in the visit. Locks and rechecks the row, because the code may have been revoked since the guard.
 * Reopens a paused visit, unless the requesting page load has ended.
 * @param changes topics that `work` changes in addition to the session
 */
export async function withVisit<T extends object>(
  ctx: VisitCtx,
  life: PageLoadId,
  work: (present: OpenVisit) => Promise<T>,
  changes: readonly LiveTopic[] = [],
): Promise<T | VisitUnavailable> {
  const done = await ctx.inTransaction(async (tx) => {
    const now = ctx.now();
    const row = await lockSession(tx, ctx.visitor.id);
    if (row === undefined) return refuse('NO_VISIT');
    const state = visitState(row, now);
    const over = unavailableRefusal({ state });
    if (over !== null) return over;
    const pageLeft = hasUnloaded(row, life);
    if (!pageLeft) await recordPresence(tx, row, now, life);
    const result = await work({ tx, now, pageLeft, visitor: await loadVisitor(tx, row) });
    return { result, reopened: state === 'paused' && !pageLeft };
  });
  if (isRefused(done)) return done;
  publishChange(ctx, 'sessions', ...changes, ...(done.reopened ? (['logs'] as const) : []));
  return done.result;
}
