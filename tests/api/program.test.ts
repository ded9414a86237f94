import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PROCESS_ENV } from '../support/process-env.ts';

const PROGRAM = resolve(import.meta.dirname, '../../src/program/sorpresa.ts');

type Ended = { code: number; stdout: string; stderr: string };

/** Runs the program to its end, in a folder where it finds nothing. */
function run(...args: string[]): Promise<Ended> {
  const options = { cwd: join(PROGRAM, '../../texts'), env: PROCESS_ENV, timeout: 15_000 };
  return new Promise((done) => {
    execFile(process.execPath, [PROGRAM, ...args], options, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test('the help names every command, in Italian', async () => {
  const { code, stdout } = await run('--help');
  expect(code).toBe(0);
  for (const line of [
    'Uso: sorpresa COMANDO',
    '  start ',
    '  demo [--reset]',
    '  backup FILE',
    '  restore FILE',
  ])
    expect(stdout).toContain(line);
  for (const line of ['  reset-password E-MAIL', '  doctor ']) expect(stdout).toContain(line);
  expect(stdout).not.toMatch(/Usage|Options|Commands|\[options\]|display/);
});

test('the version is the package’s', async () => {
  expect(await run('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});

test('without a command the help is told', async () => {
  expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining('Comandi:') });
});

test.each([
  [['backup'], 'Manca qualcosa: FILE.'],
  [['reset-password'], 'Manca qualcosa: E-MAIL.'],
  [['begin'], 'Non c’è nessun comando «begin».'],
  [['start', '--loud'], 'Non c’è nessuna opzione «--loud».'],
  [['restore', 'a.zip', 'b.zip'], 'C’è un argomento di troppo.'],
])('%j is refused in a sentence', async (args, sentence) => {
  expect(await run(...args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `${sentence} Con --help si vede che cosa c’è.\n`,
  });
});
