import type { Snapshot } from '../../../domain/content.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import type { Position } from '../../../domain/position.ts';
import type { VisitProgress } from '../../../domain/visit-rules.ts';
import { type VisitState, visitState } from '../../../domain/visit-state.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Refused } from '../../refused.ts';
import { hashOf } from './cookie-secret.ts';
import { findHeld, type HeldRow } from './sessions.repo.ts';
import { eveningOf } from './snapshot.ts';
import { readAnswers } from './visit.repo.ts';

const holderBrand = Symbol('VisitHolder');
const visitorBrand = Symbol('VisitorSession');

/** Proof that the caller's cookie belongs to this visit, whatever has become of it. Minted only here. */
export type VisitHolder = {
  readonly row: HeldRow;
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
  const found = await findHeld(db, hashOf(secret));
  if (found === undefined) return null;
  const { row, code_active } = found;
  const judged = visitState(row, now());
  const alive = judged === 'open' || judged === 'paused';
  const state = alive && !code_active ? 'disconnected' : judged;
  return { row, state, [holderBrand]: true };
}

/** The living visit of its holder, or what has become of it. */
export async function livingVisit(
  db: Db,
  holder: VisitHolder,
): Promise<{ visitor: VisitorSession } | Refused<'VISIT_ENDED' | 'DISCONNECTED'>> {
  const over = isOver(holder);
  return over ?? { visitor: await toVisitor(db, holder.row) };
}

/** Why nothing more is answered to this visit; null while it lives. */
export function isOver({ state }: VisitHolder): Refused<'VISIT_ENDED' | 'DISCONNECTED'> | null {
  if (state === 'disconnected') return { refused: 'DISCONNECTED' };
  return state === 'ended' ? { refused: 'VISIT_ENDED' } : null;
}

type PlaceOfVisit = Pick<HeldRow, 'id' | 'token_id' | 'token_value' | 'snapshot_hash' | keyof Position>;

/** The visit as its row says now; the caller has made sure that it lives. */
export async function toVisitor(db: Db, row: PlaceOfVisit): Promise<VisitorSession> {
  const { id, token_id, token_value, step, phrase, second } = row;
  const { snapshot, steps } = await eveningOf(db, row);
  const position = { step, phrase, second };
  const answers = await readAnswers(db, id);
  return { id, token_id, token_value, snapshot, steps, position, answers, [visitorBrand]: true };
}

/** The visit that begins with this: nothing is answered yet. */
export function newVisitor(row: PlaceOfVisit, snapshot: Snapshot): VisitorSession {
  const { id, token_id, token_value, step, phrase, second } = row;
  const position = { step, phrase, second };
  const steps = itinerary(snapshot);
  return { id, token_id, token_value, snapshot, steps, position, answers: new Map(), [visitorBrand]: true };
}
