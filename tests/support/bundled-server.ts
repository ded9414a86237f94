import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { endWithUs } from './end-with-us.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export type Running = { url: string; end(signal: NodeJS.Signals): Promise<number | null> };

/** Starts the server again and again, ten times as fast as from its thousand files. */
export type BundledServer = {
  start(dataDir: string, env?: Record<string, string>): Promise<Running>;
  /** Everything that has ever been written to the outputs. */
  output(): string;
  remove(): Promise<void>;
};

/** The product's `main.ts` with all it imports, in one file. */
export async function bundleServer(): Promise<BundledServer> {
  const outDir = await mkdtemp(join(tmpdir(), 'sorpresa-bundle-'));
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: { ssr: 'src/server/main.ts', outDir, emptyOutDir: true, copyPublicDir: false, target: 'node24' },
  });
  let output = '';
  return {
    start: (dataDir, env = {}) => start(outDir, { DATA_DIR: dataDir, ...env }, (text) => (output += text)),
    output: () => output,
    remove: () => rm(outDir, { recursive: true, force: true }),
  };
}

async function start(
  folder: string,
  env: Record<string, string>,
  written: (text: string) => void,
): Promise<Running> {
  const child = spawn(process.execPath, [join(folder, 'main.js')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(folder, 'cache'),
      ...env,
    },
  });
  endWithUs(child);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const address = Promise.withResolvers<string>();
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    written(chunk.toString());
    const found = /^Indirizzo: (\S+)$/m.exec(output)?.[1];
    if (found !== undefined) address.resolve(found);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => address.reject(new Error(`The server ended before it was ready:\n${output}`)));
  return {
    url: await address.promise,
    end: async (signal) => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}
