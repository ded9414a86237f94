import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { restoreTexts as texts } from '../../texts/commands.ts';
import { exactMoment } from '../../texts/dates.ts';
import { type Env, readEnv } from '../env.ts';
import { restoreArchive, TargetNotEmpty } from '../features/archive/restore.ts';
import { ArchiveRejected } from '../features/archive/rules.ts';
import { isEncryptedFile } from '../features/archive/sealed-file.ts';
import { errorText, finishWith, Interrupted, readSecret } from './run.ts';

/** Runs `sorpresa restore FILE`: restores an install from an archive into an empty `DATA_DIR`. Returns the exit code. */
export async function restore(path: string): Promise<number> {
  const env = readEnv(process.env);
  const file = resolve(process.env.INIT_CWD ?? '.', path);
  const dataDir = resolve(env.DATA_DIR);
  if (!existsSync(file)) return finishWith(texts.absent(file), 1);
  try {
    const { created_at, missing } = await restoreArchive(
      file,
      env,
      new Date(),
      await readPassphrase(file, env),
    );
    if (missing.length > 0) console.error(texts.missing(missing));
    return finishWith(texts.done(dataDir, exactMoment(created_at)), 0);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (error instanceof TargetNotEmpty)
      return finishWith(texts.notEmpty[error.where](dataDir, shortList(error.found)), 1);
    if (error instanceof ArchiveRejected)
      return finishWith(`${texts.refused[error.reason](file)}\n${error.message}`, 1);
    return finishWith(texts.failed(errorText(error)), 1);
  }
}

/** Prompts for the passphrase if the file is encrypted. */
async function readPassphrase(file: string, { ARCHIVE_PASSPHRASE }: Env): Promise<string | undefined> {
  const canPrompt = ARCHIVE_PASSPHRASE === undefined && process.stdin.isTTY === true;
  if (!canPrompt || !(await isEncryptedFile(file))) return ARCHIVE_PASSPHRASE;
  return readSecret(texts.prompt);
}

const shortList = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')}…` : names.join(', ');
