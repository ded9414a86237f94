import { resolve } from 'node:path';
import { resetPasswordTexts as texts } from '../../texts/commands.ts';
import { errorSentences } from '../../texts/errors.ts';
import { generatePassword, resetPassword } from '../auth/reset-password.ts';
import { explainDatabaseError, openCommandDatabase } from '../db/open.ts';
import { readEnv } from '../env.ts';
import { backupBeforeUpgrade } from '../features/archive/write.ts';
import { finishWith, readSecret } from './run.ts';

/**
 * Runs `sorpresa reset-password E-MAIL`: reads the new password from the keyboard (hidden) or standard input, and generates one if it is
 * empty. Returns the exit code.
 */
export async function setPassword(email: string): Promise<number> {
  const env = readEnv(process.env);
  const database = await openCommandDatabase(env, backupBeforeUpgrade(env));
  if (!database) return finishWith(texts.noDatabase(resolve(env.DATA_DIR)), 1);
  try {
    const typed = await readSecret(texts.prompt);
    const password = typed || generatePassword();
    const deps = { ...database, env, now: () => new Date() };
    const result = await resetPassword(deps, email.trim().toLowerCase(), password);
    if (result === 'unknown') return finishWith(texts.unknown, 1);
    if (result !== 'done') return finishWith(errorSentences[result], 1);
    if (!typed) console.log(texts.made(password));
    return finishWith(texts.done, 0);
  } catch (error) {
    throw explainDatabaseError(env, error);
  } finally {
    await database.close();
  }
}
