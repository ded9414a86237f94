import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '../../contract/errors.ts';
import { PASSWORD_LENGTH } from '../../domain/limits.ts';
import { isCommonPassword } from './common-passwords.ts';

/** 32 MiB and about 0.3 s of one core: the strength that OWASP recommends, with a quarter of the memory of its first choice. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const KEY_LENGTH = 32;

/** Returns `scrypt:N:r:p:salt:key`. The hash includes its parameters, so that the cost can change later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

/** Returns true if the password matches the hash. Throws if the stored hash is malformed. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = hash.split(':');
  if (kind !== 'scrypt' || !salt || !key) throw new Error('A stored password hash is damaged.');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_LENGTH, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Reason to reject a new password: too short, too long or too common. */
export type PasswordProblem = Extract<ErrorCode, 'WEAK_PASSWORD' | 'LONG_PASSWORD' | 'COMMON_PASSWORD'>;

/** Returns the problem of a new password, or null. Length counts Unicode characters; there is no other rule. */
export async function passwordProblem(password: string, email: string): Promise<PasswordProblem | null> {
  const normalized = password.normalize('NFKC');
  const length = [...normalized].length;
  if (length < PASSWORD_LENGTH.min) return 'WEAK_PASSWORD';
  if (length > PASSWORD_LENGTH.max) return 'LONG_PASSWORD';
  return (await isCommonPassword(normalized, email)) ? 'COMMON_PASSWORD' : null;
}
