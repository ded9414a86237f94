import { resolve } from 'node:path';
import { movedTexts as texts } from '../../texts/commands.ts';
import { type Beside, openBeside } from '../db/beside.ts';
import { databaseInWords } from '../db/in-words.ts';
import { type Env, readEnv } from '../env.ts';
import { keepCopyIn } from '../features/archive/before-upgrade.ts';
import { listMedia } from '../features/media/media.repo.ts';
import { mediaKey } from '../features/media/media.service.ts';
import { declareMoved } from '../identity/identity.ts';
import { openStorage } from '../storage/open.ts';
import type { Storage } from '../storage/storage.ts';
import { reasonOf, say } from './run.ts';

/** `sorpresa moved`: secrets and storage, as they are set here, are the database's own from now on. The exit code. */
export async function moved(): Promise<number> {
  const env = readEnv(process.env);
  const database = await openBeside(env, keepCopyIn(env)).catch((error: unknown) => {
    throw databaseInWords(env, error);
  });
  if (!database) return say(texts.noDatabase(resolve(env.DATA_DIR)), 1);
  return declare(env, database)
    .catch((error: unknown) => say(texts.failed(reasonOf(error)), 1))
    .finally(database.close);
}

async function declare(env: Env, database: Beside): Promise<number> {
  const storage = await openStorage(env);
  const missing = await missingIn(storage, database);
  const where = await declareMoved({ ...database, env, storage });
  if (where === null) return say(texts.alone, 0);
  if (missing > 0) console.error(texts.missing(missing));
  return say(texts.done(where), 0);
}

/** How many files have a row, and no bytes there. */
async function missingIn(storage: Storage, { db }: Beside): Promise<number> {
  const there = new Set<string>();
  for await (const key of storage.keys()) there.add(key);
  const wanted = (await listMedia(db)).filter(({ deleted_at }) => deleted_at === null);
  return wanted.filter((media) => !there.has(mediaKey(media))).length;
}
