import { cp, link, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type AdminClient, adminClient, signIn, signUp } from '../../../demo/admin-client.ts';
import { fillIn, type Surprise } from '../../../demo/prepare.ts';
import { lightFilms } from '../../../src/server/features/light/light.ts';
import { makeMissing } from '../../../src/server/features/media/missing.ts';
import { oncePerRun } from '../../support/once-per-run.ts';
import { newFolder, startServer, type TestServer } from '../../support/server.ts';

export const account = { email: 'marco@example.it', password: 'una-lunga-parola-segreta' };

/** A test's own server on a copy of a prepared folder. */
export type PreparedServer = TestServer & {
  /** Cookies of the administrator's browser, from a sign-in during the preparation. */
  session: string;
};

export type Opened = { server: PreparedServer; admin: AdminClient };

type Template = { folder: string; hands: string; session: string };

/**
 * Opens a copy of a data folder that is prepared once per run: registering, signing in and storing films take a second.
 * @param surprise content to prepare; null for an administrator only
 * @param webRoot a web build other than `dist/web`
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
  // As after a sign-in just now: a session some minutes old would be updated by its first request.
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

/** Returns a folder that is prepared once per run; its server has stopped. */
export function template(surprise: Surprise | null): Promise<Template> {
  return oncePerRun(JSON.stringify(surprise), (folder) => prepareFolder(folder, surprise));
}

/** Copies the folder of a stopped server without its stored assets. The reserve file is linked: it is only ever deleted. */
async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (path) => !['reserve', 'web'].includes(basename(path)) });
  await link(join(from, 'reserve'), join(to, 'reserve'));
}

async function prepareFolder(folder: string, surprise: Surprise | null): Promise<Template> {
  const server = await startServer({ dataDir: folder });
  const hands = await signUp(server.url, account);
  if (surprise !== null) await fillIn(server, adminClient(server.url, hands), surprise);
  const session = await signIn(server.url, account);
  // Otherwise each copy would create them during its test.
  await makeMissing(server.deps, lightFilms, new AbortController().signal);
  await server.stop();
  return { folder, hands, session };
}
