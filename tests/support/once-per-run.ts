import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where what is made once in a run lies; the workers have it from the runner. */
const PLACE = 'SORPRESA_ONCE_A_RUN';
/** Milliseconds: how often and how long a worker looks for what another one makes. */
const WAIT = { between: 50, most: 150_000 } as const;

/** The runner's global setup: a folder for the run, which goes with it. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-run-'));
  process.env[PLACE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * What the first worker that asks makes, and all others get: a value that can be written as JSON.
 * @param key what it is, apart from everything else that is made so
 * @param make is given a folder that is there for the whole run
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

/** Only one of many that ask at once makes the folder. */
function isFirst(folder: string): Promise<boolean> {
  return mkdir(folder).then(
    () => true,
    () => false,
  );
}

async function keep<T>(folder: string, note: string, make: (folder: string) => Promise<T>): Promise<T> {
  try {
    const made = await make(folder);
    // Seen whole or not at all.
    await writeFile(`${note}.new`, JSON.stringify(made));
    await rename(`${note}.new`, note);
    return made;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
