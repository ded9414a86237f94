import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupTexts as texts } from '../../texts/commands.ts';
import { openUnmigrated } from '../db/beside.ts';
import { NewerDatabase } from '../db/upgrade.ts';
import { type Env, readEnv } from '../env.ts';
import { writeArchiveFile } from '../features/archive/archive-file.ts';
import type { Manifest } from '../features/archive/manifest.ts';
import { reasonOf, say } from './run.ts';

/** `sorpresa backup FILE`: everything there is in one file, whether the product is running or not. The exit code. */
export async function backup(given: string): Promise<number> {
  const env = readEnv(process.env);
  // npm runs its scripts in the package's folder; the name was typed elsewhere, maybe.
  const file = resolve(process.env.INIT_CWD ?? '.', given);
  if (existsSync(file)) return say(texts.exists(file), 1);
  if (!isInstall(env)) return say(texts.nothing(resolve(env.DATA_DIR)), 1);
  try {
    const { counts, missing } = await backUp(env, file);
    if (missing.length > 0) console.error(texts.missing(missing));
    return say(texts.done(file, counts.media), 0);
  } catch (error) {
    if (error instanceof NewerDatabase) return say(texts.newer, 1);
    return say(texts.failed(reasonOf(error)), 1);
  }
}

const isInstall = ({ DATA_DIR, DATABASE_URL }: Env) =>
  existsSync(DATABASE_URL === undefined ? join(DATA_DIR, 'sorpresa.db') : DATA_DIR);

async function backUp(env: Env, file: string): Promise<Manifest> {
  const database = await openUnmigrated(env);
  return writeArchiveFile(database, env, file).finally(database.close);
}
