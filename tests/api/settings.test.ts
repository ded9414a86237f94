import { chmodSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainFileError, prepareDataDir } from '../../src/server/data-dir.ts';
import { FILE_SETTINGS, readEnv, SETTINGS } from '../../src/server/env.ts';
import { listen } from '../../src/server/http/server.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { newFolder } from '../support/server.ts';

/** Settings of an installation, and the messages for invalid ones. */

let folder: string;
beforeEach(async () => (folder = await newFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

const S3 = { S3_ENDPOINT: 'http://s', S3_REGION: 'x', S3_BUCKET: 'abc', S3_KEY: 'k', S3_SECRET: 's' };
const DOMAIN = { HTTPS_DOMAIN: 'sera.example' };
/** Settings that another setting requires. */
const BESIDE: Record<string, Record<string, string>> = {
  S3_BUCKET: S3,
  S3_ENDPOINT: S3,
  S3_PATH_STYLE: S3,
  X_ACCEL_REDIRECT: { TRUSTED_PROXIES: '10.0.0.1' },
  HTTPS_EMAIL: DOMAIN,
  HTTP_PORT: DOMAIN,
  ACME_DIRECTORY: DOMAIN,
  DATABASE_DIRECT_URL: { DATABASE_URL: 'postgres://a/b' },
};
const wrong = (name: string) => new RegExp(`^Wrong settings in the environment\\. ${name}: `);

test.each<[string, string[], string[]]>([
  ['PORT', ['0', '65535'], ['-1', '65536', '1.5', 'abc']],
  ['HTTPS_PORT', ['1', '65535'], ['65536']],
  ['PUBLIC_URL', ['https://sorpresa.example'], ['sorpresa.example', 'https://sorpresa.example/path']],
  ['DATABASE_URL', ['postgres://u:p,q@a/db', 'postgres://u:p@q,w@a:5432/d,b'], ['mysql://x']],
  ['DATABASE_URL', ['postgres:///db?host=/run/postgresql&options=a,b'], []],
  ['TRUSTED_PROXIES', ['10.0.0.0/8, ::1', ' , '], ['10.0.0.1,proxy', '10.0.0.0/99']],
  ['REGISTRATION', ['first'], ['closed']],
  ['LOG_LEVEL', ['warn'], ['loud']],
  ['DRAIN_SECONDS', ['0', '60'], ['-1', '61', '0.5']],
  ['MAX_VIDEO_MB', ['1', '10000000'], ['0', '10000001', '1.5']],
  ['METRICS_TOKEN', ['x'.repeat(24)], ['x'.repeat(23), `${'x'.repeat(24)}!`]],
  ['METRICS_ADDRESS', ['127.0.0.1:9464', '[::1]:65535', 'localhost:0'], ['127.0.0.1', ':9464', '9464']],
  ['METRICS_ADDRESS', [], ['127.0.0.1:65536', '::1:9464', 'http://127.0.0.1:9464']],
  ['S3_BUCKET', ['abc', 'a'.repeat(63)], ['ab', 'a'.repeat(64), '-abc', 'abc.', 'Film della sera']],
  ['S3_ENDPOINT', ['https://s3.example'], ['https://s3.example/bucket']],
  ['S3_PATH_STYLE', ['true', 'false'], ['no']],
  ['S3_FOLDER', [], ['film']],
  ['X_ACCEL_REDIRECT', ['/a/', '/a-1/b_2/'], ['/', '/a', 'a/', '/a//', '/../', 'media']],
  ['HTTPS_DOMAIN', [Array.from({ length: 10 }, (_, n) => `n${n}.example`).join()], ['192.0.2.7', ' , ']],
  ['HTTPS_DOMAIN', [], [Array.from({ length: 11 }, (_, n) => `n${n}.example`).join(), 'sera.example:443']],
  ['HTTPS_EMAIL', ['anna@example.org'], ['anna']],
  ['ACME_DIRECTORY', ['https://acme.example/directory'], ['http://acme.example/directory']],
  ['SETUP_CODE', ['apriti'], []],
])('accepts %s as %j, and names it if it is %j', (name, good, bad) => {
  const read = (value: string) => readEnv({ ...BESIDE[name], [name]: value });
  for (const value of good) expect(() => read(value), value).not.toThrow();
  for (const value of bad) expect(() => read(value), value).toThrow(wrong(name));
});

test('refuses several hosts in a database’s address with one sentence', () => {
  for (const DATABASE_URL of ['postgres://u:p@a:5432,b:5433/db?x=1', 'postgres:///db?host=a,b'])
    expect(() => readEnv({ DATABASE_URL })).toThrow(
      new RegExp(`${wrong('DATABASE_URL').source}must name one host; [^;]*$`),
    );
});

test.each<[Record<string, string>, string]>([
  [{ DATABASE_DIRECT_URL: 'postgres://a/b' }, 'DATABASE_DIRECT_URL: goes past a pooler'],
  [{ X_ACCEL_REDIRECT: '/_media/' }, 'only a proxy that TRUSTED_PROXIES names'],
  [{ S3_BUCKET: 'film' }, 'S3_BUCKET: '],
  [{ ...S3, S3_KEY: '' }, 'S3_ENDPOINT: to keep the files in a bucket set S3_KEY as well'],
  [{ ...S3, S3_FOLDER: 'x' }, 'S3_FOLDER: there is no such variable'],
  [{ ...S3, ...BESIDE['X_ACCEL_REDIRECT'], X_ACCEL_REDIRECT: '/_media/' }, 'nginx sends files from the disk'],
  [{ ...DOMAIN, TRUSTED_PROXIES: '10.0.0.1' }, 'take away HTTPS_DOMAIN, or TRUSTED_PROXIES'],
  [{ ...DOMAIN, PORT: '80' }, 'must be three different ports'],
  [{ ...DOMAIN, PUBLIC_URL: 'https://altra.example' }, 'PUBLIC_URL: '],
  [{ ...DOMAIN, PUBLIC_URL: 'http://sera.example' }, 'PUBLIC_URL: '],
])('names settings that conflict: %o', (settings, sentence) => {
  expect(() => readEnv(settings)).toThrow(sentence);
});

test('accepts settings that fit together', () => {
  const far = { DATABASE_URL: 'postgres://pool/b', DATABASE_DIRECT_URL: 'postgres://a/b' };
  expect(readEnv(far)).toMatchObject(far);
  const verified = 'postgres://a/b?x=1&sslmode=verify-full';
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(readEnv({ DATABASE_URL: `postgres://a/b?x=1&sslmode=${mode}` }).DATABASE_URL).toBe(verified);
  const compatible = 'postgres://a/b?uselibpqcompat=true&sslmode=require';
  expect(readEnv({ DATABASE_URL: compatible }).DATABASE_URL).toBe(compatible);
  expect(readEnv({ ...S3, S3_PATH_STYLE: 'true' })).toMatchObject({ ...S3, S3_PATH_STYLE: true });
  // Ports chosen by the system are different ones.
  expect(() => readEnv({ ...DOMAIN, PORT: '0', HTTP_PORT: '0', HTTPS_PORT: '0' })).not.toThrow();
  const HTTPS_DOMAIN = ' Sera.Example ,www.sera.example,sera.example, però.example';
  expect(readEnv({ HTTPS_DOMAIN })).toMatchObject({
    HTTPS_DOMAIN: ['sera.example', 'www.sera.example', 'xn--per-ena.example'],
    PUBLIC_URL: 'https://sera.example',
  });
  const PUBLIC_URL = 'https://www.sera.example:8443';
  expect(readEnv({ HTTPS_DOMAIN, PUBLIC_URL })).toMatchObject({ PUBLIC_URL });
});

describe('secret in a file', () => {
  const GOOD: Record<string, string> = {
    AUTH_SECRET: 'A'.repeat(43),
    ENCRYPTION_SECRET: `${'+/'.repeat(21)}A=`,
    DATABASE_URL: 'postgres://a@b/c',
    DATABASE_DIRECT_URL: 'postgres://a@b/d',
    METRICS_TOKEN: 'x'.repeat(24),
  };

  test.each(FILE_SETTINGS)(
    'is read from %s_FILE without the space around it, and refused if the variable is set too',
    async (name) => {
      const value = GOOD[name] ?? 'qualcosa';
      const path = join(folder, 'a-secret');
      await writeFile(path, ` ${value}\n`);
      const others = { DATABASE_URL: 'postgres://a@b/c', ...S3, [`${name}_FILE`]: path };
      expect(readEnv({ ...others, [name]: '' })[name]).toBe(value);
      expect(() => readEnv({ ...others, [name]: value })).toThrow(
        `Wrong settings in the environment. ${name}_FILE: ${name} is set as well; take one of them away`,
      );
    },
  );

  test('is named if the file is empty or missing, or the value is invalid', async () => {
    const path = join(folder, 'empty');
    await writeFile(path, ' \n');
    for (const place of [path, join(folder, 'nothing')])
      expect(() => readEnv({ SETUP_CODE_FILE: place })).toThrow(
        `SETUP_CODE_FILE: ${place} is empty, or can't be read`,
      );
    for (const text of ['à'.repeat(43), 'A'.repeat(44)])
      expect(() => readEnv({ AUTH_SECRET: text })).toThrow('AUTH_SECRET: must be 32 random bytes');
  });
});

test('matches the variables in the table of the README', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const table = readme.slice(readme.indexOf('| Variable'), readme.indexOf('A forgotten password'));
  const names = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name));
  expect(names.toSorted()).toEqual([...SETTINGS, ...FILE_SETTINGS.map((name) => `${name}_FILE`)].toSorted());
});

