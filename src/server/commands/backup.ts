import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isShortPassphrase as isShort } from '../../domain/passphrase.ts';
import { backupTexts as texts } from '../../texts/commands.ts';
import { errorSentences } from '../../texts/errors.ts';
import { openUnmigrated } from '../db/beside.ts';
import { NewerDatabase } from '../db/upgrade.ts';
import { type Env, readEnv } from '../env.ts';
import { writeArchiveFile } from '../features/archive/archive-file.ts';
import type { Manifest } from '../features/archive/manifest.ts';
import { errorText, finishWith, readSecret } from './run.ts';

/**
 * `sorpresa backup FILE`: everything there is in one file, whether the product is running or not. Sealed with the passphrase of `ARCHIVE_PASSPHRASE` or of the
 * keyboard; open, and said so, where there is none. The exit code.
 */
export async function backup(given: string): Promise<number> {
  const env = readEnv(process.env);
  // npm runs its scripts in the package's folder; the name was typed elsewhere, maybe.
  const file = resolve(process.env.INIT_CWD ?? '.', given);
  if (existsSync(file)) return finishWith(texts.exists(file), 1);
  if (!isInstall(env)) return finishWith(texts.nothing(resolve(env.DATA_DIR)), 1);
  const passphrase = await newPassphrase(env);
  if (passphrase === null) return finishWith(texts.differ, 1);
  if (passphrase !== '' && isShort(passphrase)) return finishWith(errorSentences.PASSPHRASE_SHORT, 1);
  try {
    const { counts, missing } = await backUp(env, file, passphrase);
    if (missing.length > 0) console.error(texts.missing(missing));
    return finishWith(texts.done(file, counts.media, passphrase !== ''), 0);
  } catch (error) {
    if (error instanceof NewerDatabase) return finishWith(texts.newer, 1);
    return finishWith(texts.failed(errorText(error)), 1);
  }
}

const isInstall = ({ DATA_DIR, DATABASE_URL }: Env) =>
  existsSync(DATABASE_URL === undefined ? join(DATA_DIR, 'sorpresa.db') : DATA_DIR);

/** Never an argument: everybody on the machine sees those. Empty: none is wanted; null: it was typed in two ways. */
async function newPassphrase({ ARCHIVE_PASSPHRASE }: Env): Promise<string | null> {
  if (ARCHIVE_PASSPHRASE !== undefined) return ARCHIVE_PASSPHRASE;
  if (process.stdin.isTTY !== true) return '';
  const typed = await readSecret(texts.prompt);
  return typed === '' || typed === (await readSecret(texts.again)) ? typed : null;
}

async function backUp(env: Env, file: string, passphrase: string): Promise<Manifest> {
  const database = await openUnmigrated(env);
  return writeArchiveFile(database, env, file, passphrase).finally(database.close);
}
