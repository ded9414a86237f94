import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The built web with the tests' kit before its own scripts. */
    webRoot: string;
  }
}

const KIT = resolve(import.meta.dirname, '../page/kit.js');
const TAG = '<script src="/kit.js"></script>';

/** Prepares the web that the engines open. The pages' policy only allows scripts of the same origin. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-engines-'));
  await cp(resolve(import.meta.dirname, '../../../dist/web'), folder, { recursive: true });
  await cp(KIT, join(folder, 'kit.js'));
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.html'))) {
    const html = await readFile(join(folder, name), 'utf8');
    // The build's compressed copies would be sent instead.
    for (const ending of ['br', 'gz']) await rm(join(folder, `${name}.${ending}`), { force: true });
    await writeFile(join(folder, name), html.replace('<head>', `<head>${TAG}`));
  }
  project.provide('webRoot', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/** Adds the kit to a page that loads no scripts, and to its policy. */
export async function withKit(html: string): Promise<string> {
  const kit = await readFile(KIT, 'utf8');
  const hash = createHash('sha256').update(kit).digest('base64');
  return html
    .replace(TAG, '')
    .replace("script-src 'sha256-", `script-src 'sha256-${hash}' 'sha256-`)
    .replace('<title>', () => `<script>${kit}</script><title>`);
}
