import { randomBytes, randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import { cookieIdOf } from '../../src/server/http/request-context.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS } from './evenings.ts';
import { listenAt } from './event-source.ts';
import { type Answered, call, type Sending } from './http.ts';
import type { OwnPostgres } from './own-postgres.ts';
import type { SpawnedServer } from './server.ts';
import { CHAT_ID, type TelegramServer } from './telegram.ts';

const sign = () => randomBytes(12).toString('hex');
const randomCode = () => `ROM-${randomBytes(4).toString('hex').toUpperCase()}`;

/** Unique secrets. If one is found in any output, it has leaked. */
export const canaries = {
  email: `anna-${sign()}@example.org`,
  passwords: { first: `prima ${sign()}`, second: `seconda ${sign()}`, wrong: `sbagliata ${sign()}` },
  setupCode: `installazione-${sign()}`,
  botToken: `123456789:${sign()}${sign()}`,
  /** Typed codes, which may differ from a real code by little. */
  typed: [randomCode(), randomCode(), randomCode()],
};
const { email, passwords, setupCode, botToken, typed } = canaries;

export type Actor = 'admin' | 'she' | 'other' | 'nobody';

/** Every reply, with its receiver. */
export const replies: { actor: Actor; what: string; reply: string }[] = [];
/** Codes and cookies by their owner. */
export const codes: Record<'she' | 'other', string> = { she: '', other: '' };
export const cookies: Record<'admin' | 'she' | 'other', string[]> = { admin: [], she: [], other: [] };

let stage: Stage;
let cookieId: string;

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };

type Stage = { server: SpawnedServer; dataDir: string; telegram: TelegramServer; postgres: OwnPostgres };

/** Runs a complete evening on this stage, with all its possible failures. */
export async function playEvening(on: Stage): Promise<void> {
  stage = on;
  cookieId = cookieIdOf(await loadSecret(stage.dataDir, 'auth'));
  await registerAdministrator();
  await administratorPrepares();
  const watched = await listenAt(`${stage.server.url}/api/admin/events`, administratorsCookie());
  for (const who of ['she', 'other'] as const) {
    const entry = { token: codes[who], attempt_id: randomUUID(), device_id: `device-${who}` };
    expect((await post(who, '/access', entry)).status).toBe(200);
    await post(who, '/visit/resume', {});
  }
  await guess();
  await walkToTheEnd();
  await messagesFail();
  await administratorLooks();
  replies.push({ actor: 'admin', what: 'GET /admin/events', reply: watched.text() });
  watched.close();
  await databaseGoes();
}

/** Sends a request and stores its reply: status, headers and body. Received cookies belong to the sender. */
async function ask(
  actor: Actor,
  method: string,
  path: string,
  body?: unknown,
  sending: Sending = {},
): Promise<Answered> {
  const cookie = actor === 'nobody' ? undefined : cookies[actor].at(-1);
  const name = actor === 'admin' ? `sorpresa_${cookieId}.session_token` : `sid_${cookieId}`;
  const answer = await call(stage.server.url, method, path, body, {
    ...(cookie === undefined ? {} : { cookie: `${name}=${cookie}` }),
    ...sending,
  });
  const value = new RegExp(`${name}=([^;]{16,})`).exec(answer.cookie)?.[1];
  if (value !== undefined && actor !== 'nobody') cookies[actor].push(value);
  const headers = [...answer.headers].map((header) => header.join(': ')).join('\n');
  replies.push({ actor, what: `${method} ${path}`, reply: `${answer.status}\n${headers}\n${answer.text}` });
  return answer;
}
const post = (actor: Actor, path: string, body: unknown, sending?: Sending) =>
  ask(actor, 'POST', path, body, sending);

async function registerAdministrator(): Promise<void> {
  const [signUp, signIn] = ['/auth/sign-up/email', '/auth/sign-in/email'];
  const account = { email, password: passwords.first };
  await post('nobody', signUp, { ...account, setup_code: passwords.wrong });
  await post('admin', signUp, { ...account, setup_code: setupCode });
  await post('nobody', signUp, { ...account, setup_code: setupCode });
  await post('nobody', signIn, { email, password: passwords.wrong });
  await post('nobody', signIn, { email: passwords.wrong, password: passwords.first, more: 1 });
  const change = { currentPassword: passwords.first, newPassword: passwords.second };
  await post('admin', '/auth/change-password', change);
  const elsewhere = { headers: { 'x-forwarded-for': '192.0.2.77' } };
  const signedIn = await post('admin', signIn, { email, password: passwords.second }, elsewhere);
  expect(signedIn.status).toBe(200);
  await ask('admin', 'GET', '/auth/get-session');
}

