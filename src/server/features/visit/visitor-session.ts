import type { Snapshot } from '../../../domain/content.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import type { Position } from '../../../domain/position.ts';
import type { VisitProgress } from '../../../domain/visit-rules.ts';
import { type VisitState, visitState } from '../../../domain/visit-state.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Refusal } from '../../refused.ts';
import { hashSecret } from './cookie-secret.ts';
import { findForGuard, type GuardRow } from './sessions.repo.ts';
import { loadVisitPlan } from './snapshot.ts';
import { readAnswers } from './visit.repo.ts';

const holderBrand = Symbol('VisitHolder');
const visitorBrand = Symbol('VisitorSession');

/** Proof that the caller's cookie belongs to this visit, whatever has become of it. Minted only here. */
export type VisitHolder = {
  readonly row: GuardRow;
  readonly state: VisitState;
  readonly [holderBrand]: true;
};

/**
 * Proof of a living visit: under way, or closed and open to be taken up again; its code still stands. Minted only here.
 * `position` and `answers` are as of the request's beginning.
 */
export type VisitorSession = VisitProgress & {
  readonly id: string;
  readonly token_id: string;
  readonly token_value: string;
  readonly [visitorBrand]: true;
};

/** Whose visit this cookie's secret leads to, or null. */
export async function findHolder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  secret: string,
): Promise<VisitHolder | null> {
  const found = await findForGuard(db, hashSecret(secret));
  if (found === undefined) return null;
  const { row, code_active } = found;
  const judged = visitState(row, now());
  const alive = judged === 'open' || judged === 'paused';
  const state = alive && !code_active ? 'disconnected' : judged;
  return { row, state, [holderBrand]: true };
}

/** The living visit of its holder, or what has become of it. */
export async function requireLiveVisit(
  db: Db,
  holder: VisitHolder,
): Promise<{ visitor: VisitorSession } | Refusal<'VISIT_ENDED' | 'DISCONNECTED'>> {
  const over = unavailableRefusal(holder);
  return over ?? { visitor: await loadVisitor(db, holder.row) };
}

/** Why nothing more is answered to this visit; null while it lives. */
export function unavailableRefusal({ state }: VisitHolder): Refusal<'VISIT_ENDED' | 'DISCONNECTED'> | null {
  if (state === 'disconnected') return { refused: 'DISCONNECTED' };
  return state === 'ended' ? { refused: 'VISIT_ENDED' } : null;
}

type PlaceOfVisit = Pick<GuardRow, 'id' | 'token_id' | 'token_value' | 'snapshot_hash' | keyof Position>;

/** The visit as its row says now; the caller has made sure that it lives. */
export async function loadVisitor(db: Db, row: PlaceOfVisit): Promise<VisitorSession> {
  const { id, token_id, token_value, step, phrase, second } = row;
  const { snapshot, steps } = await loadVisitPlan(db, row);
  const position = { step, phrase, second };
  const answers = await readAnswers(db, id);
  return { id, token_id, token_value, snapshot, steps, position, answers, [visitorBrand]: true };
}

/** The visit that begins with this: nothing is answered yet. */
export function initialVisitor(row: PlaceOfVisit, snapshot: Snapshot): VisitorSession {
  const { id, token_id, token_value, step, phrase, second } = row;
  const position = { step, phrase, second };
  const steps = itinerary(snapshot);
  return { id, token_id, token_value, snapshot, steps, position, answers: new Map(), [visitorBrand]: true };
}
