import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SECRET_NAMES, type SecretEnv, type SecretName, secretText } from '../../auth/secrets.ts';
import { syncDirectory } from '../../storage/disk.ts';
import { openStorage, type StorageEnv } from '../../storage/open.ts';
import type { Manifest } from './manifest.ts';
import { createEncryptStream } from './sealed-file.ts';
import { type ArchiveSource, writeArchive } from './write.ts';

/**
 * Writes an archive of an open database, its files and its secrets. Writes `FILE.part`, then renames it after a flush,
 * so that `FILE` is always complete. Replaces an existing `FILE`.
 * @param passphrase encrypts the archive; empty for a plain one
 */
export async function writeArchiveFile(
  database: Pick<ArchiveSource, 'db' | 'kind'>,
  env: StorageEnv & SecretEnv,
  file: string,
  passphrase = '',
): Promise<Manifest> {
  const part = `${file}.part`;
  // A killed process may have left one.
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  try {
    const storage = await openStorage(env);
    const source = { ...database, storage, secrets: await readSecrets(env) };
    const sink = handle.createWriteStream({ flush: true });
    const manifest = await writeSealed(source, sink, { passphrase, now: new Date() });
    await rename(part, file);
    await syncDirectory(dirname(file));
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Writes the archive, encrypted if there is a passphrase. Closes `sink`. */
export async function writeSealed(
  source: ArchiveSource,
  sink: Writable,
  { passphrase, now }: { passphrase: string; now: Date },
): Promise<Manifest> {
  if (passphrase === '') return writeArchive(source, sink, now);
  const sealed = await createEncryptStream(passphrase);
  const written = pipeline(sealed, sink);
  const [manifest] = await Promise.all([writeArchive(source, sealed, now), written]);
  return manifest;
}

/** Returns the secrets as their files have them, or would. */
export async function readSecrets(env: SecretEnv): Promise<Partial<Record<SecretName, string>>> {
  const secrets: Partial<Record<SecretName, string>> = {};
  for (const name of SECRET_NAMES) {
    const text = await secretText(env, name);
    if (text !== null) secrets[name] = text;
  }
  return secrets;
}
