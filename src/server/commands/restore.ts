import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { restoreTexts as texts } from '../../texts/commands.ts';
import { exactMoment } from '../../texts/dates.ts';
import { readEnv } from '../env.ts';
import { ArchiveRefused } from '../features/archive/read.ts';
import { NotEmpty, restoreArchive } from '../features/archive/restore.ts';
import { reasonOf, runCommand, say } from './run.ts';

/** `npm run restore -- FILE`: an install out of an archive, in an empty `DATA_DIR`. */
async function main(given: string | undefined): Promise<number> {
  if (!given) return say(texts.usage, 2);
  const env = readEnv(process.env);
  const file = resolve(process.env.INIT_CWD ?? '.', given);
  const dataDir = resolve(env.DATA_DIR);
  if (!existsSync(file)) return say(texts.absent(file), 1);
  try {
    const { created_at, missing } = await restoreArchive(file, env, new Date());
    if (missing.length > 0) console.error(texts.missing(missing));
    return say(texts.done(dataDir, exactMoment(created_at)), 0);
  } catch (error) {
    if (error instanceof NotEmpty) return say(texts.notEmpty[error.where](dataDir, listed(error.found)), 1);
    if (error instanceof ArchiveRefused)
      return say(`${texts.refused[error.reason](file)}\n${error.message}`, 1);
    return say(texts.failed(reasonOf(error)), 1);
  }
}

const listed = (names: readonly string[]) =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')}…` : names.join(', ');

await runCommand(main);
