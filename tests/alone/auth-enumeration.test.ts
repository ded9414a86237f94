import type * as Crypto from 'node:crypto';
import type { BinaryLike, ScryptOptions } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authOn, post, type TestAuth } from '../support/auth.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

/**
 * The sign-in doesn't reveal the administrator's address. Most of a reply's time is scrypt's, so an unknown address must cost
 * exactly as much of it as a known one. The test counts calls instead of measuring time.
 */

type Derived = { bytes: number; cost: Pick<ScryptOptions, 'N' | 'r' | 'p'> };
const derived = vi.hoisted((): Derived[] => []);

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof Crypto>();
  const scrypt = (
    password: BinaryLike,
    salt: BinaryLike,
    bytes: number,
    options: ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ) => {
    const { N, r, p } = options;
    derived.push({ bytes, cost: { N, r, p } });
    real.scrypt(password, salt, bytes, options, done);
  };
  return { ...real, scrypt, default: { ...real, scrypt } };
});

vi.unmock('../../src/server/auth/passwords.ts');

const EMAIL = 'chi.prepara@example.org';
const ONCE: Derived[] = [{ bytes: 32, cost: { N: 2 ** 15, r: 8, p: 3 } }];

let database: TestDatabase;
let auth: TestAuth;
beforeEach(async () => {
  database = await sqliteDatabase();
  auth = await authOn(database);
  await post(auth, '/sign-up/email', { email: EMAIL, password: 'canarino-giallo-8472' });
});
afterEach(() => database.drop());

/** Returns the reply to a wrong guess, and what the server derived for it. */
async function guess(email: string, address: string) {
  derived.length = 0;
  const answer = await post(auth, '/sign-in/email', { email, password: 'non è questa, credo' }, { address });
  const { status, text, headers } = answer;
  return { answer: { status, text, headers: [...headers].toSorted() }, derived: [...derived] };
}

test('answers an unknown e-mail and a wrong password alike, with equal work', async () => {
  const wrong = await guess(EMAIL, '198.51.100.1');
  const unknown = await guess('nessuno@example.org', '198.51.100.2');
  expect(wrong.answer).toMatchObject({
    status: 401,
    text: JSON.stringify({ codice: 'BAD_CREDENTIALS', messaggio: 'Credenziali non valide' }),
  });
  expect(unknown.answer).toEqual(wrong.answer);
  expect(wrong.derived).toEqual(ONCE);
  expect(unknown.derived).toEqual(ONCE);
});
