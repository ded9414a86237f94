import { type ApiError, isRefused } from '../../api/failure.ts';
import { enterRehearsal, type Rehearsed, readRehearsal } from '../../api/rehearsal.ts';

/** Reason why there is no rehearsal. */
export type RehearsalUnavailable =
  /** Not signed in and without a pass. */
  | { state: 'stranger' }
  /** The pass is no longer valid. */
  | { state: 'over' }
  | { state: 'unready' | 'failed'; messaggio: string };

export type RehearsalLookup = ({ state: 'open' } & Rehearsed) | RehearsalUnavailable;

/**
 * Reads the evening as configured now. An invalid pass is ignored if the client is signed in or entered with another pass before.
 * @param pass the pass from the address, or null
 */
export async function findRehearsal(pass: string | null): Promise<RehearsalLookup> {
  const entered = pass === null ? null : await enterRehearsal(pass);
  const passError = entered?.ok === false ? toUnavailable(entered.failure) : null;
  if (passError !== null && passError.state !== 'over') return passError;
  const read = await readRehearsal();
  if (read.ok) return { state: 'open', ...read.value };
  const refused = toUnavailable(read.failure);
  return refused.state === 'stranger' && passError !== null ? passError : refused;
}

/** Returns true if a client with a pass may continue watching, also without an answer. */
export async function canContinue(): Promise<boolean> {
  const read = await readRehearsal();
  return read.ok || !['stranger', 'over'].includes(toUnavailable(read.failure).state);
}

function toUnavailable(failure: ApiError): RehearsalUnavailable {
  if (!isRefused(failure)) return { state: 'failed', messaggio: failure.messaggio };
  if (failure.codice === 'SIGN_IN_REQUIRED') return { state: 'stranger' };
  // A malformed pass counts as an expired one.
  if (failure.codice === 'REHEARSAL_OVER' || failure.codice === 'BAD_INPUT') return { state: 'over' };
  return { state: 'unready', messaggio: failure.messaggio };
}
