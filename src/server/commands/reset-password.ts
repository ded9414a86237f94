import { resolve } from 'node:path';
import { resetPasswordTexts as texts } from '../../texts/commands.ts';
import { errorSentences } from '../../texts/errors.ts';
import { makePassword, resetPassword } from '../auth/reset-password.ts';
import { openBeside } from '../db/beside.ts';
import { databaseInWords } from '../db/in-words.ts';
import { readEnv } from '../env.ts';
import { keepCopyIn } from '../features/archive/before-upgrade.ts';
import { readSecret, say } from './run.ts';

/**
 * `sorpresa reset-password E-MAIL`: the new password comes from the keyboard (unseen) or standard input; with an empty one it is made. The exit
 * code.
 */
export async function setPassword(email: string): Promise<number> {
  const env = readEnv(process.env);
  const database = await openBeside(env, keepCopyIn(env));
  if (!database) return say(texts.noDatabase(resolve(env.DATA_DIR)), 1);
  try {
    const typed = await readSecret(texts.prompt);
    const password = typed || makePassword();
    const deps = { ...database, env, now: () => new Date() };
    const result = await resetPassword(deps, email.trim().toLowerCase(), password);
    if (result === 'unknown') return say(texts.unknown, 1);
    if (result !== 'done') return say(errorSentences[result], 1);
    if (!typed) console.log(texts.made(password));
    return say(texts.done, 0);
  } catch (error) {
    throw databaseInWords(env, error);
  } finally {
    await database.close();
  }
}
