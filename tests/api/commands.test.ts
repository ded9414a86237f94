import { execFile, spawn } from 'node:child_process';
import dns from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  checkAddress,
  checkData,
  checkDisk,
  checkFolder,
  checkHttpsPorts,
  checkNode,
  checkPort,
} from '../../src/cli/doctor/checks.ts';
import { isEncryptedFile } from '../../src/server/features/archive/sealed-file.ts';
import { interruptedText, resetPasswordTexts } from '../../src/texts/commands.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { ask, authOn, authTables, post, type TestAuth } from '../support/auth.ts';
import { bundledProgram, spawnBundled } from '../support/bundled.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { signUp } from '../support/http-evening.ts';
import { oldFolder } from '../support/old-folder.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

/** The commands as processes: their refusals, and their questions at a terminal. */

let folder: string;
let program: string;
beforeAll(async () => {
  [folder, program] = await Promise.all([newFolder(), bundledProgram()]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Ended = { code: number; stdout: string; stderr: string };
/** Runs a command until it exits. `typed`: its whole input. */
function run(args: readonly string[], env: object = {}, typed = ''): Promise<Ended> {
  const settings = { ...PROCESS_ENV, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...env };
  return new Promise((done) => {
    const options = { cwd: resolve(import.meta.dirname, '../..'), env: settings };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(typed);
  });
}

test('lists every command in Italian help and prints the package’s version', async () => {
  const [help, version, nothing] = await Promise.all([run(['--help']), run(['--version']), run([])]);
  for (const name of ['start ', 'demo [--reset]', 'backup FILE', 'reset-password E-MAIL'])
    expect(help.stdout).toContain(`  ${name}`);
  expect(help.stdout).not.toMatch(/Usage|Options|Commands|\[options\]|display/);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Comandi:') });
});

test.each([
  [['backup'], 'Manca qualcosa: FILE.'],
  [['begin'], 'Il comando «begin» non esiste.'],
  [['restore', 'a.zip', 'b.zip'], 'C’è un argomento di troppo.'],
])('refuses %j with one sentence', async (args, sentence) => {
  const stderr = `${sentence} Con --help vedi i comandi e le opzioni.\n`;
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
});

describe('message for a failed start', () => {
  const NO_DATABASE = 'Not a database. '.repeat(1_000);

  /** Command, files in its folder, settings, expected message and remedy. `D` is the folder. */
  type Row = [string, Record<string, string | null>, Record<string, string>, string, RegExp];
  test.each<Row>([
    ['start', { file: '' }, { DATA_DIR: 'D/file/data' }, "D/file/data can't be used", /set DATA_DIR to/],
    ['start', {}, { PORT: 'abc' }, 'PORT: ', /./],
    ['start', { 'sorpresa.db': null }, {}, "D/sorpresa.db can't be opened", /must be a file/],
    [
      'start',
      {},
      { DATABASE_URL: 'postgres://anna:segreto@127.0.0.1:1/s' },
      ' 127.0.0.1:1/s of DATABASE_URL',
      /./,
    ],
    ['demo', { 'demo.json': '{' }, {}, 'cut short', /--reset/],
    ['reset-password a@b.example', { 'sorpresa.db': NO_DATABASE }, {}, "D/sorpresa.db can't be", /restore a/],
  ])('explains why %s fails on %o with %o', async (command, files, env, message, remedy) => {
    const data = join(folder, crypto.randomUUID());
    await mkdir(data, { mode: 0o700 });
    for (const [name, content] of Object.entries(files))
      await (content === null ? mkdir(join(data, name)) : writeFile(join(data, name), content));
    const filled = (text: string) => text.replace(/^D\//, `${data}/`);
    const settings = Object.entries({ DATA_DIR: 'D/', ...env }).map(([name, value]) => [name, filled(value)]);
    const { code, stderr } = await run(command.split(' '), Object.fromEntries(settings));
    expect(stderr).toContain(filled(message));
    expect(stderr).toMatch(remedy);
    expect(stderr).not.toContain('segreto');
    // One line, without a stack.
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  test('refuses to mark a surprise that the demo did not create', async () => {
    const DATA_DIR = join(folder, 'own');
    const own = await startServer({ dataDir: DATA_DIR });
    await signUp(own);
    await own.stop();
    const { code, stderr } = await run(['demo'], { DATA_DIR });
    expect(stderr).toMatch(/the demo did not make it.*a DATA_DIR of its own/);
    expect([code, existsSync(join(DATA_DIR, 'demo.json'))]).toEqual([1, false]);
  });
});

test('prints one line per check of the doctor, exits with the result, and changes nothing', async () => {
  const absent = join(folder, 'absent');
  const [good, bad] = await Promise.all([
    run(['doctor'], { DATA_DIR: absent, PUBLIC_URL: 'https://sorpresa.example' }),
    run(['doctor'], { PORT: 'abc' }),
  ]);
  expect(good.stdout).toContain('✓ Film, canzoni e immagini si possono preparare.\n');
  expect(good.stdout).toContain('✓ La sorpresa si apre a https://sorpresa.example.\n');
  expect(good.stdout).toMatch(/^[^✗]*\n\nQui può funzionare tutto\.\n$/);
  expect([good.code, existsSync(absent)]).toEqual([0, false]);
  expect(bad.stdout).toMatch(/✗ Le impostazioni: .*PORT: .*\n\nCosì non va: vedi i punti con ✗\.\n$/s);
  expect(bad.code).toBe(1);
});

/**
 * A real terminal, provided by util-linux's `script`: typed keys aren't shown, and an interrupted command changes
 * nothing.
 */
describe('terminal', () => {
  const PASSPHRASE = 'perché no, una frase tutta mia';
  const EMAIL = 'chi.prepara@example.org';
  const OLD = 'canarino-giallo-8472';
  const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await sqliteDatabase();
    await post(await authOn(database), '/sign-up/email', { email: EMAIL, password: OLD });
  });
  afterAll(() => database.drop());
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

  /** Answers each question, which ends in a colon, with the next of these keys. */
  async function ask(args: string[], keys: string[], dataDir = database.env.DATA_DIR) {
    const command = [process.execPath, program, ...args].map(quoted).join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      env: { ...PROCESS_ENV, DATA_DIR: dataDir },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    const left = [...keys];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.endsWith(': ')) child.stdin.write(left.shift() ?? CTRL_C);
    });
    const code = await new Promise((done, failed) => child.once('error', failed).once('close', done));
    for (const key of keys.filter((typed) => typed.length > 1)) expect(output).not.toContain(key.trim());
    return { code, output: output.replaceAll('\r\n', '\n'), left };
  }

  test('encrypts a backup with a passphrase typed twice, and restores it only with that one', async () => {
    const file = join(folder, 'sealed.zip');
    const saved = await ask(['backup', file], [`${PASSPHRASE}\r`, `${PASSPHRASE}\r`]);
    expect(saved).toMatchObject({ code: 0, left: [] });
    expect(await isEncryptedFile(file)).toBe(true);
    const restored = async (key: string) => {
      const place = join(folder, crypto.randomUUID());
      const { code } = await ask(['restore', file], [key], place);
      return [code, existsSync(join(place, 'sorpresa.db'))];
    };
    const ends = [CTRL_C, 'non è questa, no no\r', `${PASSPHRASE}\r`].map(restored);
    expect(await Promise.all(ends)).toEqual([
      [1, false],
      [1, false],
      [0, true],
    ]);
  });

  test('sets a password without showing it, and keeps the old one if interrupted', async () => {
    const status = async (password: string) =>
      (await post(await authOn(database), '/sign-in/email', { email: EMAIL, password })).status;
    const output = `${resetPasswordTexts.prompt}\n${interruptedText}\n`;
    for (const key of [CTRL_C, CTRL_D])
      expect(await ask(['reset-password', EMAIL], [key])).toEqual({ code: 1, output, left: [] });
    expect(await status(OLD)).toBe(200);
    expect((await ask(['reset-password', EMAIL], ['una nuova, più lunga\r'])).code).toBe(0);
    expect([await status('una nuova, più lunga'), await status(OLD)]).toEqual([200, 401]);
  });
});

describe('doctor', () => {
  const HOST = '127.0.0.1';
  const finding = (mark: string, text: string) => ({ mark, text: expect.stringContaining(text) as string });

  let folder: string;
  /** The product, with a data folder of this version. */
  let product: TestServer;
  let productPort: number;
  /** Another program, which occupies a port. */
  let other: Server;
  let otherPort: number;
  beforeAll(async () => {
    folder = await newFolder();
    product = await startServer({ dataDir: join(folder, 'ours') });
    productPort = Number(new URL(product.url).port);
    other = createServer((_request, response) => response.end('other'));
    await new Promise<void>((listening) => other.listen(0, HOST, listening));
    otherPort = (other.address() as AddressInfo).port;
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(async () => {
    await product.stop();
    other.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('rates Node, the disk and the address as good, noted or bad', () => {
    expect(checkNode('24.0.1')).toEqual({ mark: 'good', text: 'Node 24.0.1.' });
    expect(checkNode('20.19.0')).toEqual(finding('bad', 'troppo vecchio'));
    const gigabytes = (count: number) => checkDisk({ DATA_DIR: folder }, count * 1e9);
    expect(gigabytes(50)).toEqual({ mark: 'good', text: 'Spazio libero sul disco: 50 GB.' });
    expect(gigabytes(1.5)).toMatchObject({ mark: 'note' });
    expect(gigabytes(0.05)).toEqual(finding('bad', 'troppo poco'));
    for (const [PUBLIC_URL, mark] of [
      [undefined, 'note'],
      ['https://localhost', 'note'],
      ['http://sorpresa.example', 'note'],
      ['https://sorpresa.example', 'good'],
    ])
      expect(checkAddress({ PUBLIC_URL }), PUBLIC_URL).toMatchObject({ mark });
  });

  test('rates the data folder as good if it is usable or can be created, and bad if it is a file', async () => {
    expect(checkFolder({ DATA_DIR: folder })).toMatchObject({ mark: 'good' });
    expect(checkFolder({ DATA_DIR: join(folder, 'a/b') })).toEqual(
      finding('good', 'la cartella viene creata al primo avvio'),
    );
    await writeFile(join(folder, 'file'), '');
    expect(checkFolder({ DATA_DIR: join(folder, 'file') })).toEqual(finding('bad', 'non è una cartella'));
  });

  test('rates data of this version or none as good, older as noted, newer or unreadable as bad', async () => {
    const data = (DATA_DIR: string, DATABASE_URL?: string) => checkData({ DATA_DIR, DATABASE_URL });
    expect(await data(folder)).toEqual({ mark: 'good', text: 'Non ci sono ancora dati.' });
    const ownResult = await data(product.deps.env.DATA_DIR);
    expect(ownResult).toEqual({ mark: 'good', text: 'I dati sono di questa versione.' });
    const { dataDir } = await oldFolder('0.1.0');
    expect(await data(dataDir)).toEqual(finding('note', 'il prossimo avvio ne fa una copia'));
    const database = new DatabaseSync(join(dataDir, 'sorpresa.db'));
    database.exec("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')");
    database.close();
    expect(await data(dataDir)).toEqual(finding('bad', 'più recente'));
    await writeFile(join(dataDir, 'sorpresa.db'), 'Not a database. '.repeat(1_000));
    expect(await data(dataDir)).toEqual(finding('bad', 'restore a backup'));
    expect(await data(dataDir, 'postgres://a:b@127.0.0.1:1/c')).toEqual(finding('bad', 'DATABASE_URL'));
    await rm(dataDir, { recursive: true });
  });

  test('rates the port as good if free, noted if the product uses it, bad if another program does', async () => {
    expect(await checkPort({ HOST, PORT: 0 })).toMatchObject({ mark: 'good' });
    expect(await checkPort({ HOST, PORT: productPort })).toEqual(finding('note', 'già in funzione'));
    expect(await checkPort({ HOST, PORT: otherPort })).toEqual(finding('bad', 'set PORT to another one'));
  });

  test('requires for its own certificate that the name leads here, and two ports that are free or its own', async () => {
    const env = { HOST, PORT: 1, HTTP_PORT: 0, HTTPS_PORT: 0, HTTPS_DOMAIN: ['sorpresa.example'] };
    const leadsTo = (...addresses: string[]) => vi.spyOn(dns, 'resolve4').mockResolvedValue(addresses);
    vi.spyOn(dns, 'resolve6').mockResolvedValue([]);
    expect(await checkHttpsPorts({ ...env, HTTPS_DOMAIN: undefined })).toEqual([]);
    leadsTo('127.0.0.1');
    expect((await checkHttpsPorts(env)).map(({ mark }) => mark)).toEqual(['good', 'good', 'good']);
    const occupied = `La porta ${otherPort} la sta già usando un altro programma`;
    const taken = { ...env, HTTP_PORT: otherPort };
    expect((await checkHttpsPorts(taken))[0]).toEqual(finding('bad', occupied));
    expect((await checkHttpsPorts({ ...taken, PORT: productPort }))[0]).toMatchObject({ mark: 'note' });
    leadsTo('127.0.0.9');
    const name = (await checkHttpsPorts(env)).at(-1);
    expect(name).toEqual(finding('bad', 'sorpresa.example porta a 127.0.0.9'));
  });
});

test('prints the setup code only if there is no administrator', async () => {
  const dataDir = join(folder, 'printed');
  const printed = /^Codice di installazione: [2-9A-HJ-NP-Z]{8} /m;
  const first = await spawnBundled({ dataDir });
  await expect.poll(first.output).toMatch(printed);
  await signUp(first);
  await first.end('SIGTERM');
  const second = await spawnBundled({ dataDir });
  await second.end('SIGTERM');
  expect(second.output()).not.toMatch(printed);
});

describe('reset-password', () => {
  const EMAIL = 'chi.prepara@example.org';
  const PASSWORD = 'canarino-giallo-8472';
  let database: TestDatabase;
  let auth: TestAuth;
  let cookie: string;
  beforeEach(async () => {
    database = await sqliteDatabase();
    auth = await authOn(database);
    ({ cookie } = await post(auth, '/sign-up/email', { email: EMAIL, password: PASSWORD }));
  });
  afterEach(() => database.drop());

  /** Runs `sorpresa reset-password` while the database is open. */
  async function reset(args: string[], typed: string, env: object = database.env) {
    const { code, stdout, stderr } = await run(['reset-password', ...args], env, typed);
    return { code, output: `${stdout}${stderr}` };
  }
  const statusOf = async (password: string, address: string) =>
    (await post(auth, '/sign-in/email', { email: EMAIL, password }, { address })).status;

  test('changes the password, ends every session and accepts the new one at once', async () => {
    for (let i = 0; i < 5; i += 1) expect(await statusOf('indovino?', '10.0.1.1')).toBe(401);
    const typed = await reset([` ${EMAIL.toUpperCase()}`], 'una nuova, più lunga\n');
    expect(typed.code, typed.output).toBe(0);
    expect(typed.output).not.toContain('una nuova');
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 0 });
    expect((await ask(auth, '/get-session', undefined, { cookie })).body).toBeNull();
    expect(await statusOf('una nuova, più lunga', '10.0.1.1')).toBe(200);
    expect(await statusOf(PASSWORD, '10.0.1.3')).toBe(401);
    const made = await reset([EMAIL], '');
    const password = /Nuova password: (\S+)/.exec(made.output)?.[1] ?? '';
    expect(made.code, made.output).toBe(0);
    expect(await statusOf(password, '10.0.1.4')).toBe(200);
  });

  test('refuses a weak password, an unknown e-mail and a missing database, and changes nothing', async () => {
    const typed = 'una nuova, più lunga\n';
    const elsewhere = `${database.env.DATA_DIR}/none`;
    const [weak, unknown, noEmail, none] = await Promise.all([
      reset([EMAIL], 'corta\n'),
      reset(['nessuno@example.org'], typed),
      reset([], ''),
      reset([EMAIL], typed, { DATA_DIR: elsewhere }),
    ]);
    expect(weak).toEqual({ code: 1, output: `${errorSentences.WEAK_PASSWORD}\n` });
    expect([unknown.code, noEmail.code, none.code]).toEqual([1, 2, 1]);
    expect(none.output).toContain(elsewhere);
    expect(none.output).toContain('indica con DATA_DIR la cartella che usa il server');
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 1 });
    expect(await statusOf(PASSWORD, '10.0.0.9')).toBe(200);
  });
});
