import type { EmptyDatabase } from './databases.ts';
import { signUp } from './http-evening.ts';
import { startServer, type TestServer } from './server.ts';

/** A server over an empty database, with an administrator and her cookie. `close` ends both. */
export type SignedUp = { server: TestServer; cookie: string; close(): Promise<void> };

export async function openSignedUp(empty: () => Promise<EmptyDatabase>): Promise<SignedUp> {
  const database = await empty();
  const { DATA_DIR, ...env } = database.env;
  const server = await startServer({ dataDir: DATA_DIR, env });
  const close = async () => {
    await server.stop();
    await database.remove();
  };
  return { server, cookie: await signUp(server), close };
}
