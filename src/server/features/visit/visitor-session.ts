import { itinerary } from '../../../domain/itinerary.ts';
import type { VisitSoFar } from '../../../domain/visit-rules.ts';
import { type VisitState, visitState } from '../../../domain/visit-state.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Refused } from '../../refused.ts';
import { hashOf } from './cookie-secret.ts';
import { findByCookie, type SessionRow } from './sessions.repo.ts';
import { readSnapshot } from './snapshot.ts';
import { isTokenActive, readAnswers } from './visit.repo.ts';

declare const holderBrand: unique symbol;
declare const visitorBrand: unique symbol;

/** Proof that the caller's cookie belongs to this visit, whatever has become of it. Minted only here. */
export type VisitHolder = {
  readonly row: SessionRow;
  readonly state: VisitState;
  readonly [holderBrand]: 'VisitHolder';
};

/**
 * Proof of a living visit: under way, or closed and open to be taken up again; its code still stands. Minted only here.
 * `position` and `answers` are as of the request's beginning.
 */
export type VisitorSession = VisitSoFar & {
  readonly id: string;
  readonly token_id: string;
  readonly token_value: string;
  readonly [visitorBrand]: 'VisitorSession';
};

/** Whose visit this cookie's secret leads to, or null. */
export async function findHolder(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  secret: string,
): Promise<VisitHolder | null> {
  const row = await findByCookie(db, hashOf(secret));
  if (row === undefined) return null;
  const judged = visitState(row, now());
  const alive = judged === 'open' || judged === 'paused';
  const state = alive && !(await isTokenActive(db, row.token_id)) ? 'disconnected' : judged;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- minted here
  return { row, state } as VisitHolder;
}

/** The living visit of its holder, or what has become of it. */
export async function livingVisit(
  db: Db,
  { row, state }: VisitHolder,
): Promise<{ visitor: VisitorSession } | Refused<'VISIT_ENDED' | 'DISCONNECTED'>> {
  if (state === 'disconnected') return { refused: 'DISCONNECTED' };
  if (state === 'ended') return { refused: 'VISIT_ENDED' };
  return { visitor: await toVisitor(db, row) };
}

/** The visit as its row says now; the caller has made sure that it lives. */
export async function toVisitor(db: Db, row: SessionRow): Promise<VisitorSession> {
  const { id, token_id, token_value, step, phrase, second } = row;
  const snapshot = readSnapshot(row.snapshot);
  const position = { step, phrase, second };
  const answers = await readAnswers(db, id);
  const steps = itinerary(snapshot);
  const visitor: Omit<VisitorSession, typeof visitorBrand> = {
    id,
    token_id,
    token_value,
    snapshot,
    steps,
    position,
    answers,
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- minted here
  return visitor as VisitorSession;
}
