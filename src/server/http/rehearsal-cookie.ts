import { parse, serialize } from 'hono/utils/cookie';
import type { Env } from '../env.ts';

type Settings = Pick<Env, 'PUBLIC_URL'>;

const isSecure = ({ PUBLIC_URL }: Settings) => PUBLIC_URL?.startsWith('https:') ?? false;

/** A name of its own, so that a visit in the same browser is never mistaken for a rehearsal, nor replaced by one. */
const cookieName = (env: Settings) => (isSecure(env) ? '__Secure-prova' : 'prova');

/** The pass of the rehearsal that the browser holds, or null when there is none that could be one of ours. */
export function readRehearsalCookie(env: Settings, header: string | undefined): string | null {
  if (header === undefined) return null;
  const name = cookieName(env);
  const value = parse(header, name)[name];
  return value !== undefined && /^[A-Za-z0-9._-]{16,200}$/.test(value) ? value : null;
}

/** The `Set-Cookie` that gives the pass for as long as it is good. Only calls of our own pages carry it. */
export function rehearsalCookie(
  env: Settings,
  pass: string,
  { ends, now }: { ends: Date; now: Date },
): string {
  const maxAge = Math.max(0, Math.floor((ends.getTime() - now.getTime()) / 1_000));
  return serialize(cookieName(env), pass, { ...attributes(env), maxAge });
}

/** The `Set-Cookie` that takes the pass away. */
export function noRehearsalCookie(env: Settings): string {
  return serialize(cookieName(env), '', { ...attributes(env), maxAge: 0 });
}

function attributes(env: Settings) {
  return { httpOnly: true, sameSite: 'Strict', path: '/api', secure: isSecure(env) } as const;
}
