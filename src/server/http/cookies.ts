import { createHmac } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import { VISIT_LIFETIME_MS } from '../../domain/limits.ts';
import { eachOf, keysOf } from '../../domain/records.ts';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';
import { isHttps } from './address.ts';

type Settings = { env: Pick<Env, 'PUBLIC_URL' | 'listener'> } & Pick<Deps, 'cookieId'>;

/**
 * Returns an id that separates the cookies of two installs on one host, because browsers send them to all ports. Derived from the sign-in
 * secret, which all nodes share and archives contain.
 */
export function cookieIdOf(authSecret: Buffer): string {
  return createHmac('sha256', authSecret).update('cookie names').digest('hex').slice(0, 8);
}

/** With HTTPS, the `__Host-` prefix prevents other hosts and paths from setting the cookie. */
const oldVisitName = ({ env }: Settings) => (isHttps(env) ? '__Host-sid' : 'sid');

/** Returns the visitor's secret, or null if there is no well-formed one. */
export function readVisitCookie(settings: Settings, header: string | undefined): string | null {
  return readCookie(header, oldVisitName(settings), settings, {
    form: /^[A-Za-z0-9_-]{16,200}$/,
    moves: true,
  });
}

/** Returns the `Set-Cookie` value with the visitor's secret, valid as long as a visit can be resumed. */
export function visitCookie(settings: Settings, secret: string): string {
  const attributes = { ...visitAttributes(settings), maxAge: VISIT_LIFETIME_MS / 1_000 };
  return serialize(ownName(oldVisitName(settings), settings), secret, attributes);
}

/** Returns the `Set-Cookie` values that delete it, also under the old name if the visit began with that. */
export function noVisitCookies(settings: Settings, header: string | undefined): string[] {
  const old = oldVisitName(settings);
  const own = ownName(old, settings);
  const names = Object.hasOwn(parse(header ?? ''), own) ? [own] : [own, old];
  return names.map((name) => serialize(name, '', { ...visitAttributes(settings), maxAge: 0 }));
}

function visitAttributes({ env }: Settings) {
  return { httpOnly: true, sameSite: 'Lax', path: '/', secure: isHttps(env) } as const;
}

/** Cookies of rehearsal, phone test and keepsake. Separate names, so that they don't replace each other. */
const PASSES = {
  rehearsal: { name: 'prova', path: '/api' },
  diagnosis: { name: 'diagnosi', path: '/api/diagnosis' },
  keepsake: { name: 'ricordo', path: '/api' },
} as const;
export type PassCookie = keyof typeof PASSES;

const oldPassName = ({ env }: Settings, of: PassCookie) =>
  `${isHttps(env) ? '__Secure-' : ''}${PASSES[of].name}`;

/** Returns the passes in the browser's cookies; null without a well-formed one. */
export function readPassCookies(
  settings: Settings,
  header: string | undefined,
): Record<PassCookie, string | null> {
  return eachOf(keysOf(PASSES), (of) =>
    readCookie(header, oldPassName(settings, of), settings, {
      form: /^[A-Za-z0-9._-]{16,200}$/,
      moves: of === 'keepsake',
    }),
  );
}

/** Returns the `Set-Cookie` value with a pass, valid until the pass ends. Browsers send it only with requests of the site's own pages. */
export function passCookie(
  settings: Settings,
  of: PassCookie,
  { pass, ends, now }: { pass: string; ends: Date; now: Date },
): string {
  const maxAge = Math.max(0, Math.floor((ends.getTime() - now.getTime()) / 1_000));
  return serialize(ownName(oldPassName(settings, of), settings), pass, {
    ...passAttributes(settings, of),
    maxAge,
  });
}

/** Returns the `Set-Cookie` value that deletes a pass. */
export function expiredPassCookie(settings: Settings, of: PassCookie): string {
  return serialize(ownName(oldPassName(settings, of), settings), '', {
    ...passAttributes(settings, of),
    maxAge: 0,
  });
}

function passAttributes({ env }: Settings, of: PassCookie) {
  return { httpOnly: true, sameSite: 'Strict', path: PASSES[of].path, secure: isHttps(env) } as const;
}

const ownName = (old: string, { cookieId }: Pick<Settings, 'cookieId'>) => `${old}_${cookieId}`;

/**
 * Reads the install's cookie, otherwise that of releases up to 0.2, whose names had no id. Cookies that survive a restore into another
 * install (`moves`) are also read under the former id; a foreign secret matches nothing.
 */
function readCookie(
  header: string | undefined,
  old: string,
  settings: Settings,
  { form, moves }: { form: RegExp; moves: boolean },
): string | null {
  if (header === undefined || !header.includes(old)) return null;
  const sent = parse(header);
  const former = moves ? Object.keys(sent).filter((name) => name.startsWith(`${old}_`)) : [];
  const values = [ownName(old, settings), old, ...former].map((name) => sent[name] ?? '');
  return values.find((value) => form.test(value)) ?? null;
}
