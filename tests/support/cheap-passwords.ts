import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type * as passwords from '../../src/server/auth/passwords.ts';

/**
 * Replaces the password hash, which takes a third of a second on purpose, with one of minimal cost. Its parameters are
 * stored in the hash, so it is verified as usual, in the thread pool. `auth-enumeration.test.ts` tests the real cost.
 */
vi.mock('../../src/server/auth/passwords.ts', async (original) => ({
  ...(await original<typeof passwords>()),
  async hashPassword(password: string) {
    const salt = randomBytes(16);
    const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
    const key = await derive(password.normalize('NFKC'), salt, 32, { N: 16, r: 8, p: 1 });
    return ['scrypt', 16, 8, 1, salt.toString('base64url'), key.toString('base64url')].join(':');
  },
}));
