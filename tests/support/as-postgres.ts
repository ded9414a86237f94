import { execFileSync } from 'node:child_process';
import { chown } from 'node:fs/promises';

/** Who may run a database's programs, which refuse to be run by root: `postgres`, whom Debian's package makes. Nobody else but root has to ask. */
function user(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const of = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: of('-u'), gid: of('-g') };
}

/** For `spawn`. */
export const asPostgres = () => user() ?? {};

/** Gives that user these files and folders. */
export async function givePostgres(...paths: string[]): Promise<void> {
  const owner = user();
  if (owner !== null) for (const path of paths) await chown(path, owner.uid, owner.gid);
}
