import { execFile } from 'node:child_process';
import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dictionary } from '@zxcvbn-ts/language-common';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD_LENGTH } from '../../src/domain/limits.ts';
import { isEmail, toAuthResult, toBetterAuthRequest } from '../../src/server/auth/better-auth.ts';
import { isCommonPassword, passwordProblem, verifyPassword } from '../../src/server/auth/passwords.ts';
import { generatePassword } from '../../src/server/auth/reset-password.ts';
import {
  decrypt,
  decryptOrNull,
  encrypt,
  isSetupCode,
  loadConfiguredSecret,
  loadSecret,
  secretText,
  setupCodeFor,
  signPass,
  verifyPass,
} from '../../src/server/auth/secrets.ts';
import { knownDeviceCookie, readKnownDevice } from '../../src/server/auth/sign-in-cookies.ts';

/** Sign-in rules that need no server and no database, tested at their limits. */

const SECRET = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const EMAIL = 'anna@example.org';

describe('password', () => {
  test('accepts 10 to 256 characters, counting an emoji as one', async () => {
    const text = (length: number) =>
      `🦜${String.fromCharCode(...Array.from({ length: length - 1 }, (_, n) => 0x4e00 + n))}`;
    expect([...text(10)]).toHaveLength(10);
    for (const [length, fault] of [
      [9, 'WEAK_PASSWORD'],
      [10, null],
      [256, null],
      [257, 'LONG_PASSWORD'],
    ] as const)
      expect(await passwordProblem(text(length), EMAIL), `${length}`).toBe(fault);
  });

  test('refuses common ones: leaked, Italian, sequences, repetitions, the e-mail, extended or not', async () => {
    const mine = 'chi.prepara@example.org';
    const common = ['realmadrid ManChester dragon2024! tivogliobene 5678901234 amoreamoreamore abcabcabcabc'];
    common.push('abcdefabcdefab xyzxyzxyz123 kkkkkkkkkkkkk CHI.PREPARA@EXAMPLE.ORG chi.prepara2026');
    for (const word of [...common.join(' ').split(' '), '<<Benvenuta>> 1'])
      expect(await isCommonPassword(word, mine), word).toBe(true);
    const uncommon = 'abcdefgabcdefg vwxvwx123456! kvkvwzwzqjqj 7391846250184'.split(' ');
    for (const word of [...uncommon, 'dragoni e farfalle'])
      expect(await isCommonPassword(word, mine), word).toBe(false);
    // An e-mail that begins with a number has no effect.
    expect(await passwordProblem('7391846250184', '2026@example.org')).toBeNull();
    const long = dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_LENGTH.min);
    expect(long.length).toBeGreaterThan(1_000);
    for (const password of long)
      expect(await passwordProblem(password, mine), password).toBe('COMMON_PASSWORD');
  });

  const stored = (password: string, length = 32) => {
    const salt = Buffer.alloc(16, 7);
    const key = scryptSync(password.normalize('NFKC'), salt, 32, { N: 16, r: 8, p: 1 }).subarray(0, length);
    return ['scrypt', 16, 8, 1, salt.toString('base64url'), key.toString('base64url')].join(':');
  };

  test('verifies against its stored hash in any Unicode normalization', async () => {
    const hash = stored('perché no, così');
    expect(await verifyPassword(hash, 'perché no, così'.normalize('NFD'))).toBe(true);
    expect(await verifyPassword(hash, 'perche no, cosi')).toBe(false);
    expect(await verifyPassword(stored('perché no, così', 31), 'perché no, così')).toBe(false);
    await expect(verifyPassword('bcrypt:16:8:1:AAAA:AAAA', 'perché no, così')).rejects.toThrow('damaged');
  });

  test('generates five groups of four unambiguous characters', () => {
    const made = Array.from({ length: 50 }, generatePassword);
    for (const password of made) expect(password).toMatch(/^[a-hj-km-np-z2-9]{4}(-[a-hj-km-np-z2-9]{4}){4}$/);
    expect(new Set(made).size).toBe(50);
  });
});

test('limits the number of a pass to what the database can store', () => {
  const ends = new Date('2027-02-14T19:00:00.000Z');
  const maxNumber = 2 ** 31;
  const of = (generation: number) => {
    const pass = signPass(SECRET, 'diagnosis', { ends, generation });
    return verifyPass(SECRET, 'diagnosis', pass, new Date(ends.getTime() - 1))?.generation;
  };
  expect([of(maxNumber - 1), of(maxNumber)]).toEqual([maxNumber - 1, undefined]);
});

