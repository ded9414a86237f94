import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../../demo/admin-client.ts';
import { isSealed } from '../../src/server/features/archive/sealed-file.ts';
import { backupTexts, interruptedText, resetPasswordTexts, restoreTexts } from '../../src/texts/commands.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { authOn, post } from '../support/auth.ts';
import { bundledProgram } from '../support/bundled.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

/** The program's commands as processes: what they refuse in a sentence, and what they ask at a terminal. */

let folder: string;
let program: string;
beforeAll(async () => {
  [folder, program] = await Promise.all([newFolder(), bundledProgram()]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Ended = { code: number; stdout: string; stderr: string };
/** Runs one of the commands to its end. */
function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const settings = { ...PROCESS_ENV, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', ...env };
  return new Promise((done) => {
    const options = { cwd: resolve(import.meta.dirname, '../..'), env: settings };
    const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

test('the help names every command in Italian, the version is the package’s', async () => {
  const [help, version, nothing] = await Promise.all([run(['--help']), run(['--version']), run([])]);
  const commands = [
    'start ',
    'demo [--reset]',
    'backup FILE',
    'restore FILE',
    'reset-password E-MAIL',
    'doctor ',
  ];
  for (const line of ['Uso: sorpresa COMANDO', ...commands.map((name) => `  ${name}`)])
    expect(help.stdout).toContain(line);
  expect(help.stdout).not.toMatch(/Usage|Options|Commands|\[options\]|display/);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Comandi:') });
});

test.each([
  [['backup'], 'Manca qualcosa: FILE.'],
  [['reset-password'], 'Manca qualcosa: E-MAIL.'],
  [['begin'], 'Non c’è nessun comando «begin».'],
  [['start', '--loud'], 'Non c’è nessuna opzione «--loud».'],
  [['restore', 'a.zip', 'b.zip'], 'C’è un argomento di troppo.'],
])('%j is refused in a sentence', async (args, sentence) => {
  const stderr = `${sentence} Con --help si vede che cosa c’è.\n`;
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
});

describe('one sentence says what is wrong and what to do', () => {
  let taken: TestServer;
  beforeAll(async () => {
    taken = await startServer();
  });
  afterAll(() => taken.stop());
  const NO_DATABASE = 'Not a database. '.repeat(1_000);
  const port = () => new URL(taken.url).port;

  /** Command; what lies in its folder; its settings; what is said. `D` is the folder, `P` a port that is taken. */
  type Row = [string, Record<string, string | null>, Record<string, string>, string, RegExp];
  test.each<Row>([
    [
      'start',
      { file: '' },
      { DATA_DIR: 'D/file/data' },
      "D/file/data can't be used",
      /set DATA_DIR to another/,
    ],
    [
      'demo',
      { file: '' },
      { DATA_DIR: 'D/file/data' },
      "D/file/data can't be used",
      /set DATA_DIR to another/,
    ],
    ['start', { media: '' }, {}, "D/media can't be used", /move it away/],
    ['start', { uploads: '' }, {}, "D/uploads can't be used", /move it away/],
    ['start', {}, { PORT: 'abc' }, 'PORT: ', /./],
    ['start', { 'sorpresa.db': null }, {}, "The database D/sorpresa.db can't be opened", /must be a file/],
    [
      'start',
      { 'sorpresa.db': NO_DATABASE },
      {},
      "The database D/sorpresa.db can't be opened",
      /restore a backup/,
    ],
    [
      'start',
      {},
      { DATABASE_URL: 'postgres://anna:segreto@127.0.0.1:1/s' },
      'The database 127.0.0.1:1/s of DATABASE_URL can',
      /./,
    ],
    [
      'start',
      {},
      { HOST: '192.0.2.1' },
      "Can't listen on 192.0.2.1, port 0 (",
      /Set HOST to an address of this/,
    ],
    ['demo', {}, { PORT: 'P' }, "Can't listen on 127.0.0.1, port P (", /set PORT to another one/],
    ['demo', { 'demo.json': '{' }, {}, 'cut short', /--reset/],
    ['backup x', {}, { DATABASE_URL: 'postgres://a b' }, 'DATABASE_URL: ', /postgres:\/\/user:password@host/],
    [
      'restore x',
      {},
      { DATABASE_URL: 'postgres://a b' },
      'DATABASE_URL: ',
      /postgres:\/\/user:password@host/,
    ],
    [
      'reset-password x',
      {},
      { DATABASE_URL: 'postgres://a b' },
      'DATABASE_URL: ',
      /postgres:\/\/user:password/,
    ],
    [
      'reset-password a@b.example',
      { 'sorpresa.db': NO_DATABASE },
      {},
      "D/sorpresa.db can't be opened",
      /restore a/,
    ],
  ])('%s, on %o with %o', async (command, files, env, said, remedy) => {
    const data = join(folder, crypto.randomUUID());
    await mkdir(data, { mode: 0o700 });
    for (const [name, content] of Object.entries(files))
      await (content === null ? mkdir(join(data, name)) : writeFile(join(data, name), content));
    const filled = (text: string) => text.replace(/^D\/|(?<= )D\//, `${data}/`).replace(/\bP\b/, port());
    const settings = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    const { code, stderr } = await run(command.split(' '), { DATA_DIR: data, ...settings });
    expect(stderr).toContain(filled(said));
    expect(stderr).toMatch(remedy);
    expect(stderr).not.toContain('segreto');
    // On one line, and no stack.
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  test('where the demo would mark a surprise that isn’t its own', async () => {
    const DATA_DIR = join(folder, 'own');
    const own = await startServer({ dataDir: DATA_DIR });
    await signUp(own.url, { email: 'anna@sorpresa.example', password: 'una-sera-a-giugno' });
    await own.stop();
    const { code, stderr } = await run(['demo'], { DATA_DIR });
    expect(stderr).toMatch(/the demo did not make it.*a DATA_DIR of its own/);
    expect([code, existsSync(join(DATA_DIR, 'demo.json'))]).toEqual([1, false]);
  });
});

test('the doctor says each thing in a line, ends by what it found, and touches nothing', async () => {
  const absent = join(folder, 'absent');
  const [good, bad] = await Promise.all([
    run(['doctor'], { DATA_DIR: absent, PUBLIC_URL: 'https://sorpresa.example' }),
    run(['doctor'], { PORT: 'abc' }),
  ]);
  expect(good.stdout).toContain('✓ Film, canzoni e immagini si possono lavorare.\n');
  expect(good.stdout).toContain('✓ Lei apre https://sorpresa.example.\n');
  expect(good.stdout).toMatch(/^[^✗]*\n\nQui può funzionare tutto\.\n$/);
  expect([good.code, existsSync(absent)]).toEqual([0, false]);
  expect(bad.stdout).toMatch(/✗ Le impostazioni: .*PORT: .*\n\nCosì non va: vedi i punti con ✗\.\n$/s);
  expect(bad.code).toBe(1);
});

/** A real terminal (util-linux's `script` lends it): the keys aren't shown, and who thinks better of it has done nothing. */
describe('at a terminal', () => {
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
  const newFile = () => join(folder, `${crypto.randomUUID()}.zip`);
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

  /** Each question, which ends in a colon, is answered with the next of these keys. */
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

  test('a copy is sealed with what was typed twice, and opens with that alone', async () => {
    const file = newFile();
    const saved = await ask(['backup', file], [`${PASSPHRASE}\r`, `${PASSPHRASE}\r`]);
    const output = `${backupTexts.prompt}\n${backupTexts.again}\n${backupTexts.done(file, 0, true)}\n`;
    expect(saved).toEqual({ code: 0, output, left: [] });
    expect(await isSealed(file)).toBe(true);
    const restored = async (key: string) => {
      const place = join(folder, crypto.randomUUID());
      const { code, output: said } = await ask(['restore', file], [key], place);
      expect(said).toContain(restoreTexts.prompt);
      return { code, said, files: existsSync(place) ? await readdir(place) : null };
    };
    const [broken, wrong, opened] = await Promise.all(
      [CTRL_C, 'non è questa, no no\r', `${PASSPHRASE}\r`].map(restored),
    );
    expect(broken).toEqual({ code: 1, said: `${restoreTexts.prompt}\n${interruptedText}\n`, files: null });
    expect([wrong?.code, wrong?.files?.includes('sorpresa.db') ?? false]).toEqual([1, false]);
    expect([opened?.code, opened?.files?.includes('sorpresa.db')]).toEqual([0, true]);
  });

  test('a copy is open with Enter alone, and none where what was typed differs, is short or broken off', async () => {
    const file = newFile();
    const output = `${backupTexts.prompt}\n${backupTexts.done(file, 0, false)}\n`;
    expect(await ask(['backup', file], ['\r'])).toEqual({ code: 0, output, left: [] });
    expect(await isSealed(file)).toBe(false);
    const refused: [string[], string][] = [
      [[`${PASSPHRASE}\r`, `${PASSPHRASE}!\r`], backupTexts.differ],
      [['breve\r', 'breve\r'], errorSentences.PASSPHRASE_SHORT],
      [[CTRL_C], interruptedText],
      [[`${PASSPHRASE}\r`, CTRL_C], interruptedText],
    ];
    for (const [keys, sentence] of refused) {
      const none = newFile();
      const { code, output: said, left } = await ask(['backup', none], keys);
      expect([code, said.split('\n').at(-2), left, existsSync(none)]).toEqual([1, sentence, [], false]);
    }
  });

  test('a password is set unseen; broken off, the old one stays', async () => {
    const auth = await authOn(database);
    const status = async (password: string) =>
      (await post(auth, '/sign-in/email', { email: EMAIL, password }, { address: '10.0.2.1' })).status;
    const { prompt, done } = resetPasswordTexts;
    for (const key of [CTRL_C, CTRL_D])
      expect(await ask(['reset-password', EMAIL], [key])).toEqual({
        code: 1,
        output: `${prompt}\n${interruptedText}\n`,
        left: [],
      });
    expect(await status(OLD)).toBe(200);
    const set = await ask(['reset-password', EMAIL], ['una nuova, più lunga\r']);
    expect(set).toMatchObject({ code: 0, output: `${prompt}\n${done}\n` });
    expect([await status('una nuova, più lunga'), await status(OLD)]).toEqual([200, 401]);
  });
});
