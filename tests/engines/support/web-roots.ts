import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build, type Rolldown } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The built web with the tests' kit before its own scripts: with a clock in the page, and in real time. */
    webRoots: { clock: string; realTime: string };
  }
}

/** Makes the webs that the engines open. One's own script from one's own server is all that the pages' policy allows. */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-engines-'));
  const kit = await bundle(resolve(import.meta.dirname, '../page/kit.ts'));
  const webRoots = { clock: join(folder, 'clock'), realTime: join(folder, 'real-time') };
  await makeWeb(webRoots.clock, kit, 'data-clock');
  await makeWeb(webRoots.realTime, kit, '');
  project.provide('webRoots', webRoots);
  return () => rm(folder, { recursive: true, force: true });
}

async function makeWeb(target: string, kit: string, attribute: string): Promise<void> {
  await cp(resolve(import.meta.dirname, '../../../dist/web'), target, { recursive: true });
  await writeFile(join(target, 'kit.js'), kit);
  for (const name of (await readdir(target)).filter((file) => file.endsWith('.html'))) {
    const html = await readFile(join(target, name), 'utf8');
    // The build's own compressed copies would be sent in its place.
    for (const ending of ['br', 'gz']) await rm(join(target, `${name}.${ending}`), { force: true });
    await writeFile(
      join(target, name),
      html.replace('<head>', `<head><script src="/kit.js" ${attribute}></script>`),
    );
  }
}

async function bundle(entry: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    define: { global: 'globalThis' },
    build: { write: false, lib: { entry, formats: ['iife'], name: 'kitBundle' } },
  })) as Rolldown.RolldownOutput[];
  const [chunk] = built.flatMap(({ output }) => output).filter((file) => file.type === 'chunk');
  if (chunk === undefined) throw new Error('The kit could not be bundled');
  return chunk.code;
}
