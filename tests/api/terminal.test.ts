import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isSealed } from '../../src/server/features/archive/sealed-file.ts';
import { backupTexts, interruptedText, resetPasswordTexts, restoreTexts } from '../../src/texts/commands.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { authOn, post } from '../support/auth.ts';
import { bundledProgram } from '../support/bundled.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder } from '../support/server.ts';

/** What is asked at a terminal, a real one (util-linux's `script` lends it): the keys aren't shown, and whoever thinks better of it has done nothing. */

const PASSPHRASE = 'perché no, una frase tutta mia';
const EMAIL = 'chi.prepara@example.org';
const OLD = 'canarino-giallo-8472';
const [CTRL_C, CTRL_D] = ['\u0003', '\u0004'];

let database: TestDatabase;
let folder: string;
let file: string;
beforeAll(async () => {
  database = await sqliteDatabase();
  folder = await newFolder();
  await post(await authOn(database), '/sign-up/email', { email: EMAIL, password: OLD });
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  file = join(folder, `${crypto.randomUUID()}.zip`);
});

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** Runs a command at a terminal. Each question, which ends in a colon, is answered with the next of these keys. */
async function ask(args: string[], keys: string[], dataDir = database.env.DATA_DIR) {
  const command = [process.execPath, await bundledProgram(), ...args].map(quoted).join(' ');
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

test('a copy is sealed with what was typed twice, and opens with it; a restore that is broken off has made nothing', async () => {
  const saved = await ask(['backup', file], [`${PASSPHRASE}\r`, `${PASSPHRASE}\r`]);
  expect(saved).toEqual({
    code: 0,
    output: `${backupTexts.prompt}\n${backupTexts.again}\n${backupTexts.done(file, 0, true)}\n`,
    left: [],
  });
  expect(await isSealed(file)).toBe(true);
  const broken = await ask(['restore', file], [CTRL_C], join(folder, 'broken'));
  expect(broken).toMatchObject({ code: 1, output: `${restoreTexts.prompt}\n${interruptedText}\n` });
  expect(existsSync(join(folder, 'broken'))).toBe(false);
  const wrong = await ask(['restore', file], ['non è questa, no no\r'], join(folder, 'wrong'));
  expect(wrong).toMatchObject({ code: 1, left: [] });
  expect(existsSync(join(folder, 'wrong', 'sorpresa.db'))).toBe(false);
  const opened = await ask(['restore', file], [`${PASSPHRASE}\r`], join(folder, 'opened'));
  expect(opened).toMatchObject({ code: 0, output: expect.stringContaining(restoreTexts.prompt), left: [] });
  expect(existsSync(join(folder, 'opened', 'sorpresa.db'))).toBe(true);
});

test('with Enter alone the copy is open, and nothing is asked twice', async () => {
  expect(await ask(['backup', file], ['\r'])).toEqual({
    code: 0,
    output: `${backupTexts.prompt}\n${backupTexts.done(file, 0, false)}\n`,
    left: [],
  });
  expect(await isSealed(file)).toBe(false);
});

test.each([
  ['typed in two ways', [`${PASSPHRASE}\r`, `${PASSPHRASE}!\r`], backupTexts.differ],
  ['too short', ['breve\r', 'breve\r'], errorSentences.PASSPHRASE_SHORT],
  ['broken off', [CTRL_C], interruptedText],
  ['broken off the second time', [`${PASSPHRASE}\r`, CTRL_C], interruptedText],
])('%s: no copy', async (_what, keys, sentence) => {
  const { code, output, left } = await ask(['backup', file], keys);
  expect([code, output.split('\n').at(-2), left]).toEqual([1, sentence, []]);
  expect(existsSync(file)).toBe(false);
});

test('a password is set unseen; broken off, the old one stays', async () => {
  const auth = await authOn(database);
  const status = async (password: string) =>
    (await post(auth, '/sign-in/email', { email: EMAIL, password }, { address: '10.0.2.1' })).status;
  for (const key of [CTRL_C, CTRL_D])
    expect(await ask(['reset-password', EMAIL], [key])).toEqual({
      code: 1,
      output: `${resetPasswordTexts.prompt}\n${interruptedText}\n`,
      left: [],
    });
  expect(await status(OLD)).toBe(200);
  const set = await ask(['reset-password', EMAIL], ['una nuova, più lunga\r']);
  expect(set).toMatchObject({
    code: 0,
    output: `${resetPasswordTexts.prompt}\n${resetPasswordTexts.done}\n`,
  });
  expect(await status('una nuova, più lunga')).toBe(200);
  expect(await status(OLD)).toBe(401);
});
