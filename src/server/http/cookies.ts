import { parse, serialize } from 'hono/utils/cookie';
import { VISIT_LIFE_MS } from '../../domain/limits.ts';
import { eachOf, keysOf } from '../../domain/records.ts';
import type { Env } from '../env.ts';
import { isHttps } from './https.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'door'>;

/** With https the name itself forbids other hosts and paths to set it. */
const visitName = (env: Settings) => (isHttps(env) ? '__Host-sid' : 'sid');

/** The visitor's secret, or null when there is none that could be one of ours. */
export function readVisitCookie(env: Settings, header: string | undefined): string | null {
  return readCookie(header, visitName(env), /^[A-Za-z0-9_-]{16,200}$/);
}

/** The `Set-Cookie` that gives the visitor's secret, for as long as a visit can be taken up again. */
export function visitCookie(env: Settings, secret: string): string {
  return serialize(visitName(env), secret, { ...visitAttributes(env), maxAge: VISIT_LIFE_MS / 1_000 });
}

/** The `Set-Cookie` that takes it back. */
export function noVisitCookie(env: Settings): string {
  return serialize(visitName(env), '', { ...visitAttributes(env), maxAge: 0 });
}

function visitAttributes(env: Settings) {
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: isHttps(env) } as const;
}

/** What a browser holds that came in with a pass, or may look at its evening again. Names of their own, so that none is mistaken for another or replaces it. */
const PASSES = {
  rehearsal: { name: 'prova', path: '/api' },
  diagnosis: { name: 'diagnosi', path: '/api/diagnosis' },
  keepsake: { name: 'ricordo', path: '/api' },
} as const;
export type PassCookie = keyof typeof PASSES;

const passName = (env: Settings, of: PassCookie) => `${isHttps(env) ? '__Secure-' : ''}${PASSES[of].name}`;

/** The passes that the browser holds: null where there is none that could be one of ours. */
export function readPassCookies(
  env: Settings,
  header: string | undefined,
): Record<PassCookie, string | null> {
  return eachOf(keysOf(PASSES), (of) => readCookie(header, passName(env, of), /^[A-Za-z0-9._-]{16,200}$/));
}

/** The `Set-Cookie` that gives the pass for as long as it is good. Only calls of our own pages carry it. */
export function passCookie(
  env: Settings,
  of: PassCookie,
  { pass, ends, now }: { pass: string; ends: Date; now: Date },
): string {
  const maxAge = Math.max(0, Math.floor((ends.getTime() - now.getTime()) / 1_000));
  return serialize(passName(env, of), pass, { ...passAttributes(env, of), maxAge });
}

/** The `Set-Cookie` that takes the pass away. */
export function noPassCookie(env: Settings, of: PassCookie): string {
  return serialize(passName(env, of), '', { ...passAttributes(env, of), maxAge: 0 });
}

function passAttributes(env: Settings, of: PassCookie) {
  return { httpOnly: true, sameSite: 'Strict', path: PASSES[of].path, secure: isHttps(env) } as const;
}

function readCookie(header: string | undefined, name: string, form: RegExp): string | null {
  const value = header === undefined ? undefined : parse(header, name)[name];
  return value !== undefined && form.test(value) ? value : null;
}
