import type { Snapshot } from '../../../domain/content.ts';
import { type VisitState, visitState } from '../../../domain/evening.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import type { Position, VisitProgress } from '../../../domain/stage-content.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { hashSecret } from './cookie-secret.ts';
import { findForGuard, type GuardRow } from './sessions.repo.ts';
import { loadVisitPlan } from './snapshot.ts';
import { readAnswers } from './visit.repo.ts';

const holderBrand = Symbol('VisitHolder');
const visitorBrand = Symbol('VisitorSession');

/** Proof that the caller's cookie belongs to this visit, in any state. Created only in this file. */
export type VisitHolder = {
  readonly row: GuardRow;
  readonly state: VisitState;
  readonly [holderBrand]: true;
};

/**
 * Proof of a visit that is open, or paused and resumable, and whose code is active. Created only in this file.
 * `position` and `answers` are those at the start of the request.
 */
export type VisitorSession = VisitProgress & {
  readonly id: string;
  readonly token_id: string;
  readonly token_value: string;
  readonly [visitorBrand]: true;
};

/** Returns the visit of this cookie's secret, or null. */
export async function findHolder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  secret: string,
): Promise<VisitHolder | null> {
  const found = await findForGuard(db, hashSecret(secret));
  if (found === undefined) return null;
  const { row, code_active } = found;
  const ownState = visitState(row, now());
  const isResumable = ownState === 'open' || ownState === 'paused';
  const state = isResumable && !code_active ? 'disconnected' : ownState;
  return { row, state, [holderBrand]: true };
}

/** Returns the visit of its holder, or a refusal if it is over. */
export async function requireLiveVisit(
  db: Db,
  holder: VisitHolder,
): Promise<{ visitor: VisitorSession } | Refusal<'VISIT_ENDED' | 'DISCONNECTED'>> {
  const over = unavailableRefusal(holder);
  return over ?? { visitor: await loadVisitor(db, holder.row) };
}

/** Returns the refusal of a visit that is over, or null. */
export function unavailableRefusal({ state }: VisitHolder): Refusal<'VISIT_ENDED' | 'DISCONNECTED'> | null {
  if (state === 'disconnected') return refuse('DISCONNECTED');
  return state === 'ended' ? refuse('VISIT_ENDED') : null;
}

type VisitRow = Pick<GuardRow, 'id' | 'token_id' | 'token_value' | 'snapshot_hash' | keyof Position>;

/** Loads the visit of a row. The caller has checked that it isn't over. */
export async function loadVisitor(db: Db, row: VisitRow): Promise<VisitorSession> {
  const { id, token_id, token_value, step, phrase, second } = row;
  const { snapshot, steps } = await loadVisitPlan(db, row);
  const position = { step, phrase, second };
  const answers = await readAnswers(db, id);
  return { id, token_id, token_value, snapshot, steps, position, answers, [visitorBrand]: true };
}

/** Returns a visit at its beginning, without answers. */
export function initialVisitor(row: VisitRow, snapshot: Snapshot): VisitorSession {
  const { id, token_id, token_value, step, phrase, second } = row;
  const position = { step, phrase, second };
  const steps = itinerary(snapshot);
  return { id, token_id, token_value, snapshot, steps, position, answers: new Map(), [visitorBrand]: true };
}
