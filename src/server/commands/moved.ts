import { resolve } from 'node:path';
import { movedTexts as texts } from '../../texts/commands.ts';
import { type CommandDatabase, explainDatabaseError, openCommandDatabase } from '../db/open.ts';
import { type Env, readEnv } from '../env.ts';
import { backupBeforeUpgrade } from '../features/archive/write.ts';
import { listMedia, mediaKey } from '../features/media/media.ts';
import { declareMoved } from '../identity/identity.ts';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { errorText, finishWith } from './run.ts';

/** Runs `sorpresa moved`: stores the configured secrets and storage as those of the database. Returns the exit code. */
export async function moved(): Promise<number> {
  const env = readEnv(process.env);
  const database = await openCommandDatabase(env, backupBeforeUpgrade(env)).catch((error: unknown) => {
    throw explainDatabaseError(env, error);
  });
  if (!database) return finishWith(texts.noDatabase(resolve(env.DATA_DIR)), 1);
  return declare(env, database)
    .catch((error: unknown) => finishWith(texts.failed(errorText(error)), 1))
    .finally(database.close);
}

async function declare(env: Env, database: CommandDatabase): Promise<number> {
  const storage = await openStorage(env);
  const missing = await countMissing(storage, database);
  const where = await declareMoved({ ...database, env, storage });
  if (where === null) return finishWith(texts.alone, 0);
  if (missing > 0) console.error(texts.missing(missing));
  return finishWith(texts.done(where), 0);
}

/** Returns the number of files with a row but no bytes in the storage. */
async function countMissing(storage: Storage, { db }: CommandDatabase): Promise<number> {
  const storedKeys = new Set<string>();
  for await (const key of storage.keys()) storedKeys.add(key);
  const expected = (await listMedia(db)).filter(({ deleted_at }) => deleted_at === null);
  return expected.filter((media) => !storedKeys.has(mediaKey(media))).length;
}