test.each([
  ['EADDRINUSE', /Another program has that port/],
  ['EACCES', /above 1023/],
  ['EADDRNOTAVAIL', /Set HOST to an address of this machine/],
])('explains what to do about a port that is unavailable because of %s', async (code, remedy) => {
  const server = createServer();
  server.listen = () => {
    setImmediate(() => server.emit('error', Object.assign(new Error('no'), { code })));
    return server;
  };
  const refused = listen(server as never, { HOST: undefined, PORT: 80 });
  await expect(refused).rejects.toThrow("Can't listen on any address, port 80 (no)");
  await expect(refused).rejects.toThrow(remedy);
});

test.each([
  ['EACCES', /must own DATA_DIR/],
  ['EROFS', /read-only/],
  ['EISDIR', /move it away/],
  ['ENOSPC', /make room/],
])('explains what to do about a file that can’t be used because of %s', (code, remedy) => {
  const failure = Object.assign(new Error('refused'), { code, syscall: 'open', path: '/d/x' });
  for (const error of [failure, new StorageUnavailable('refused', { cause: failure })]) {
    const words = explainFileError(error) as Error;
    expect(words.message).toMatch(/^\/d\/x can't be used \(/);
    expect(words.message).toMatch(remedy);
  }
  // Errors that no setting can fix, or not of the file system, stay unchanged.
  const unmendable = Object.assign(new Error('no'), { code: 'EMFILE', syscall: 'open', path: '/d/x' });
  for (const error of [new StorageUnavailable('no', { cause: new Error('why') }), unmendable])
    expect(explainFileError(error)).toBe(error);
});

test('makes a data folder private, and refuses one that all users share', () => {
  const own = join(folder, 'own');
  const mode = () => statSync(own).mode & 0o7777;
  prepareDataDir(own);
  expect(mode()).toBe(0o700);
  for (const open of [0o701, 0o710]) {
    chmodSync(own, open);
    prepareDataDir(own);
    expect(mode(), open.toString(8)).toBe(0o700);
  }
  chmodSync(own, 0o1777);
  expect(() => prepareDataDir(own)).toThrow(`chmod 700 ${own}`);
  expect(mode()).toBe(0o1777);
});
