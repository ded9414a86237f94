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
 * An archive of an open database, of its files, and of its secrets. Written aside (`FILE.part`), and named once all of it is on the disk: what has the
 * name is whole, and replaces what had it before.
 * @param passphrase what it is sealed with; without one it lies open
 */
export async function writeArchiveFile(
  database: Pick<ArchiveSource, 'db' | 'kind'>,
  env: StorageEnv & SecretEnv,
  file: string,
  passphrase = '',
): Promise<Manifest> {
  const part = `${file}.part`;
  // One that was killed may have left it.
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

/** The archive, sealed where there is a passphrase. Closes `sink`. */
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

/** As they lie in their files, or would. */
export async function readSecrets(env: SecretEnv): Promise<Partial<Record<SecretName, string>>> {
  const secrets: Partial<Record<SecretName, string>> = {};
  for (const name of SECRET_NAMES) {
    const text = await secretText(env, name);
    if (text !== null) secrets[name] = text;
  }
  return secrets;
}
