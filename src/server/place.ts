import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/** Root folder: the nearest parent with a package.json. */
export const ROOT = nearest(import.meta.dirname, (folder) => existsSync(join(folder, 'package.json')));

/** Parent of the code's `src`: the root of a release and of sources, `dist/server` of a checkout's build. */
const CODE = dirname(nearest(import.meta.dirname, (folder) => basename(folder) === 'src'));

/**
 * Returns the file of a module that is started by path: TypeScript as source, JavaScript in a bundle.
 * @param path relative to the root, without extension
 */
export const resolveModule = (path: string): string => join(CODE, `${path}${extname(import.meta.filename)}`);

/** True in a release, false in a checkout. */
export const IS_RELEASED = extname(import.meta.filename) !== '.ts' && CODE === ROOT;

/** Returns the folder or its nearest parent that matches, or the root of the file system. */
function nearest(folder: string, matches: (folder: string) => boolean): string {
  const above = dirname(folder);
  return matches(folder) || above === folder ? folder : nearest(above, matches);
}

/** Returns the version in package.json. */
export const productVersion = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
