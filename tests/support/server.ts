import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ClockReadings } from '../../src/server/clock.ts';
import { readEnv } from '../../src/server/env.ts';
import { createLog } from '../../src/server/log.ts';
import { type Product, startProduct } from '../../src/server/start.ts';
import { killOnExit } from './kill-on-exit.ts';
import { PROCESS_ENV } from './process-env.ts';

const ROOT = resolve(import.meta.dirname, '../..');

type Settings = Record<string, string>;
type Options = {
  /** Environment variables; the system chooses the port. */
  env?: Settings;
  /** Data folder; by default a new one that is removed at the end. */
  dataDir?: string;
  /** Folder of the built web; by default TEST_WEB_ROOT or `dist/web`. */
  webRoot?: string;
  now?: () => Date;
  /** The clocks of the machine it runs on. */
  machine?: () => ClockReadings;
};

export type TestServer = Product & {
  /** Returns everything logged up to now. */
  logged(): string;
  /** Returns the messages printed for the operator, one per line. */
  operatorOutput(): string;
};

/** Starts the real product in this process, on 127.0.0.1 and a free port. `stop` ends it and removes its folder. */
export async function startServer({ env = {}, dataDir, ...options }: Options = {}): Promise<TestServer> {
  const folder = dataDir ?? (await newFolder());
  const lines: string[] = [];
  const operatorLines: string[] = [];
  const settings = readEnv({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder, ...env });
  const product = await startProduct({
    env: settings,
    log: createLog(settings, { write: (line) => void lines.push(line) }),
    report: (sentence) => void operatorLines.push(sentence),
    webRoot: process.env.TEST_WEB_ROOT,
    ...options,
  });
  return {
    ...product,
    logged: () => lines.join(''),
    operatorOutput: () => operatorLines.join('\n'),
    stop: async () => {
      await product.stop();
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export type SpawnedServer = {
  url: string;
  process: ChildProcess;
  /** Returns its output up to now. */
  output(): string;
  /** Sends a signal and waits for the end; returns the exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

export type Spawned = {
  dataDir: string;
  env?: Settings;
  /** Command to start, by default the checkout's own (see `bundled.ts`). */
  main?: readonly string[];
  /** Words before the command. */
  through?: readonly string[];
};

/**
 * Starts the product in a separate process, for tests that kill it. The caller owns its folder, so several starts can
 * share it.
 */
export async function spawnServer({
  dataDir,
  env = {},
  through = [],
  main = [join(ROOT, 'src/server/main.ts')],
}: Spawned): Promise<SpawnedServer> {
  const [program = process.execPath, ...args] = [...through, process.execPath, ...main];
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...PROCESS_ENV, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...env },
  });
  killOnExit(child);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  const address = Promise.withResolvers<string>();
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const found = /^Indirizzo: (\S+)$/m.exec(output)?.[1];
    if (found !== undefined) address.resolve(found);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.once('exit', () => address.reject(new Error(`The server ended before it was ready:\n${output}`)));
  return {
    url: await address.promise,
    process: child,
    output: () => output,
    end: async (signal) => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

/** Returns the peak memory of a process, in bytes. */
export function peakMemory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Creates a temporary folder; the caller removes it. */
export function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'sorpresa-'));
}
