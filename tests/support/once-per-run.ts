import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Environment variable with the folder of results shared in a run; the runner passes it to the workers. */
const PLACE = 'SORPRESA_ONCE_A_RUN';
/** Interval and limit, in ms, of a worker's wait for another worker's result. */
const WAIT = { between: 50, most: 150_000 } as const;

/** Global setup of the runner: creates a folder for the run and returns its removal. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-run-'));
  process.env[PLACE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Returns the result of the first worker's call to all workers: a value that can be written as JSON.
 * @param key unique name of the result
 * @param make receives a folder that exists for the complete run
 */
export async function oncePerRun<T>(key: string, make: (folder: string) => Promise<T>): Promise<T> {
  const place = process.env[PLACE];
  if (place === undefined) throw new Error(`${PLACE} is not set: the runner's global setup did not run.`);
  const name = join(place, createHash('sha256').update(key).digest('hex').slice(0, 16));
  const [folder, note] = [`${name}.made`, `${name}.json`];
  for (let waited = 0; waited < WAIT.most; waited += WAIT.between) {
    const known = await readFile(note, 'utf8').catch(() => null);
    if (known !== null) return JSON.parse(known);
    if (await isFirst(folder)) return await keep(folder, note, make);
    await sleep(WAIT.between);
  }
  throw new Error(`Another worker did not finish making ${key.slice(0, 80)}.`);
}

/** Returns true for one of several concurrent callers: the one that created the folder. */
function isFirst(folder: string): Promise<boolean> {
  return mkdir(folder).then(
    () => true,
    () => false,
  );
}

async function keep<T>(folder: string, note: string, make: (folder: string) => Promise<T>): Promise<T> {
  try {
    const made = await make(folder);
    // Renamed, so that readers see it complete or not at all.
    await writeFile(`${note}.new`, JSON.stringify(made));
    await rename(`${note}.new`, note);
    return made;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
