import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isThisMachine } from '../../domain/channels.ts';
import { CODE } from '../../domain/limits.ts';
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

/**
 * Returns the code that registration requires under this host: `SETUP_CODE`, or the install's own code printed at startup. Returns null if
 * none is required: only this machine reaches the install, and the host name can't be pointed here from elsewhere (DNS rebinding).
 */
export function setupCodeFor(env: SetupEnv, secret: Buffer, host: string | null): string | null {
  if (env.SETUP_CODE !== undefined) return env.SETUP_CODE;
  return isLocal(env) && isThisMachine(hostnameOf(`http://${host}`)) ? null : derivedCode(secret);
}

type SetupEnv = Pick<Env, 'SETUP_CODE' | 'PUBLIC_URL' | 'HOST'>;

/** Returns true if only this machine is known to reach the install. */
const isLocal = ({ HOST, PUBLIC_URL }: SetupEnv) =>
  isThisMachine(HOST) && (PUBLIC_URL === undefined || isThisMachine(hostnameOf(PUBLIC_URL)));

/** Returns true if the code is correct. Surrounding spaces are ignored. */
export function isSetupCode(expected: string, input: string | undefined): boolean {
  return timingSafeEqual(digest(expected), digest((input ?? '').trim()));
}

/** Returns the host name of a URL; IPv6 without brackets. */
const hostnameOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '');

/** Derives the code from the install's secret: equal at every start and in all its processes. */
function derivedCode(secret: Buffer): string {
  const bytes = createHmac('sha256', secret).update('setup-code').digest().subarray(0, CODE.length);
  return [...bytes].map((byte) => CODE.alphabet[byte % CODE.alphabet.length]).join('');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Content of a pass: its expiry, and its number among the install's passes of that purpose. */
export type PassClaim = { ends: Date; generation: number };

/**
 * Purpose of a pass. It is part of the signed payload, so a pass is only valid for its own purpose, and no other use of this key yields a
 * pass.
 */
export type PassPurpose = 'rehearsal' | 'diagnosis' | 'share';

/** Upper bound of pass numbers: the database stores them in 32 bits. */
const MAX_NUMBER = 2 ** 31;

const SHAPE = /^(\d{13})\.(\d{1,10})\.([A-Za-z0-9_-]{43})$/;

/** Returns a random number for a new pass, so that a revoked number isn't reused. */
export const randomPassNumber = (): number => randomInt(1, MAX_NUMBER);

/** Returns the signed pass. It isn't stored, and is valid only for its purpose. */
export function signPass(secret: Buffer, purpose: PassPurpose, { ends, generation }: PassClaim): string {
  const claim = `${ends.getTime()}.${generation}`;
  return `${claim}.${signatureOf(secret, purpose, claim)}`;
}

/** Returns the claim of a pass; null if it is forged, has another purpose or has expired. Doesn't check if it was revoked. */
export function verifyPass(secret: Buffer, purpose: PassPurpose, pass: string, now: Date): PassClaim | null {
  const [, ends, generation, seal] = SHAPE.exec(pass) ?? [];
  if (ends === undefined || generation === undefined || seal === undefined) return null;
  const sealed = signatureOf(secret, purpose, `${ends}.${generation}`);
  const claim = { ends: new Date(Number(ends)), generation: Number(generation) };
  const isAuthentic =
    timingSafeEqual(Buffer.from(seal), Buffer.from(sealed)) && claim.generation < MAX_NUMBER;
  return isAuthentic && claim.ends > now ? claim : null;
}

function signatureOf(secret: Buffer, purpose: PassPurpose, claim: string): string {
  return createHmac('sha256', secret).update(`${purpose}:${claim}`).digest('base64url');
}
