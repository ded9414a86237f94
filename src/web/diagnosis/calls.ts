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
  const asked =
    pass === null
      ? await request('GET', '/diagnosis')
      : await request('POST', '/diagnosis/enter', { body: { pass } });
  if (asked.ok) return { state: 'open' };
  const { failure } = asked;
  if (!isRefused(failure)) return { state: 'failed', messaggio: failure.messaggio };
  return { state: pass === null ? 'stranger' : 'over' };
}

/** Returns true if the cookie set a moment ago was sent back; undefined without an answer. */
export async function keepsCookies(): Promise<boolean | undefined> {
  const asked = await request('GET', '/diagnosis');
  if (asked.ok) return true;
  return isRefused(asked.failure) ? false : undefined;
}

/**
 * Sends the findings so far.
 * @returns true if they arrived
 */
export async function report(told: { id: string; findings: Findings; pass?: string }): Promise<boolean> {
  return (await request('POST', '/diagnosis/report', { body: told, keepalive: true })).ok;
}