describe('known device', () => {
  const given = (secure: boolean) => knownDeviceCookie(SECRET, EMAIL, secure);
  const sent = (line: string) => line.split(';')[0] ?? '';
  const read = (cookies: string | null, email = EMAIL, secure = false, secret = SECRET) =>
    readKnownDevice(secret, cookies, email, secure);

  test('is recognized by its cookie, only by this installation and for this e-mail', () => {
    const cookie = sent(given(false));
    const [name] = cookie.split('=');
    const id = read(cookie);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(read(`a=b; ${cookie}; c=d`)).toBe(id);
    expect(read(`x${cookie}`)).toBeNull();
    expect(read(cookie, 'altra@example.org')).toBeNull();
    expect(read(cookie, EMAIL, false, OTHER)).toBeNull();
    expect(read(cookie, EMAIL, true)).toBeNull();
    expect(read(sent(given(true)), EMAIL, true)).toMatch(/^[0-9a-f-]{36}$/);
    for (const none of [null, `${name}=`, `${name}=.x`, `${cookie}A`])
      expect(read(none), `${none}`).toBeNull();
  });
});

describe('request to better-auth', () => {
  test('accepts an e-mail of at most 254 characters', () => {
    const label = 'a'.repeat(60);
    const long = `anna@${label}.${label}.${label}.`;
    const of = (length: number) => `${long}${'b'.repeat(length - long.length - 3)}.it`;
    expect([of(254).length, isEmail(of(254)), isEmail(of(255))]).toEqual([254, true, false]);
    for (const none of ['anna', 'anna@', '@example.org', 'anna@example.org\0'])
      expect(isEmail(none), none).toBe(false);
  });

  test('forwards only the headers that state its origin, and no address sent by the client', async () => {
    const ownHeaders = { cookie: 'a=b', origin: 'http://localhost' };
    const addresses = { 'x-forwarded-for': '203.0.113.7', 'x-client-ip': '203.0.113.7' };
    const headers = { ...ownHeaders, ...addresses, authorization: 'Bearer x', 'user-agent': 'F'.repeat(600) };
    const original = new Request('http://localhost/api/auth/sign-in/email', { method: 'POST', headers });
    const passed = toBetterAuthRequest(original, '/sign-in/email', { email: EMAIL }, '192.0.2.1');
    expect(Object.fromEntries(passed.headers)).toEqual({
      ...ownHeaders,
      'content-type': 'application/json',
      'user-agent': 'F'.repeat(500),
      'x-client-ip': '192.0.2.1',
    });
    const forwarded = [passed.url, passed.method, await passed.json()];
    expect(forwarded).toEqual([original.url, 'POST', { email: EMAIL }]);
  });
});

describe('response of better-auth', () => {
  const resultOf = (status: number, body: unknown) =>
    toAuthResult(
      new Response(typeof body === 'string' ? body : JSON.stringify(body), {
        status,
        headers: ['a=b', 'c=d'].map((cookie) => ['set-cookie', cookie]),
      }),
      '/sign-in/email',
    );

  test('maps errors to listed refusals, regardless of the body', async () => {
    for (const [status, body, refused] of [
      [401, { code: 'INVALID_EMAIL_OR_PASSWORD' }, 'BAD_CREDENTIALS'],
      [401, { code: 'NEVER_HEARD_OF' }, 'SIGN_IN_REQUIRED'],
      [500, { code: 'FAILED_TO_CREATE_USER' }, 'REGISTRATION_FAILED'],
      [400, { code: 'NEVER_HEARD_OF' }, 'BAD_INPUT'],
      [499, 'x', 'BAD_INPUT'],
    ] as const)
      expect(await resultOf(status, body)).toEqual({ refused });
  });

  test('returns the cookies of a success and throws on a server error', async () => {
    expect(await resultOf(200, { user: 1 })).toEqual({ cookies: ['a=b', 'c=d'], body: { user: 1 } });
    await expect(resultOf(500, { code: 'x' })).rejects.toThrow('/sign-in/email with 500 x');
  });
});

