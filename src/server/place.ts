import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Root folder: the nearest parent with a package.json, in a checkout and in a release (where this code is in another file). */
export const ROOT = rootAbove(import.meta.dirname);

/**
 * Returns the file of a module that is started by path: TypeScript in a checkout, JavaScript in a release.
 * @param path relative to the root, without extension
 */
export const resolveModule = (path: string): string => join(ROOT, `${path}${extname(import.meta.filename)}`);

/** True in a release, false in a checkout. */
export const IS_RELEASED = extname(import.meta.filename) !== '.ts';

function rootAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : rootAbove(above);
}

/** Returns the version in package.json. */
export const productVersion = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
