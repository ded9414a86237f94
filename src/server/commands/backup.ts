import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backupTexts as texts } from '../../texts/commands.ts';
import { SECRET_NAMES, type SecretName, secretFile } from '../auth/secrets.ts';
import { openUnmigrated } from '../db/beside.ts';
import { type Env, readEnv } from '../env.ts';
import type { Manifest } from '../features/archive/manifest.ts';
import { NewerDatabase, writeArchive } from '../features/archive/write.ts';
import { diskStorage, syncDirectory } from '../storage/disk.ts';
import { reasonOf, runCommand, say } from './run.ts';

/** `npm run backup -- FILE`: everything there is in one file, whether the product is running or not. */
async function main(given: string | undefined): Promise<number> {
  if (!given) return say(texts.usage, 2);
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

/** Written aside, and named once all of it is on the disk: what has the name is whole. */
async function backUp(env: Env, file: string): Promise<Manifest> {
  const part = `${file}.part`;
  // One that was killed may have left it.
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  const database = await openUnmigrated(env);
  try {
    const storage = await diskStorage(join(env.DATA_DIR, 'media'));
    const source = { ...database, storage, secrets: await readSecrets(env.DATA_DIR) };
    const sink = handle.createWriteStream({ flush: true });
    const manifest = await writeArchive(source, sink, new Date());
    await rename(part, file);
    await syncDirectory(dirname(file));
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await database.close();
    await handle.close();
  }
}

async function readSecrets(dataDir: string): Promise<Partial<Record<SecretName, string>>> {
  const secrets: Partial<Record<SecretName, string>> = {};
  for (const name of SECRET_NAMES) {
    const file = secretFile(dataDir, name);
    if (existsSync(file)) secrets[name] = await readFile(file, 'utf8');
  }
  return secrets;
}

await runCommand(main);
