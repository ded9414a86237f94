import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { restoreTexts as texts } from '../../texts/commands.ts';
import { exactMoment } from '../../texts/dates.ts';
import { type Env, readEnv } from '../env.ts';
import { ArchiveRefused } from '../features/archive/refused-archive.ts';
import { NotEmpty, restoreArchive } from '../features/archive/restore.ts';
import { isSealed } from '../features/archive/sealed-file.ts';
import { Interrupted, readSecret, reasonOf, say } from './run.ts';

/** `sorpresa restore FILE`: an install out of an archive, in an empty `DATA_DIR`. The exit code. */
export async function restore(given: string): Promise<number> {
  const env = readEnv(process.env);
  const file = resolve(process.env.INIT_CWD ?? '.', given);
  const dataDir = resolve(env.DATA_DIR);
  if (!existsSync(file)) return say(texts.absent(file), 1);
  try {
    const { created_at, missing } = await restoreArchive(
      file,
      env,
      new Date(),
      await passphraseOf(file, env),
    );
    if (missing.length > 0) console.error(texts.missing(missing));
    return say(texts.done(dataDir, exactMoment(created_at)), 0);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (error instanceof NotEmpty) return say(texts.notEmpty[error.where](dataDir, listed(error.found)), 1);
    if (error instanceof ArchiveRefused)
      return say(`${texts.refused[error.reason](file)}\n${error.message}`, 1);
    return say(texts.failed(reasonOf(error)), 1);
  }
}

/** Asked for where the file wants one. */
async function passphraseOf(file: string, { ARCHIVE_PASSPHRASE }: Env): Promise<string | undefined> {
  const isAsked = ARCHIVE_PASSPHRASE === undefined && process.stdin.isTTY === true;
  if (!isAsked || !(await isSealed(file))) return ARCHIVE_PASSPHRASE;
  return readSecret(texts.prompt);
}

const listed = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')}…` : names.join(', ');
