import type { Findings } from '../../domain/diagnosis.ts';
import { isRefused } from '../api/failure.ts';
import { request } from '../api/request.ts';

export type Entrance =
  | { state: 'open' }
  /** This browser has no pass. */
  | { state: 'stranger' }
  /** The pass is no longer valid. */
  | { state: 'over' }
  | { state: 'failed'; messaggio: string };

/**
 * Checks whether this phone may be tested.
 * @param pass the pass from the address, or null
 */
export async function enter(pass: string | null): Promise<Entrance> {
  const result =
    pass === null
      ? await request('GET', '/diagnosis')
      : await request('POST', '/diagnosis/enter', { body: { pass } });
  if (result.ok) return { state: 'open' };
  const { failure } = result;
  if (!isRefused(failure)) return { state: 'failed', messaggio: failure.messaggio };
  return { state: pass === null ? 'stranger' : 'over' };
}

/** Returns true if the cookie set a moment ago was sent back; undefined without an answer. */
export async function keepsCookies(): Promise<boolean | undefined> {
  const result = await request('GET', '/diagnosis');
  if (result.ok) return true;
  return isRefused(result.failure) ? false : undefined;
}

/**
 * Sends the findings so far.
 * @returns true if they arrived
 */
export async function report(payload: { id: string; findings: Findings; pass?: string }): Promise<boolean> {
  return (await request('POST', '/diagnosis/report', { body: payload, keepalive: true })).ok;
}
