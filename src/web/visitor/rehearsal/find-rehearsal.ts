import { type ApiError, isRefused } from '../../api/failure.ts';
import { enterRehearsal, type Rehearsed, readRehearsal } from '../../api/rehearsal.ts';

/** Why there is nothing to rehearse. */
export type RehearsalUnavailable =
  /** Nobody is signed in here, and there is no pass. */
  | { state: 'stranger' }
  /** There is a pass, and it is no good any more. */
  | { state: 'over' }
  | { state: 'unready' | 'failed'; messaggio: string };

export type RehearsalLookup = ({ state: 'open' } & Rehearsed) | RehearsalUnavailable;

/**
 * The evening as it is configured now. A pass that is no good is in nobody's way: whoever is signed in, or came in with another one, sees the
 * rehearsal all the same.
 * @param pass what the address brought, if anything
 */
export async function findRehearsal(pass: string | null): Promise<RehearsalLookup> {
  const entered = pass === null ? null : await enterRehearsal(pass);
  const brought = entered?.ok === false ? unfound(entered.failure) : null;
  if (brought !== null && brought.state !== 'over') return brought;
  const read = await readRehearsal();
  if (read.ok) return { state: 'open', ...read.value };
  const refused = unfound(read.failure);
  return refused.state === 'stranger' && brought !== null ? brought : refused;
}

/** May who came in with a pass go on watching? Where that can't be learned, yes. */
export async function canContinue(): Promise<boolean> {
  const read = await readRehearsal();
  return read.ok || !['stranger', 'over'].includes(unfound(read.failure).state);
}

function unfound(failure: ApiError): RehearsalUnavailable {
  if (!isRefused(failure)) return { state: 'failed', messaggio: failure.messaggio };
  if (failure.codice === 'SIGN_IN_REQUIRED') return { state: 'stranger' };
  // What isn't even the shape of a pass is no better than one that is over.
  if (failure.codice === 'REHEARSAL_OVER' || failure.codice === 'BAD_INPUT') return { state: 'over' };
  return { state: 'unready', messaggio: failure.messaggio };
}
