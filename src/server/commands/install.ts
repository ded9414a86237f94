import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isShortPassphrase as isShort } from '../../domain/access.ts';
import { backupTexts, movedTexts, resetPasswordTexts, restoreTexts } from '../../texts/commands.ts';
import { exactMoment } from '../../texts/dates.ts';
import { errorSentences } from '../../texts/errors.ts';
import { generatePassword, resetPassword } from '../auth/reset-password.ts';
import { NewerDatabase } from '../db/migrate.ts';
import {
  type CommandDatabase,
  explainDatabaseError,
  openCommandDatabase,
  openUnmigrated,
} from '../db/open.ts';
import { type Env, readEnv } from '../env.ts';
import { restoreArchive, TargetNotEmpty } from '../features/archive/restore.ts';
import { ArchiveRejected } from '../features/archive/rules.ts';
import { isEncryptedFile } from '../features/archive/sealed-file.ts';
import { backupBeforeUpgrade, writeArchiveFile } from '../features/archive/write.ts';
import { listMedia, mediaKey } from '../features/media/media.ts';
import { declareMoved } from '../identity/identity.ts';
import { openStorage } from '../storage/open.ts';
import { errorText, finishWith, Interrupted, readSecret } from './run.ts';

/** npm runs scripts in the package's folder; paths are relative to the caller's. */
const fromCaller = (path: string) => resolve(process.env.INIT_CWD ?? '.', path);

/**
 * Runs `sorpresa backup FILE`: writes everything to one file, while the server is running or not. Encrypts it with ARCHIVE_PASSPHRASE or a
 * typed passphrase; reports if it is unencrypted. Returns the exit code.
 */
export async function backup(path: string): Promise<number> {
  const texts = backupTexts;
  const env = readEnv(process.env);
  const file = fromCaller(path);
  if (existsSync(file)) return finishWith(texts.exists(file), 1);
  const { DATA_DIR, DATABASE_URL } = env;
  if (!existsSync(DATABASE_URL === undefined ? join(DATA_DIR, 'sorpresa.db') : DATA_DIR))
    return finishWith(texts.nothing(resolve(DATA_DIR)), 1);
  const passphrase = await newPassphrase(env);
  if (passphrase === null) return finishWith(texts.differ, 1);
  if (passphrase !== '' && isShort(passphrase)) return finishWith(errorSentences.PASSPHRASE_SHORT, 1);
  try {
    const database = await openUnmigrated(env);
    const { counts, missing } = await writeArchiveFile(database, env, file, passphrase).finally(
      database.close,
    );
    if (missing.length > 0) console.error(texts.missing(missing));
    return finishWith(texts.done(file, counts.media, passphrase !== ''), 0);
  } catch (error) {
    if (error instanceof NewerDatabase) return finishWith(texts.newer, 1);
    return finishWith(texts.failed(errorText(error)), 1);
  }
}

/**
 * Reads the passphrase, never from an argument, which all users of the machine can see. Empty: unencrypted; null: the two inputs differ.
 */
async function newPassphrase({ ARCHIVE_PASSPHRASE }: Env): Promise<string | null> {
  if (ARCHIVE_PASSPHRASE !== undefined) return ARCHIVE_PASSPHRASE;
  if (process.stdin.isTTY !== true) return '';
  const typed = await readSecret(backupTexts.prompt);
  return typed === '' || typed === (await readSecret(backupTexts.again)) ? typed : null;
}

/** Runs `sorpresa restore FILE`: restores an install from an archive into an empty `DATA_DIR`. Returns the exit code. */
export async function restore(path: string): Promise<number> {
  const texts = restoreTexts;
  const env = readEnv(process.env);
  const file = fromCaller(path);
  const dataDir = resolve(env.DATA_DIR);
  if (!existsSync(file)) return finishWith(texts.absent(file), 1);
  try {
    const passphrase = await readPassphrase(file, env);
    const { created_at, missing } = await restoreArchive(file, env, new Date(), passphrase);
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
  return readSecret(restoreTexts.prompt);
}

const shortList = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')}…` : names.join(', ');

/** Runs a command on the database and closes it. Rejects with an error that names the database and the remedy. */
async function withDatabase(
  { noDatabase }: { noDatabase(dataDir: string): string },
  work: (env: Env, database: CommandDatabase) => Promise<number>,
): Promise<number> {
  const env = readEnv(process.env);
  try {
    const database = await openCommandDatabase(env, backupBeforeUpgrade(env));
    if (!database) return finishWith(noDatabase(resolve(env.DATA_DIR)), 1);
    return await work(env, database).finally(database.close);
  } catch (error) {
    throw explainDatabaseError(env, error);
  }
}

/** Runs `sorpresa moved`: stores the configured secrets and storage as those of the database. Returns the exit code. */
export function moved(): Promise<number> {
  const texts = movedTexts;
  return withDatabase(texts, (env, database) =>
    declare(env, database).then(
      ({ where, missing }) => {
        if (where === null) return finishWith(texts.alone, 0);
        if (missing > 0) console.error(texts.missing(missing));
        return finishWith(texts.done(where), 0);
      },
      (error: unknown) => finishWith(texts.failed(errorText(error)), 1),
    ),
  );
}

/** `missing`: the number of files with a row but no bytes in the storage. */
async function declare(env: Env, database: CommandDatabase) {
  const storage = await openStorage(env);
  const storedKeys = new Set<string>();
  for await (const key of storage.keys()) storedKeys.add(key);
  const media = (await listMedia(database.db)).filter(({ deleted_at }) => deleted_at === null);
  const missing = media.filter((file) => !storedKeys.has(mediaKey(file))).length;
  return { missing, where: await declareMoved({ ...database, env, storage }) };
}

/**
 * Runs `sorpresa reset-password E-MAIL`: reads the new password from the keyboard (hidden) or standard input, and generates one if it is
 * empty. Returns the exit code.
 */
export function setPassword(email: string): Promise<number> {
  const texts = resetPasswordTexts;
  return withDatabase(texts, async (env, database) => {
    const typed = await readSecret(texts.prompt);
    const password = typed || generatePassword();
    const deps = { ...database, env, now: () => new Date() };
    const result = await resetPassword(deps, email.trim().toLowerCase(), password);
    if (result === 'unknown') return finishWith(texts.unknown, 1);
    if (result !== 'done') return finishWith(errorSentences[result], 1);
    if (!typed) console.log(texts.made(password));
    return finishWith(texts.done, 0);
  });
}
