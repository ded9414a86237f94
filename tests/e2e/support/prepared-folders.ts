import { cp, link, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type AdminClient, adminClient, signIn, signUp } from '../../../demo/admin-client.ts';
import { fillIn, type Surprise } from '../../../demo/prepare.ts';
import { makeMissing } from '../../../src/server/features/light/light.maker.ts';
import { oncePerRun } from '../../support/once-per-run.ts';
import { newFolder, startServer, type TestServer } from '../../support/server.ts';

export const account = { email: 'marco@example.it', password: 'una-lunga-parola-segreta' };

/** A server of one test's own over a copy of a folder that was prepared before. */
export type PreparedServer = TestServer & {
  /** The cookies of the administrator's browser, which signed in while the folder was prepared. */
  session: string;
};

export type Opened = { server: PreparedServer; admin: AdminClient };

type Template = { folder: string; hands: string; session: string };

/**
 * Opens a copy of a data folder that was prepared once in the run: registering, signing in and storing films takes a second each time.
 * @param surprise what is prepared; null for an administrator with nothing
 * @param webRoot another built web than `dist/web`
 */
export async function openPrepared(
  surprise: Surprise | null,
  env: Record<string, string> = {},
  webRoot?: string,
): Promise<Opened> {
  const { folder, hands, session } = await template(surprise);
  const dataDir = await newFolder();
  await copyFolder(folder, dataDir);
  const server = await startServer({ dataDir, env, ...(webRoot === undefined ? {} : { webRoot }) });
  // As if she had signed in just now: one that is minutes old is written anew at its first request.
  const used = { updatedAt: new Date().toISOString() };
  await server.deps.inTransaction((tx) =>
    tx
      .updateTable('session' as never)
      .set(used as never)
      .execute(),
  );
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { server: { ...server, session, stop }, admin: adminClient(server.url, hands) };
}

/** A folder that is prepared once in the run; its server has stopped. */
export function template(surprise: Surprise | null): Promise<Template> {
  return oncePerRun(JSON.stringify(surprise), (folder) => prepareFolder(folder, surprise));
}

/**
 * Copies the folder of a server that has stopped, without the assets it kept. The reserve, which only takes up room and is only ever removed, is
 * the same file.
 */
async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !['reserve', 'web'].includes(basename(path)) });
  await link(join(from, 'reserve'), join(to, 'reserve'));
}

async function prepareFolder(folder: string, surprise: Surprise | null): Promise<Template> {
  const server = await startServer({ dataDir: folder });
  const hands = await signUp(server.url, account);
  if (surprise !== null) await fillIn(server, adminClient(server.url, hands), surprise);
  const session = await signIn(server.url, account);
  // Every copy would begin with it otherwise, beside the test.
  await makeMissing(server.deps, new Map(), new AbortController().signal);
  await server.stop();
  return { folder, hands, session };
}
