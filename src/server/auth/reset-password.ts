import { randomInt } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { insertEvents } from '../event-log/events.repo.ts';
import { clearFailuresOfKind } from '../limits/failures.repo.ts';
import { findUserId, replacePassword } from './auth.repo.ts';
import { hashPassword, type PasswordProblem, passwordProblem } from './passwords.ts';
import { securityEvent } from './security-events.ts';

export type ResetResult = 'done' | 'unknown' | PasswordProblem;

/** Sets a new password for an administrator, ends all sessions and clears failed sign-ins. */
export async function resetPassword(
  deps: Pick<Deps, 'env' | 'db' | 'inTransaction' | 'now'>,
  email: string,
  password: string,
): Promise<ResetResult> {
  const user_id = await findUserId(deps.db, email);
  if (user_id === null) return 'unknown';
  const problem = await passwordProblem(password, email);
  if (problem) return problem;
  const hash = await hashPassword(password);
  const replaced = await deps.inTransaction(async (tx) => {
    const event = { ...securityEvent('admin_password_changed', { by: 'command' }), user_agent: null };
    await insertEvents(tx, [event], deps.now());
    await clearFailuresOfKind(tx, 'sign-in');
    return replacePassword(tx, user_id, hash, deps.now());
  });
  if (!replaced) return 'unknown';
  return 'done';
}

/** Generates a password that is easy to read and type: five groups of four, no similar characters; 98 bits. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: 5 }, group).join('-');
}
