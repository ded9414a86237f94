import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Plugin, transformWithOxc } from 'vite';

const SOURCE = resolve(import.meta.dirname, '../plan-b/worker/worker.ts');

/**
 * Puts the worker of the page beside it, without its types; it imports nothing, so that there is nothing to bundle. It is called as no script is:
 * handed out from the root like the other files it could be a worker for the whole site.
 */
export function withWorker(): Plugin {
  return {
    name: 'with-worker',
    apply: 'build',
    enforce: 'post',
    async writeBundle({ dir = '' }) {
      const { code } = await transformWithOxc(await readFile(SOURCE, 'utf8'), SOURCE, { sourcemap: false });
      await writeFile(resolve(dir, 'plan-b.worker'), code);
    },
  };
}
