import { execFile } from 'node:child_process';
import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  decrypt,
  decryptOrNull,
  encrypt,
  loadSecret,
  secretOf,
  secretText,
} from '../../src/server/auth/secrets.ts';

const SECRETS = new URL('../../src/server/auth/secrets.ts', import.meta.url).href;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sorpresa-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test('a secret is made once, for its owner’s eyes, and nothing else is left lying about', async () => {
  const first = await loadSecret(join(dataDir, 'new'), 'auth');
  expect(first).toHaveLength(32);
  expect(await loadSecret(join(dataDir, 'new'), 'auth')).toEqual(first);
  expect(await loadSecret(join(dataDir, 'new'), 'encryption')).not.toEqual(first);
  const files = await readdir(join(dataDir, 'new'));
  expect(files.toSorted()).toEqual(['secret-auth', 'secret-encryption']);
  for (const file of files) expect((await stat(join(dataDir, 'new', file))).mode & 0o777).toBe(0o600);
});

test('processes that start at once agree', async () => {
  const script = `import { loadSecret } from ${JSON.stringify(SECRETS)};
    console.log((await loadSecret(${JSON.stringify(dataDir)}, 'auth')).toString('hex'));`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  const outputs = await Promise.all(Array.from({ length: 6 }, run));
  expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret-auth']);
});

test('a damaged secret stops the start instead of being replaced', async () => {
  await loadSecret(dataDir, 'encryption');
  const file = join(dataDir, 'secret-encryption');
  await writeFile(file, (await readFile(file, 'utf8')).slice(0, 20));
  await expect(loadSecret(dataDir, 'encryption')).rejects.toThrow(/damaged/);
});

test('a secret that the environment gives is that one, written nowhere; another one in the folder is a contradiction', async () => {
  const given = randomBytes(32);
  const env = { DATA_DIR: dataDir, AUTH_SECRET: given.toString('base64') };
  expect(await secretText({ DATA_DIR: dataDir }, 'auth')).toBeNull();
  expect(await secretOf(env, 'auth')).toEqual(given);
  expect(await secretText(env, 'auth')).toBe(`${given.toString('base64url')}\n`);
  expect(await readdir(dataDir)).toEqual([]);
  await writeFile(join(dataDir, 'secret-auth'), given.toString('base64url'));
  expect(await secretOf(env, 'auth')).toEqual(given);
  await secretOf(env, 'encryption');
  expect((await readdir(dataDir)).toSorted()).toEqual(['secret-auth', 'secret-encryption']);
  const other = { ...env, AUTH_SECRET: randomBytes(32).toString('base64') };
  for (const read of [secretOf, secretText])
    await expect(read(other, 'auth')).rejects.toThrow(
      /^AUTH_SECRET is not the secret in .*secret-auth: take away/,
    );
});

test('what was encrypted by any version is read: twelve bytes to begin with, sixteen that prove it, and the text', () => {
  const [secret, iv] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', secret, iv);
  const body = Buffer.concat([cipher.update('123456:è'), cipher.final()]);
  const stored = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  expect(decrypt(secret, stored)).toBe('123456:è');
  expect(encrypt(secret, '123456:è')).toHaveLength(stored.length);
  expect([decryptOrNull(secret, stored), decryptOrNull(Buffer.alloc(32), stored)]).toEqual([
    '123456:è',
    null,
  ]);
});

test('what is encrypted comes back whole, differs each time, and can’t be altered', () => {
  const secret = Buffer.alloc(32, 1);
  const text = '123456:è🦜';
  const encrypted = encrypt(secret, text);
  expect(decrypt(secret, encrypted)).toBe(text);
  expect(encrypt(secret, text)).not.toBe(encrypted);
  expect(encrypted).not.toContain('123456');
  expect(() => decrypt(Buffer.alloc(32, 2), encrypted)).toThrow();
  const bytes = Buffer.from(encrypted, 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(() => decrypt(secret, altered.toString('base64url'))).toThrow();
  }
  for (const short of ['', encrypted.slice(0, 10)]) expect(() => decrypt(secret, short)).toThrow();
});