describe('setup code', () => {
  test('is the configured one, else the installation’s own, and null if only this machine can connect', () => {
    const settings = { SETUP_CODE: undefined, PUBLIC_URL: undefined, HOST: '127.0.0.1' };
    const of = (host: string | null, env: { SETUP_CODE?: string; PUBLIC_URL?: string; HOST?: string } = {}) =>
      setupCodeFor({ ...settings, ...env }, SECRET, host);
    const own = of('nas.local');
    expect(own).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    for (const host of ['nas.local:3000', null, 'a b', '192.168.1.5:80', '[fd00::1]:3000'])
      expect(of(host), `${host}`).toBe(own);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]']) expect(of(host), host).toBeNull();
    expect(of('localhost', { HOST: '::1', PUBLIC_URL: 'http://localhost:3000' })).toBeNull();
    for (const open of [
      { HOST: '0.0.0.0' },
      { HOST: 'nas.local' },
      { PUBLIC_URL: 'https://sorpresa.example' },
    ])
      for (const host of ['localhost', 'sorpresa.example']) expect(of(host, open), host).toBe(own);
    expect(of('localhost', { SETUP_CODE: 'apriti' })).toBe('apriti');
    expect(setupCodeFor(settings, OTHER, 'nas.local')).not.toBe(own);
  });

  test('ignores surrounding blanks and accepts nothing else', () => {
    expect(isSetupCode('apriti', ' apriti\n')).toBe(true);
    for (const given of ['Apriti', 'apriti!', '', undefined])
      expect(isSetupCode('apriti', given)).toBe(false);
  });
});

describe('secret of the installation', () => {
  const SECRETS = new URL('../../src/server/auth/secrets.ts', import.meta.url).href;
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  test('is created once, readable only by its owner, and leaves no other files', async () => {
    const first = await loadSecret(join(dataDir, 'new'), 'auth');
    expect(first).toHaveLength(32);
    expect(await loadSecret(join(dataDir, 'new'), 'auth')).toEqual(first);
    expect(await loadSecret(join(dataDir, 'new'), 'encryption')).not.toEqual(first);
    const files = await readdir(join(dataDir, 'new'));
    expect(files.toSorted()).toEqual(['secret-auth', 'secret-encryption']);
    for (const file of files) expect((await stat(join(dataDir, 'new', file))).mode & 0o777).toBe(0o600);
  });

  test('is the same for processes that start at once', async () => {
    const script = `import { loadSecret } from ${JSON.stringify(SECRETS)};
    console.log((await loadSecret(${JSON.stringify(dataDir)}, 'auth')).toString('hex'));`;
    const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    const outputs = await Promise.all(Array.from({ length: 3 }, run));
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['secret-auth']);
  });

  test('stops the start if it is damaged instead of being replaced', async () => {
    await loadSecret(dataDir, 'encryption');
    const file = join(dataDir, 'secret-encryption');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 20));
    await expect(loadSecret(dataDir, 'encryption')).rejects.toThrow(/damaged/);
  });

  test('comes from the environment without being stored, and must match the one in the folder', async () => {
    const given = randomBytes(32);
    const env = { DATA_DIR: dataDir, AUTH_SECRET: given.toString('base64') };
    expect(await secretText({ DATA_DIR: dataDir }, 'auth')).toBeNull();
    expect(await loadConfiguredSecret(env, 'auth')).toEqual(given);
    expect(await secretText(env, 'auth')).toBe(`${given.toString('base64url')}\n`);
    expect(await readdir(dataDir)).toEqual([]);
    await writeFile(join(dataDir, 'secret-auth'), given.toString('base64url'));
    expect(await loadConfiguredSecret(env, 'auth')).toEqual(given);
    await loadConfiguredSecret(env, 'encryption');
    expect((await readdir(dataDir)).toSorted()).toEqual(['secret-auth', 'secret-encryption']);
    const other = { ...env, AUTH_SECRET: randomBytes(32).toString('base64') };
    for (const read of [loadConfiguredSecret, secretText])
      await expect(read(other, 'auth')).rejects.toThrow(
        /^AUTH_SECRET is not the secret in .*secret-auth: take away/,
      );
  });

  test('decrypts the format of every version: twelve bytes of IV, sixteen of tag, and the text', () => {
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

  test('encrypts differently each time, and detects a change and another secret', () => {
    const encrypted = encrypt(SECRET, '123456:è');
    expect(encrypt(SECRET, '123456:è')).not.toBe(encrypted);
    expect(decrypt(SECRET, encrypted)).toBe('123456:è');
    expect(() => decrypt(OTHER, encrypted)).toThrow();
    const altered = encrypted[30] === 'A' ? 'B' : 'A';
    expect(() => decrypt(SECRET, encrypted.slice(0, 30) + altered + encrypted.slice(31))).toThrow();
    expect(() => decrypt(SECRET, encrypted.slice(0, 10))).toThrow();
  });
});
