import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Where the product lies: the nearest folder above with a package.json, in a checkout as well as released (there this code is in another file). */
export const ROOT = rootAbove(import.meta.dirname);

/** A module that is started by its path: TypeScript in a checkout, JavaScript as released. `path`: from the root, without its ending. */
export const resolveModule = (path: string): string => join(ROOT, `${path}${extname(import.meta.filename)}`);

/** Is this the product as released, and not its source? */
export const IS_RELEASED = extname(import.meta.filename) !== '.ts';

function rootAbove(folder: string): string {
  const above = dirname(folder);
  return existsSync(join(folder, 'package.json')) || above === folder ? folder : rootAbove(above);
}
