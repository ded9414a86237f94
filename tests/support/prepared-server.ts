import { rm } from 'node:fs/promises';
import { newFolder, type SpawnedServer, spawnServer, startServer, type TestServer } from './server.ts';

/** A server in a process of its own, and what was prepared for it. */
export type PreparedServer<T> = SpawnedServer & {
  folder: string;
  prepared: T;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
};

/** Prepares a new folder with the product in this process, and starts the product over it in another: its memory and its output are its own. */
export async function spawnPrepared<T>(
  prepare: (before: TestServer) => Promise<T>,
  env: Record<string, string> = {},
): Promise<PreparedServer<T>> {
  const folder = await newFolder();
  const before = await startServer({ dataDir: folder });
  const prepared = await prepare(before).finally(() => before.stop());
  const server = await spawnServer({ dataDir: folder, env });
  const stop = async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, folder, prepared, stop };
}
