import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Env } from '../env.ts';
import { syncDirectory } from '../storage/disk.ts';

const LENGTH = 32;
const IV = 12;
const TAG = 16;

/** Purposes of secrets; each has its own file in `DATA_DIR`. */
export const SECRET_NAMES = ['auth', 'encryption'] as const;
export type SecretName = (typeof SECRET_NAMES)[number];

export const isSecretName = (text: string): text is SecretName => SECRET_NAMES.some((name) => name === text);

/** Returns the path of a secret's file. */
export const secretFile = (dataDir: string, name: SecretName) => join(dataDir, `secret-${name}`);

/** Sources of secrets: the data folder, or one variable each. */
export type SecretEnv = Pick<Env, 'DATA_DIR'> & Partial<Pick<Env, 'AUTH_SECRET' | 'ENCRYPTION_SECRET'>>;

const VARIABLE = { auth: 'AUTH_SECRET', encryption: 'ENCRYPTION_SECRET' } as const satisfies Record<
  SecretName,
  keyof SecretEnv
>;

/** Returns the name of the variable for a secret, for error messages. */
export const secretVariable = (name: SecretName): string => VARIABLE[name];

/**
 * Returns a secret: from the environment, which is stored nowhere, or from the data folder (`loadSecret`). Throws if both exist and differ:
 * data encrypted with one couldn't be read with the other.
 */
export async function loadConfiguredSecret(env: SecretEnv, name: SecretName): Promise<Buffer> {
  const configured = env[VARIABLE[name]];
  if (configured === undefined) return loadSecret(env.DATA_DIR, name);
  const secret = Buffer.from(configured, 'base64url');
  const file = secretFile(env.DATA_DIR, name);
  const stored = await readSecret(file);
  if (stored !== null && !stored.equals(secret))
    throw new Error(
      `${VARIABLE[name]} is not the secret in ${resolve(file)}: take away whichever the database's other nodes don't have.`,
    );
  return secret;
}

/** Returns the secret in its file format, or null if there is none. */
export async function secretText(env: SecretEnv, name: SecretName): Promise<string | null> {
  if (env[VARIABLE[name]] !== undefined) return secretToText(await loadConfiguredSecret(env, name));
  return readTextIfExists(secretFile(env.DATA_DIR, name));
}

const secretToText = (secret: Buffer) => `${secret.toString('base64url')}\n`;

/**
 * Returns the secret from `{dataDir}/secret-{name}` (mode 0600), 32 random bytes; creates it at the first call. Two processes that start at
 * once get the same secret. Throws if the file is damaged: a new secret would make all encrypted data unreadable.
 */
export async function loadSecret(dataDir: string, name: SecretName): Promise<Buffer> {
  const file = secretFile(dataDir, name);
  const stored = await readSecret(file);
  if (stored) return stored;
  await mkdir(dataDir, { recursive: true });
  await createSecret(dataDir, file);
  const created = await readSecret(file);
  if (!created) throw new Error(`The secret ${file} could not be kept.`);
  return created;
}

function readTextIfExists(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function readSecret(file: string): Promise<Buffer | null> {
  const text = await readTextIfExists(file);
  if (text === null) return null;
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.length !== LENGTH)
    throw new Error(`The secret in ${file} is damaged: restore it from a backup.`);
  return secret;
}

/** Writes to a temporary file, syncs it and links it: the name appears with the full content, and the first process wins. */
async function createSecret(dataDir: string, file: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(secretToText(randomBytes(LENGTH)));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(temporary);
  await syncDirectory(dataDir);
}

/** Encrypts with AES-256-GCM and a random IV; returns base64url text. */
export function encrypt(secret: Buffer, text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** Decrypts a text from `encrypt`. Throws if the secret differs or the text was changed. */
export function decrypt(secret: Buffer, encrypted: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, IV), { authTagLength: TAG });
  decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
}

/** Like `decrypt`, but returns null if decryption fails, as after a database was moved without its secrets. */
export function decryptOrNull(secret: Buffer, encrypted: string): string | null {
  try {
    return decrypt(secret, encrypted);
  } catch {
    return null;
  }
}
