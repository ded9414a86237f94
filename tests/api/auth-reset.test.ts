import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { errorSentences } from '../../src/texts/errors.ts';
import { ask, authOn, authTables, post } from '../support/auth.ts';
import { bundledProgram } from '../support/bundled.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { PROCESS_ENV } from '../support/process-env.ts';

const EMAIL = 'chi.prepara@example.org';
const OLD = 'canarino-giallo-8472';

/** Runs `sorpresa reset-password`, next to the open database. */
async function reset(env: object, args: string[], typed: string) {
  const child = spawn(process.execPath, [await bundledProgram(), 'reset-password', ...args], {
    env: { ...PROCESS_ENV, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  child.stdin.end(typed);
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}

describe('reset-password', () => {
  test('changes the password, ends every session and lets the right one in at once', async () => {
    const database = await sqliteDatabase();
    const auth = await authOn(database);
    const { cookie } = await post(auth, '/sign-up/email', { email: EMAIL, password: OLD });
    const signIn = (password: string, address: string) =>
      post(auth, '/sign-in/email', { email: EMAIL, password }, { address });
    for (let i = 0; i < 5; i += 1)
      expect(await signIn('indovino?', '10.0.1.1')).toMatchObject({ status: 401 });

    const typed = await reset(database.env, [` ${EMAIL.toUpperCase()}`], 'una nuova, più lunga\n');
    expect(typed.code, typed.output).toBe(0);
    expect(typed.output).not.toContain('una nuova');
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 0 });
    expect((await ask(auth, '/get-session', undefined, { cookie })).body).toBeNull();
    expect(await signIn('una nuova, più lunga', '10.0.1.1')).toMatchObject({ status: 200 });
    expect(await signIn(OLD, '10.0.1.3')).toMatchObject({ status: 401 });

    const made = await reset(database.env, [EMAIL], '');
    const password = /Nuova password: (\S+)/.exec(made.output)?.[1] ?? '';
    expect(made.code, made.output).toBe(0);
    expect(await signIn(password, '10.0.1.4')).toMatchObject({ status: 200 });
    await database.drop();
  });

  test('refuses a weak password and an unknown e-mail, and changes nothing', async () => {
    const database = await sqliteDatabase();
    const auth = await authOn(database);
    await post(auth, '/sign-up/email', { email: EMAIL, password: OLD });
    expect(await reset(database.env, [EMAIL], 'corta\n')).toMatchObject({
      code: 1,
      output: `${errorSentences.WEAK_PASSWORD}\n`,
    });
    expect(await reset(database.env, ['nessuno@example.org'], 'una nuova, più lunga\n')).toMatchObject({
      code: 1,
    });
    expect(await reset(database.env, [], '')).toMatchObject({ code: 2 });
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 1 });
    expect(
      await post(auth, '/sign-in/email', { email: EMAIL, password: OLD }, { address: '10.0.0.9' }),
    ).toMatchObject({ status: 200 });
    await database.drop();
  });
});

test('without a database the folder is named, and how to name the server’s', async () => {
  const database = await sqliteDatabase();
  const elsewhere = { ...database.env, DATA_DIR: `${database.env.DATA_DIR}/none` };
  const { code, output } = await reset(elsewhere, [EMAIL], 'una nuova, più lunga\n');
  expect(code).toBe(1);
  expect(output).toContain(elsewhere.DATA_DIR);
  expect(output).toContain('indica con DATA_DIR la cartella che usa il server');
  await database.drop();
});
