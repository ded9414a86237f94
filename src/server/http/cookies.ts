import { createHmac } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import { VISIT_LIFETIME_MS } from '../../domain/limits.ts';
import { eachOf, keysOf } from '../../domain/records.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { isHttps } from './https.ts';

type Settings = { env: Pick<Env, 'PUBLIC_URL' | 'listener'> } & Pick<Deps, 'cookieId'>;

/**
 * Keeps the cookies of two installs on one host apart: browsers send them to every port. Made of the sign-in secret, which all nodes share
 * and an archive brings along.
 */
export function cookieIdOf(authSecret: Buffer): string {
  return createHmac('sha256', authSecret).update('cookie names').digest('hex').slice(0, 8);
}

/** With https the name itself forbids other hosts and paths to set it. */
const oldVisitName = ({ env }: Settings) => (isHttps(env) ? '__Host-sid' : 'sid');

/** The visitor's secret, or null when there is none that could be one of ours. */
export function readVisitCookie(on: Settings, header: string | undefined): string | null {
  return readCookie(header, oldVisitName(on), on, { form: /^[A-Za-z0-9_-]{16,200}$/, moves: true });
}

/** The `Set-Cookie` that gives the visitor's secret, for as long as a visit can be taken up again. */
export function visitCookie(on: Settings, secret: string): string {
  const attributes = { ...visitAttributes(on), maxAge: VISIT_LIFETIME_MS / 1_000 };
  return serialize(ownName(oldVisitName(on), on), secret, attributes);
}

/** The `Set-Cookie` lines that take it back, under the name of before as well if the visit began with that. */
export function noVisitCookies(on: Settings, header: string | undefined): string[] {
  const old = oldVisitName(on);
  const own = ownName(old, on);
  const names = Object.hasOwn(parse(header ?? ''), own) ? [own] : [own, old];
  return names.map((name) => serialize(name, '', { ...visitAttributes(on), maxAge: 0 }));
}

function visitAttributes({ env }: Settings) {
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: isHttps(env) } as const;
}

/**
 * What a browser holds that came in with a pass, or may look at its evening again. Names of their own, so that none is mistaken for another
 * or replaces it.
 */
const PASSES = {
  rehearsal: { name: 'prova', path: '/api' },
  diagnosis: { name: 'diagnosi', path: '/api/diagnosis' },
  keepsake: { name: 'ricordo', path: '/api' },
} as const;
export type PassCookie = keyof typeof PASSES;

const oldPassName = ({ env }: Settings, of: PassCookie) =>
  `${isHttps(env) ? '__Secure-' : ''}${PASSES[of].name}`;

/** The passes that the browser holds: null where there is none that could be one of ours. */
export function readPassCookies(on: Settings, header: string | undefined): Record<PassCookie, string | null> {
  return eachOf(keysOf(PASSES), (of) =>
    readCookie(header, oldPassName(on, of), on, {
      form: /^[A-Za-z0-9._-]{16,200}$/,
      moves: of === 'keepsake',
    }),
  );
}

/** The `Set-Cookie` that gives the pass for as long as it is good. Only calls of our own pages carry it. */
export function passCookie(
  on: Settings,
  of: PassCookie,
  { pass, ends, now }: { pass: string; ends: Date; now: Date },
): string {
  const maxAge = Math.max(0, Math.floor((ends.getTime() - now.getTime()) / 1_000));
  return serialize(ownName(oldPassName(on, of), on), pass, { ...passAttributes(on, of), maxAge });
}

/** The `Set-Cookie` that takes the pass away. */
export function expiredPassCookie(on: Settings, of: PassCookie): string {
  return serialize(ownName(oldPassName(on, of), on), '', { ...passAttributes(on, of), maxAge: 0 });
}

function passAttributes({ env }: Settings, of: PassCookie) {
  return { httpOnly: true, sameSite: 'Strict', path: PASSES[of].path, secure: isHttps(env) } as const;
}

const ownName = (old: string, { cookieId }: Pick<Settings, 'cookieId'>) => `${old}_${cookieId}`;

/**
 * Reads the install's own cookie, or else that of releases up to 0.2, whose names had no id. Those that outlive a restore into another
 * install (`moves`) are also read under its former id; the secret finds nothing where it isn't ours.
 */
function readCookie(
  header: string | undefined,
  old: string,
  on: Settings,
  { form, moves }: { form: RegExp; moves: boolean },
): string | null {
  if (header === undefined || !header.includes(old)) return null;
  const sent = parse(header);
  const former = moves ? Object.keys(sent).filter((name) => name.startsWith(`${old}_`)) : [];
  const values = [ownName(old, on), old, ...former].map((name) => sent[name] ?? '');
  return values.find((value) => form.test(value)) ?? null;
}
