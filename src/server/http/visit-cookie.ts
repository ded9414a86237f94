import { parse, serialize } from 'hono/utils/cookie';
import { VISIT_LIFE_MS } from '../../domain/limits.ts';
import type { Env } from '../env.ts';

type Settings = Pick<Env, 'PUBLIC_URL'>;

const isSecure = ({ PUBLIC_URL }: Settings) => PUBLIC_URL?.startsWith('https:') ?? false;

/** With https the name itself forbids other hosts and paths to set it. */
const cookieName = (env: Settings) => (isSecure(env) ? '__Host-sid' : 'sid');

/** The visitor's secret, or null when there is none that could be one of ours. */
export function readVisitCookie(env: Settings, header: string | undefined): string | null {
  if (header === undefined) return null;
  const name = cookieName(env);
  const value = parse(header, name)[name];
  return value !== undefined && /^[A-Za-z0-9_-]{16,200}$/.test(value) ? value : null;
}

/** The `Set-Cookie` that gives the visitor's secret, for as long as a visit can be taken up again. */
export function visitCookie(env: Settings, secret: string): string {
  return serialize(cookieName(env), secret, { ...attributes(env), maxAge: VISIT_LIFE_MS / 1_000 });
}

/** The `Set-Cookie` that takes it back. */
export function noVisitCookie(env: Settings): string {
  return serialize(cookieName(env), '', { ...attributes(env), maxAge: 0 });
}

function attributes(env: Settings) {
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: isSecure(env) } as const;
}