async function administratorPrepares(): Promise<void> {
  const save = (actor: Actor, fields: object) => ask(actor, 'PATCH', '/admin/config', { versione, fields });
  const { versione } = (await ask('admin', 'GET', '/admin/config')).body;
  const bot = { telegram_bot_token: botToken, telegram_chat_id: CHAT_ID, contatto: '@anna' };
  const fields = { ...FULL_CONFIGURATION, ...bot };
  await save('nobody', fields);
  await save('admin', { ...bot, contatto: [botToken] });
  await save('admin', { telegram_chat_id: botToken });
  expect((await save('admin', fields)).status).toBe(200);
  await save('admin', fields);
  await ask('admin', 'GET', '/admin/config');
  await ask('admin', 'PATCH', '/admin/questions', { versione: 0, fields: FULL_QUESTIONS });
  for (const owner of ['she', 'other'] as const)
    codes[owner] = (await post('admin', '/admin/tokens', { nome: 'Per lei' })).body.token;
}

/** Sends codes in the right place and in every wrong one. */
async function guess(): Promise<void> {
  const entry = { attempt_id: randomUUID(), device_id: 'device-nobody' };
  const headers = { 'x-forwarded-for': '192.0.2.78' };
  const { url } = stage.server;
  for (const token of [...typed, codes.she]) {
    await post('nobody', '/access', { ...entry, token }, { headers });
    await post('nobody', '/access', `{"token":"${token}"`, { headers });
    await post('nobody', '/access', { ...entry, token, code: token }, { headers });
    await ask('nobody', 'GET', `/${token}`);
    const referer = { headers: { referer: `${url}/?${token}` } };
    await ask('nobody', 'GET', `/site?codice=${token}`, undefined, referer);
    const cookie = `sid_${cookieId}=${token}${sign()}`;
    await ask('nobody', 'GET', `/media/${token.toLowerCase()}.mp4`, undefined, { cookie });
    await fetch(`${url}/${token}?${token}`, { headers: { 'user-agent': token } });
  }
}

async function walkToTheEnd(): Promise<void> {
  let visit = (await post('she', '/visit/resume', {})).body;
  while (!visit.complete || visit.position.step < visit.stages.length - 1) {
    const { step } = visit.position;
    const { stage: name, viaggio } = visit.stages[step];
    if (name === 'questions')
      for (const risposta_1 of [true, false])
        await post('she', '/visit/answers', { viaggio, risposta_1, risposta_2: false });
    visit = (await post('she', '/visit/position', { step: step + 1, phrase: 0, second: 0 })).body;
    await post('other', '/visit/heartbeat', {});
  }
  await post('she', '/visit/complete', {});
  await ask('admin', 'GET', '/admin/tokens');
}

/** Makes messages fail in every way. The bot token is in the address of each request, and failures are logged. */
async function messagesFail(): Promise<void> {
  const { telegram } = stage;
  await vi.waitUntil(
    () => telegram.messages.some(({ text }) => text.includes('primo viaggio')),
    WAIT_OPTIONS,
  );
  const faults = [
    { kind: 'status', status: 401, description: `Unauthorized ${botToken}` },
    { kind: 'closed' },
    { kind: 'redirect', to: `${telegram.root}/bot${botToken}/sendMessage` },
  ] as const;
  const test = () => post('admin', '/admin/notifications/test', {});
  for (const fault of faults) {
    telegram.fail(fault);
    const before = telegram.requests;
    await post('other', '/visit/error', { kind: 'video' });
    await vi.waitUntil(() => telegram.requests > before, WAIT_OPTIONS);
    expect((await test()).body.sent).toBe(false);
    await ask('admin', 'GET', '/admin/notifications');
    expect((await post('admin', '/admin/notifications/chats', {})).body.problema).not.toBeNull();
    // A delivered message ends the backoff that grows with each failure.
    telegram.fail({ kind: 'none' });
    expect((await test()).body.sent).toBe(true);
  }
}

const administratorsCookie = () => `sorpresa_${cookieId}.session_token=${cookies.admin.at(-1)}`;

/** Reads every record and every page. */
async function administratorLooks(): Promise<void> {
  const { id, max_accessi, scadenza } = (await ask('admin', 'GET', '/admin/tokens')).body[0];
  await post('admin', `/admin/tokens/${id}/accesses`, { max_accessi });
  await post('admin', `/admin/tokens/${id}/extension`, { giorni: 1, scadenza });
  for (const records of ['dashboard', 'sessions', 'logs', 'logs.csv', 'answers', 'notifications', 'config'])
    expect((await ask('admin', 'GET', `/admin/${records}`)).status).toBe(200);
  for (const page of ['', '/admin', '/admin/notifiche', '/admin/preview']) {
    const headers = { cookie: administratorsCookie() };
    const response = await fetch(`${stage.server.url}${page}`, { headers });
    replies.push({ actor: 'admin', what: `page ${page}`, reply: await response.text() });
  }
}

async function databaseGoes(): Promise<void> {
  await stage.postgres.crash();
  const entry = { token: codes.she, attempt_id: randomUUID(), device_id: 'device-nobody' };
  // In parallel: each waits for a database connection until none is available.
  await Promise.all([
    post('nobody', '/access', entry),
    post('other', '/visit/resume', {}),
    ask('admin', 'GET', '/admin/tokens'),
    post('nobody', '/auth/sign-in/email', { email, password: passwords.second }),
  ]);
  await stage.postgres.start();
}
