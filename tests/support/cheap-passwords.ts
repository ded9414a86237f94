import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type * as passwords from '../../src/server/auth/passwords.ts';

/**
 * A password's hash takes a third of a second on purpose, which is what registering and signing in cost a test. Here it is made with a cost
 * that takes none; it says so itself, and is checked as any other, in the thread pool. The real cost is held by `auth-enumeration.test.ts`.
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
