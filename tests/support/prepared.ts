import { FULL_CONFIGURATION, FULL_QUESTIONS } from './evenings.ts';
import { call } from './http.ts';
import { ok, signUp } from './http-evening.ts';
import { inParallel } from './parallel.ts';

export type Code = { id: string; token: string };

/** A whole evening, configured by an administrator who has just registered; the administrator's cookie. */
export async function prepare(url: string, changes: Record<string, unknown> = {}): Promise<string> {
  const cookie = await signUp({ url });
  const { versione } = ok(await call(url, 'GET', '/admin/config', undefined, { cookie })).body;
  const fields = { ...FULL_CONFIGURATION, contatto: '@anna', ...changes };
  ok(await call(url, 'PATCH', '/admin/config', { versione, fields }, { cookie }));
  ok(await call(url, 'PATCH', '/admin/questions', { versione: 0, fields: FULL_QUESTIONS }, { cookie }));
  return cookie;
}

/** So many codes, of one use each unless said otherwise, that never expire. */
export function makeCodes(url: string, cookie: string, count: number, max_accessi = 1): Promise<Code[]> {
  const body = { nome: 'Per lei', max_accessi, giorni: null };
  const make = async (): Promise<Code> => ok(await call(url, 'POST', '/admin/tokens', body, { cookie })).body;
  return inParallel(
    Array.from({ length: count }, () => make),
    8,
  );
}
