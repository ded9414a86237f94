import { parse, serialize } from 'hono/utils/cookie';
import { VISIT_LIFE_MS } from '../../domain/limits.ts';
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

/** A name of its own, so that a visit in the same browser is never mistaken for a rehearsal, nor replaced by one. */
const rehearsalName = (env: Settings) => (isHttps(env) ? '__Secure-prova' : 'prova');

/** The pass of the rehearsal that the browser holds, or null when there is none that could be one of ours. */
export function readRehearsalCookie(env: Settings, header: string | undefined): string | null {
  return readCookie(header, rehearsalName(env), /^[A-Za-z0-9._-]{16,200}$/);
}

/** The `Set-Cookie` that gives the pass for as long as it is good. Only calls of our own pages carry it. */
export function rehearsalCookie(
  env: Settings,
  pass: string,
  { ends, now }: { ends: Date; now: Date },
): string {
  const maxAge = Math.max(0, Math.floor((ends.getTime() - now.getTime()) / 1_000));
  return serialize(rehearsalName(env), pass, { ...rehearsalAttributes(env), maxAge });
}

/** The `Set-Cookie` that takes the pass away. */
export function noRehearsalCookie(env: Settings): string {
  return serialize(rehearsalName(env), '', { ...rehearsalAttributes(env), maxAge: 0 });
}

function rehearsalAttributes(env: Settings) {
  return { httpOnly: true, sameSite: 'Strict', path: '/api', secure: isHttps(env) } as const;
}

function readCookie(header: string | undefined, name: string, form: RegExp): string | null {
  const value = header === undefined ? undefined : parse(header, name)[name];
  return value !== undefined && form.test(value) ? value : null;
}
