import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { PREVIOUS_BUILD_MS } from '../../domain/limits.ts';
import type { Deps } from '../deps.ts';
import { toWebFiles, type WebFile } from './web-files.ts';

/*
 * `DATA_DIR/web/current-…` holds the assets of this build, `DATA_DIR/web/previous` those of the previous one (decision 103). Each is one
 * file: hundreds of files would slow the start by a second on a small machine.
 */

/** Files of a build's `assets` folder by name, including compressed forms. */
type Assets = Record<string, NonSharedBuffer>;

const folderIn = (dataDir: string): string => join(dataDir, 'web');

/** Stores the assets of this build. If it is a new build, the stored one becomes the previous build. A failure is only logged. */
export function keepAssets(webRoot: string, { env, now, log }: Pick<Deps, 'env' | 'now' | 'log'>): void {
  const assets = join(webRoot, 'assets');
  if (!existsSync(assets)) return;
  try {
    const folder = folderIn(env.DATA_DIR);
    const names = readdirSync(assets).toSorted();
    // Names contain content hashes: equal names mean the same build.
    const current = `current-${createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16)}`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (existsSync(join(folder, current))) return;
    makePrevious(folder, now());
    const stored: Assets = Object.fromEntries(names.map((name) => [name, readFileSync(join(assets, name))]));
    const unfinished = join(folder, `unfinished-${process.pid}`);
    writeFileSync(unfinished, serialize(stored), { mode: 0o600 });
    renameSync(unfinished, join(folder, current));
  } catch (error) {
    log.warn(
      { err: error },
      'the assets of this build could not be kept: pages opened now may break at the next update',
    );
  }
}

/** Makes the current build the previous one, replaced at `at`. Removes other files in the folder. */
function makePrevious(folder: string, at: Date): void {
  const names = readdirSync(folder);
  const replacedAt = names.find((name) => name.startsWith('current-'));
  for (const name of names)
    if (name !== replacedAt && (replacedAt !== undefined || name !== 'previous'))
      rmSync(join(folder, name), { force: true });
  if (replacedAt === undefined) return;
  renameSync(join(folder, replacedAt), join(folder, 'previous'));
  utimesSync(join(folder, 'previous'), at, at);
}

/** Returns a lookup of the previous build's assets by path, until `PREVIOUS_BUILD_MS` have passed. They are read at the first lookup. */
export function previousAssets(dataDir: string, now: () => Date): (path: string) => WebFile | undefined {
  const previous = join(folderIn(dataDir), 'previous');
  const replacedAt = statSync(previous, { throwIfNoEntry: false })?.mtimeMs;
  let files: ReadonlyMap<string, WebFile> | undefined;
  return (path) => {
    if (replacedAt === undefined || !path.startsWith('/assets/')) return undefined;
    files = now().getTime() - replacedAt < PREVIOUS_BUILD_MS ? (files ?? readAssets(previous)) : new Map();
    return files.get(path);
  };
}

/** Returns no assets if the file is incomplete, as after a power cut. */
function readAssets(path: string): ReadonlyMap<string, WebFile> {
  try {
    const assets: Assets = deserialize(readFileSync(path));
    const stored = new Map(Object.entries(assets).map(([name, bytes]) => [`assets/${name}`, bytes]));
    return toWebFiles([...stored.keys()], (name) => stored.get(name));
  } catch {
    return new Map();
  }
}
