import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isShortPassphrase as isShort } from '../../domain/access.ts';
import { backupTexts as texts } from '../../texts/commands.ts';
import { errorSentences } from '../../texts/errors.ts';
import { NewerDatabase } from '../db/migrate.ts';
import { openUnmigrated } from '../db/open.ts';
import { type Env, readEnv } from '../env.ts';
import type { Manifest } from '../features/archive/rules.ts';
import { writeArchiveFile } from '../features/archive/write.ts';
import { errorText, finishWith, readSecret } from './run.ts';

/**
 * Runs `sorpresa backup FILE`: writes everything to one file, while the server is running or not. Encrypts it with ARCHIVE_PASSPHRASE or a
 * typed passphrase; reports if it is unencrypted. Returns the exit code.
 */
export async function backup(path: string): Promise<number> {
  const env = readEnv(process.env);
  // npm runs scripts in the package's folder; the path is relative to the caller's.
  const file = resolve(process.env.INIT_CWD ?? '.', path);
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

/**
 * Reads the passphrase, never from an argument, which all users of the machine can see. Empty: unencrypted; null: the two inputs differ.
 */
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
