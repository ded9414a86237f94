import { execFile } from 'node:child_process';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signUp } from '../../demo/admin-client.ts';
import { MEDIA_BYTES } from '../../src/domain/limits.ts';
import { fileInWords, ownDataFolder } from '../../src/server/data-dir.ts';
import { readEnv, SETTINGS } from '../../src/server/env.ts';
import { IN_FILES } from '../../src/server/env-files.ts';
import { listen } from '../../src/server/http/node-server.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { bundledProgram } from '../support/bundled.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder, startServer } from '../support/server.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let folder: string;
beforeEach(async () => (folder = await newFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

type Ended = { code: number; stdout: string; stderr: string };

/** Runs one of the program's commands to its end, which must be a failure. */
async function failing(command: string, env: Record<string, string>, args: string[] = []): Promise<Ended> {
  const settings = { ...PROCESS_ENV, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...env };
  const options = { cwd: ROOT, env: settings, timeout: 15_000 };
  const run = promisify(execFile)(process.execPath, [await bundledProgram(), command, ...args], options);
  run.child.stdin?.end();
  return run.then(
    () => Promise.reject(new Error(`${command} did not fail`)),
    (error: Ended) => error,
  );
}

/** One sentence or two on one line, and no stack. */
function expectWords({ code, stderr }: Ended, what: string, remedy: RegExp): void {
  expect(stderr).toContain(what);
  expect(stderr).toMatch(remedy);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(1);
}

describe.each(['start', 'demo'])('%s', (entry) => {
  test('names a data folder that can’t be made, and what to do', async () => {
    await writeFile(join(folder, 'file'), '');
    const below = join(folder, 'file', 'data');
    expectWords(
      await failing(entry, { DATA_DIR: below }),
      `${below} can't be used`,
      /set DATA_DIR to another/,
    );
  });
});

test.each(['media', 'uploads'])('names %s where it is no folder', async (name) => {
  await writeFile(join(folder, name), '');
  const ended = await failing('start', { DATA_DIR: folder });
  expectWords(ended, `${join(folder, name)} can't be used`, /move it away/);
});

test('says who has the port, or that the host isn’t here, and which setting to change', async () => {
  const taken = await startServer();
  const port = new URL(taken.url).port;
  const ended = await failing('demo', { DATA_DIR: folder, PORT: port });
  await taken.stop();
  expectWords(ended, `Can't listen on 127.0.0.1, port ${port} (`, /set PORT to another one/);
  const elsewhere = await failing('start', { DATA_DIR: folder, HOST: '192.0.2.1' });
  expectWords(elsewhere, "Can't listen on 192.0.2.1, port 0 (", /Set HOST to an address of this machine/);
});

test.each([
  ['EADDRINUSE', /Another program has that port/],
  ['EACCES', /above 1023/],
  ['EADDRNOTAVAIL', /Set HOST to an address of this machine/],
])('what to do where a port can’t be had because of %s', async (code, remedy) => {
  const server = createServer();
  server.listen = () => {
    setImmediate(() => server.emit('error', Object.assign(new Error('no'), { code })));
    return server;
  };
  const refused = listen(server as never, { HOST: undefined, PORT: 80 });
  await expect(refused).rejects.toThrow("Can't listen on any address, port 80 (no)");
  await expect(refused).rejects.toThrow(remedy);
});

test('what was started stops once, however often it is told', async () => {
  const server = await startServer({ dataDir: folder });
  await Promise.all([server.stop(), server.stop()]);
  await server.stop();
});

describe.each(['backup', 'restore', 'reset-password'])('the command %s', (name) => {
  test('says which setting is wrong', async () => {
    const ended = await failing(name, { DATA_DIR: folder, DATABASE_URL: 'postgres://a b' }, ['x']);
    expectWords(ended, 'DATABASE_URL: ', /postgres:\/\/user:password@host/);
  });
});

test('a password can’t be reset in a database that can’t be read, which is named', async () => {
  await writeFile(join(folder, 'sorpresa.db'), 'Not a database. '.repeat(1_000));
  const ended = await failing('reset-password', { DATA_DIR: folder }, ['a@b.example']);
  expectWords(ended, `The database ${join(folder, 'sorpresa.db')} can't be opened`, /restore a backup/);
});

test('the demo that can’t read what it made says how to start afresh', async () => {
  await writeFile(join(folder, 'demo.json'), '{');
  expectWords(await failing('demo', { DATA_DIR: folder }), 'cut short', /--reset/);
});

test('the demo keeps away from a surprise that isn’t its own, and doesn’t mark it as one that may be deleted', async () => {
  const own = await startServer({ dataDir: folder });
  await signUp(own.url, { email: 'anna@sorpresa.example', password: 'una-sera-a-giugno' });
  await own.stop();
  const ended = await failing('demo', { DATA_DIR: folder });
  expectWords(ended, 'the demo did not make it', /a DATA_DIR of its own/);
  expect(existsSync(join(folder, 'demo.json'))).toBe(false);
});

describe('a file that can’t be used', () => {
  const failure = (code: string) =>
    Object.assign(new Error(`${code}: refused, open '/d/x'`), { code, syscall: 'open', path: '/d/x' });

  test.each([
    ['EACCES', /must own DATA_DIR/],
    ['EROFS', /read-only/],
    ['EISDIR', /move it away/],
    ['ENOSPC', /make room/],
  ])('is named: %s', (code, remedy) => {
    for (const error of [failure(code), new StorageUnavailable('refused', { cause: failure(code) })]) {
      const words = fileInWords(error) as Error;
      expect(words.message).toMatch(/^\/d\/x can't be used \(/);
      expect(words.message).toMatch(remedy);
    }
  });

  test('of a kind that nobody can mend by a setting stays as it is', () => {
    for (const error of [failure('EMFILE'), Object.assign(failure('EACCES'), { path: 7 })])
      expect(fileInWords(error)).toBe(error);
  });

  test('what isn’t of the file system stays as it is', () => {
    for (const error of [new Error('no'), new StorageUnavailable('no', { cause: new Error('why') })])
      expect(fileInWords(error)).toBe(error);
  });
});

test('a data folder is shut to others, left as it is where it is shut, and refused where it isn’t to be shut', () => {
  const own = join(folder, 'own');
  const mode = () => statSync(own).mode & 0o7777;
  ownDataFolder(own);
  expect(mode()).toBe(0o700);
  for (const open of [0o701, 0o710, 0o755, 0o777]) {
    chmodSync(own, open);
    ownDataFolder(own);
    expect(mode(), open.toString(8)).toBe(0o700);
  }
  chmodSync(own, 0o500);
  // Who is not root can't use it; whoever can finds it as it was.
  if (process.getuid?.() === 0) ownDataFolder(own);
  else expect(() => ownDataFolder(own)).toThrow('EACCES');
  expect(mode()).toBe(0o500);
  chmodSync(own, 0o1777);
  expect(() => ownDataFolder(own)).toThrow(`may look into ${own} (mode 1777)`);
  expect(mode()).toBe(0o1777);
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['PUBLIC_URL', 'sorpresa.example'],
  ['PUBLIC_URL', 'https://sorpresa.example/path'],
  ['DATABASE_URL', 'mysql://x'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['REGISTRATION', 'closed'],
  ['LOG_LEVEL', 'loud'],
  ['S3_BUCKET', 'film'],
  ['DRAIN_SECONDS', '600'],
  ['X_ACCEL_REDIRECT', 'media'],
  ['X_ACCEL_REDIRECT', '/_media/'],
  ['S3_BUCKET', 'Film della sera'],
  ['S3_ENDPOINT', 'https://s3.example/bucket'],
  ['S3_PATH_STYLE', 'true'],
  ['S3_PATH_STYLE', 'no'],
  ['S3_FOLDER', 'film'],
])('names %s=%s as a wrong setting', (name, value) => {
  expect(() => readEnv({ DATA_DIR: folder, [name]: value })).toThrow(
    new RegExp(`^Wrong settings in the environment\\. ${name}: `),
  );
});

test.each<[string, string[], string[]]>([
  ['PORT', ['0', '65535'], ['-1', '65536', '1.5']],
  ['HTTPS_PORT', ['1', '65535'], ['65536']],
  ['DRAIN_SECONDS', ['0', '60'], ['-1', '61', '0.5']],
  ['MAX_VIDEO_MB', ['1', '10000000'], ['0', '10000001', '1.5']],
  ['METRICS_TOKEN', ['x'.repeat(24)], ['x'.repeat(23), `${'x'.repeat(24)}!`]],
  [
    'METRICS_ADDRESS',
    ['127.0.0.1:9464', '[::1]:65535', 'localhost:0'],
    ['127.0.0.1', ':9464', '127.0.0.1:65536', '::1:9464', 'a b:1'],
  ],
  ['S3_BUCKET', ['abc', 'a'.repeat(63)], ['ab', 'a'.repeat(64), '-abc', 'abc.']],
  ['TRUSTED_PROXIES', ['10.0.0.0/8, ::1', ' , '], ['10.0.0.1,proxy']],
  ['X_ACCEL_REDIRECT', ['/a/', '/a-1/b_2/'], ['/', '/a', 'a/', '/a//', '/../']],
])('%s is taken up to its edges, and not beyond', (name, good, bad) => {
  const others = { S3_ENDPOINT: 'http://s', S3_REGION: 'x', S3_BUCKET: 'abc', S3_KEY: 'k', S3_SECRET: 's' };
  const besides: Record<string, Record<string, string>> = {
    S3_BUCKET: others,
    X_ACCEL_REDIRECT: { TRUSTED_PROXIES: '10.0.0.1' },
  };
  const read = (value: string) => readEnv({ ...besides[name], [name]: value });
  for (const value of good) expect(() => read(value), value).not.toThrow();
  for (const value of bad) expect(() => read(value), value).toThrow(`${name}: `);
});

test('an address to be measured at is split into a host and a port', () => {
  const at = (METRICS_ADDRESS: string) => readEnv({ METRICS_ADDRESS }).METRICS_ADDRESS;
  expect(at('127.0.0.1:9464')).toEqual({ HOST: '127.0.0.1', PORT: 9464 });
  expect(at('[::1]:9464')).toEqual({ HOST: '::1', PORT: 9464 });
});

test('without a setting each has its own: 2 GB of film, port 3000, everywhere, one administrator', () => {
  expect(readEnv({ PORT: '', UNKNOWN: 'x' })).toMatchObject({
    HOST: '0.0.0.0',
    PORT: 3000,
    DATA_DIR: './data',
    TRUSTED_PROXIES: [],
    DRAIN_SECONDS: 0,
    HTTPS_PORT: 443,
    HTTP_PORT: 80,
    REGISTRATION: 'first',
    MAX_VIDEO_MB: MEDIA_BYTES.video / 1024 ** 2,
    LOG_LEVEL: 'info',
  });
  expect(readEnv({ PORT: '' })).not.toHaveProperty('UNKNOWN');
});

test.each([
  'postgres://u:p@a:5432,b:5433/db?x=1',
  'postgresql://a,b/db',
  'postgres://u:p,q@[::1]:5432,[::2]',
  'postgres:///db?host=a,b',
])('refuses several hosts in a database’s address, in one sentence: %s', (address) => {
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
    expect(() => readEnv({ DATABASE_URL: 'postgres://a/b', [name]: address })).toThrow(
      new RegExp(`^Wrong settings in the environment. ${name}: must name one host; [^;]*$`),
    );
});

test.each([
  'postgres://u:p,q@a/db',
  'postgres://u:p@q,w@a:5432/d,b',
  'postgres:///db?host=/run/postgresql&options=a,b',
])('takes no other comma for one between hosts: %s', (DATABASE_URL) => {
  expect(readEnv({ DATABASE_URL })).toMatchObject({ DATABASE_URL });
});

test('settings that need each other are named together', () => {
  expect(() => readEnv({ DATABASE_DIRECT_URL: 'postgres://a/b' })).toThrow(
    'DATABASE_DIRECT_URL: goes past a pooler',
  );
  const far = { DATABASE_URL: 'postgres://pool/b', DATABASE_DIRECT_URL: 'postgres://a/b' };
  expect(readEnv(far)).toMatchObject(far);
  expect(() => readEnv({ X_ACCEL_REDIRECT: '/_media/' })).toThrow('only a proxy that TRUSTED_PROXIES names');
  const bucket = { S3_ENDPOINT: 'http://s', S3_REGION: 'x', S3_BUCKET: 'abc', S3_KEY: 'k', S3_SECRET: 's' };
  expect(readEnv({ ...bucket, S3_PATH_STYLE: 'true' })).toMatchObject({ ...bucket, S3_PATH_STYLE: true });
  expect(readEnv({ ...bucket, S3_PATH_STYLE: 'false' }).S3_PATH_STYLE).toBe(false);
  expect(() => readEnv({ ...bucket, S3_KEY: '' })).toThrow(
    'S3_ENDPOINT: to keep the files in a bucket set S3_KEY as well',
  );
  expect(() => readEnv({ ...bucket, S3_FOLDER: 'x' })).toThrow('S3_FOLDER: there is no such variable');
});

test('files can’t be handed over to a proxy that doesn’t have them', () => {
  const settings = { DATA_DIR: folder, TRUSTED_PROXIES: '127.0.0.1', X_ACCEL_REDIRECT: '/_media/' };
  expect(readEnv(settings)).toMatchObject({ X_ACCEL_REDIRECT: '/_media/' });
  expect(() => readEnv({ ...settings, S3_BUCKET: 'film' })).toThrow(
    'X_ACCEL_REDIRECT: nginx sends files from the disk',
  );
});

const DOMAIN = { HTTPS_DOMAIN: 'sera.example' };

test.each([
  ['HTTPS_DOMAIN', '192.0.2.7'],
  ['HTTPS_DOMAIN', 'https://sera.example'],
  ['HTTPS_DOMAIN', 'sera.example:443'],
  ['HTTPS_DOMAIN', '*.sera.example'],
  ['HTTPS_DOMAIN', 'localhost'],
  ['HTTPS_DOMAIN', ' , '],
  ['HTTPS_DOMAIN', Array.from({ length: 11 }, (_, n) => `n${n}.example`).join()],
  ['HTTPS_EMAIL', 'anna'],
  ['HTTPS_PORT', '70000'],
  ['HTTP_PORT', 'http'],
  ['ACME_DIRECTORY', 'http://acme.example/directory'],
  ['PUBLIC_URL', 'https://altra.example'],
  ['PUBLIC_URL', 'http://sera.example'],
])('names %s=%s as a wrong setting where the product does https itself', (name, value) => {
  expect(() => readEnv({ ...DOMAIN, [name]: value })).toThrow(
    new RegExp(`^Wrong settings in the environment\\. ${name}: `),
  );
});

describe('where the product does https itself', () => {
  test('a proxy before it is a contradiction, and so are two listeners on one port', () => {
    expect(() => readEnv({ ...DOMAIN, TRUSTED_PROXIES: '10.0.0.1' })).toThrow(
      'HTTPS_DOMAIN: the product asks for a certificate by itself only where no proxy stands before it; take away HTTPS_DOMAIN, or TRUSTED_PROXIES',
    );
    for (const PORT of ['80', '443'])
      expect(() => readEnv({ ...DOMAIN, PORT })).toThrow('must be three different ports');
    // Ports that the system chooses are different ones.
    expect(() => readEnv({ ...DOMAIN, PORT: '0', HTTP_PORT: '0', HTTPS_PORT: '0' })).not.toThrow();
    const names = Array.from({ length: 10 }, (_, n) => `n${n}.example`);
    expect(readEnv({ HTTPS_DOMAIN: names.join() }).HTTPS_DOMAIN).toEqual(names);
  });

  test('the first name is the site’s address, unless another one is said', () => {
    const HTTPS_DOMAIN = ' Sera.Example ,www.sera.example,sera.example, però.example';
    expect(readEnv({ DATA_DIR: folder, HTTPS_DOMAIN })).toMatchObject({
      HTTPS_DOMAIN: ['sera.example', 'www.sera.example', 'xn--per-ena.example'],
      PUBLIC_URL: 'https://sera.example',
      HTTPS_PORT: 443,
      HTTP_PORT: 80,
    });
    const PUBLIC_URL = 'https://www.sera.example:8443';
    expect(readEnv({ DATA_DIR: folder, HTTPS_DOMAIN, PUBLIC_URL })).toMatchObject({ PUBLIC_URL });
  });

  test('without a name nothing of it is on', () => {
    const env = readEnv({ DATA_DIR: folder, TRUSTED_PROXIES: '10.0.0.1', HTTPS_EMAIL: 'anna@example.org' });
    expect([env.HTTPS_DOMAIN, env.PUBLIC_URL]).toEqual([undefined, undefined]);
  });
});

describe('a secret in a file', () => {
  const inFile = async (text: string) => {
    const path = join(folder, 'a-secret');
    await writeFile(path, text);
    return path;
  };

  test.each(IN_FILES)(
    '%s_FILE is read without the space around it, and is nothing beside the variable',
    async (name) => {
      const good: Record<string, string> = {
        AUTH_SECRET: 'A'.repeat(43),
        ENCRYPTION_SECRET: `${'+/'.repeat(21)}A=`,
        DATABASE_URL: 'postgres://a@b/c',
        DATABASE_DIRECT_URL: 'postgres://a@b/d',
        METRICS_TOKEN: 'x'.repeat(24),
      };
      const value = good[name] ?? 'qualcosa';
      const s3 = {
        S3_ENDPOINT: 'https://s3.example',
        S3_REGION: 'eu',
        S3_BUCKET: 'sera',
        S3_KEY: 'k',
        S3_SECRET: 's',
      };
      const others = { DATABASE_URL: 'postgres://a@b/c', ...s3, [name]: '' };
      const path = await inFile(` ${value}\n`);
      expect(readEnv({ DATA_DIR: folder, ...others, [`${name}_FILE`]: path })[name]).toBe(value);
      expect(() => readEnv({ ...others, [`${name}_FILE`]: path, [name]: value })).toThrow(
        `Wrong settings in the environment. ${name}_FILE: ${name} is set as well; take one of them away`,
      );
    },
  );

  test('that is empty, isn’t there, or holds none is named', async () => {
    const path = await inFile(' \n');
    for (const place of [path, join(folder, 'nothing'), folder])
      expect(() => readEnv({ SETUP_CODE_FILE: place })).toThrow(
        `SETUP_CODE_FILE: ${place} is empty, or can't be read`,
      );
    for (const text of ['short', 'à'.repeat(43), 'A'.repeat(44)])
      expect(() => readEnv({ AUTH_SECRET: text })).toThrow(
        'AUTH_SECRET: must be 32 random bytes in base64: openssl rand -base64 32',
      );
  });
});

test('every variable stands in the table of the README, and nothing else does', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const table = readme.slice(readme.indexOf('| Variable'), readme.indexOf('A forgotten password'));
  const names = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name));
  expect(names.toSorted()).toEqual([...SETTINGS, ...IN_FILES.map((name) => `${name}_FILE`)].toSorted());
});
