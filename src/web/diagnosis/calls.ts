import type { Findings } from '../../domain/diagnosis.ts';
import { isRefused } from '../api/failure.ts';
import { request } from '../api/request.ts';

export type Entrance =
  | { state: 'open' }
  /** Nobody gave this browser a pass. */
  | { state: 'stranger' }
  /** The pass is good no more. */
  | { state: 'over' }
  | { state: 'failed'; messaggio: string };

/** May this phone be tried? @param pass what the address brought, if anything */
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

/** Did the cookie of a moment ago come along? Where that can't be learned, nothing is said. */
export async function keepsCookies(): Promise<boolean | undefined> {
  const asked = await request('GET', '/diagnosis');
  if (asked.ok) return true;
  return isRefused(asked.failure) ? false : undefined;
}

/** Tells what was found so far. @returns whether it has arrived */
export async function report(told: { id: string; findings: Findings; pass?: string }): Promise<boolean> {
  return (await request('POST', '/diagnosis/report', { body: told, keepalive: true })).ok;
}
