import { randomBytes, randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import { cookieIdOf } from '../../src/server/http/request-context.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS } from './evenings.ts';
import { type LiveChannel, listenAt } from './event-source.ts';
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

let server: SpawnedServer;
let telegram: TelegramServer;
let postgres: OwnPostgres;
let cookieId: string;

const WAIT_OPTIONS = { timeout: 60_000, interval: 20 };

type Stage = { server: SpawnedServer; dataDir: string; telegram: TelegramServer; postgres: OwnPostgres };

/** Runs a complete evening on this stage, with all its possible failures. */
export async function playEvening(stage: Stage): Promise<void> {
  ({ server, telegram, postgres } = stage);
  cookieId = cookieIdOf(await loadSecret(stage.dataDir, 'auth'));
  await registerAdministrator();
  await administratorPrepares();
  const watched = await administratorWatches();
  await visitorsEnter();
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
  const answer = await call(server.url, method, path, body, {
    ...(cookie === undefined ? {} : { cookie: `${name}=${cookie}` }),
    ...sending,
  });
  const value = new RegExp(`${name}=([^;]{16,})`).exec(answer.cookie)?.[1];
  if (value !== undefined && actor !== 'nobody') cookies[actor].push(value);
  const headers = [...answer.headers].map((header) => header.join(': ')).join('\n');
  replies.push({ actor, what: `${method} ${path}`, reply: `${answer.status}\n${headers}\n${answer.text}` });
  return answer;
}

async function registerAdministrator(): Promise<void> {
  const signUp = { email, password: passwords.first };
  await ask('nobody', 'POST', '/auth/sign-up/email', { ...signUp, setup_code: passwords.wrong });
  await ask('admin', 'POST', '/auth/sign-up/email', { ...signUp, setup_code: setupCode });
  await ask('nobody', 'POST', '/auth/sign-up/email', { ...signUp, setup_code: setupCode });
  await ask('nobody', 'POST', '/auth/sign-in/email', { email, password: passwords.wrong });
  await ask('nobody', 'POST', '/auth/sign-in/email', {
    email: passwords.wrong,
    password: passwords.first,
    more: 1,
  });
  await ask('admin', 'POST', '/auth/change-password', {
    currentPassword: passwords.first,
    newPassword: passwords.second,
  });
  const elsewhere = { headers: { 'x-forwarded-for': '192.0.2.77' } };
  const signedIn = await ask(
    'admin',
    'POST',
    '/auth/sign-in/email',
    { email, password: passwords.second },
    elsewhere,
  );
  expect(signedIn.status).toBe(200);
  await ask('admin', 'GET', '/auth/get-session');
}

async function administratorPrepares(): Promise<void> {
  const { versione } = (await ask('admin', 'GET', '/admin/config')).body;
  const bot = { telegram_bot_token: botToken, telegram_chat_id: CHAT_ID, contatto: '@anna' };
  const fields = { ...FULL_CONFIGURATION, ...bot };
  await ask('nobody', 'PATCH', '/admin/config', { versione, fields });
  await ask('admin', 'PATCH', '/admin/config', { versione, fields: { ...bot, contatto: [botToken] } });
  await ask('admin', 'PATCH', '/admin/config', { versione, fields: { telegram_chat_id: botToken } });
  expect((await ask('admin', 'PATCH', '/admin/config', { versione, fields })).status).toBe(200);
  await ask('admin', 'PATCH', '/admin/config', { versione, fields });
  await ask('admin', 'GET', '/admin/config');
  await ask('admin', 'PATCH', '/admin/questions', { versione: 0, fields: FULL_QUESTIONS });
  for (const owner of ['she', 'other'] as const)
    codes[owner] = (await ask('admin', 'POST', '/admin/tokens', { nome: 'Per lei' })).body.token;
}

async function visitorsEnter(): Promise<void> {
  for (const who of ['she', 'other'] as const) {
    const entry = { token: codes[who], attempt_id: randomUUID(), device_id: `device-${who}` };
    expect((await ask(who, 'POST', '/access', entry)).status).toBe(200);
    await ask(who, 'POST', '/visit/resume', {});
  }
}

/** Sends codes in the right place and in every wrong one. */
async function guess(): Promise<void> {
  const entry = { attempt_id: randomUUID(), device_id: 'device-nobody' };
  const headers = { 'x-forwarded-for': '192.0.2.78' };
  for (const token of [...typed, codes.she]) {
    await ask('nobody', 'POST', '/access', { ...entry, token }, { headers });
    await ask('nobody', 'POST', '/access', `{"token":"${token}"`, { headers });
    await ask('nobody', 'POST', '/access', { ...entry, token, code: token }, { headers });
    await ask('nobody', 'GET', `/${token}`);
    await ask('nobody', 'GET', `/site?codice=${token}`, undefined, {
      headers: { referer: `${server.url}/?${token}` },
    });
    await ask('nobody', 'GET', `/media/${token.toLowerCase()}.mp4`, undefined, {
      cookie: `sid_${cookieId}=${token}${sign()}`,
    });
    await fetch(`${server.url}/${token}?${token}`, { headers: { 'user-agent': token } });
  }
}

async function walkToTheEnd(): Promise<void> {
  let visit = (await ask('she', 'POST', '/visit/resume', {})).body;
  while (!visit.complete || visit.position.step < visit.stages.length - 1) {
    const { stage, viaggio } = visit.stages[visit.position.step];
    if (stage === 'questions') {
      await ask('she', 'POST', '/visit/answers', { viaggio, risposta_1: true, risposta_2: false });
      await ask('she', 'POST', '/visit/answers', { viaggio, risposta_1: false, risposta_2: false });
    }
    visit = (
      await ask('she', 'POST', '/visit/position', { step: visit.position.step + 1, phrase: 0, second: 0 })
    ).body;
    await ask('other', 'POST', '/visit/heartbeat', {});
  }
  await ask('she', 'POST', '/visit/complete', {});
  await ask('admin', 'GET', '/admin/tokens');
}

/** Makes messages fail in every way. The bot token is in the address of each request, and failures are logged. */
async function messagesFail(): Promise<void> {
  await vi.waitUntil(
    () => telegram.messages.some(({ text }) => text.includes('primo viaggio')),
    WAIT_OPTIONS,
  );
  const faults = [
    { kind: 'status', status: 401, description: `Unauthorized ${botToken}` },
    { kind: 'closed' },
    { kind: 'html' },
    { kind: 'redirect', to: `${telegram.root}/bot${botToken}/sendMessage` },
  ] as const;
  for (const fault of faults) {
    telegram.fail(fault);
    const before = telegram.requests;
    await ask('other', 'POST', '/visit/error', { kind: 'video' });
    await vi.waitUntil(() => telegram.requests > before, WAIT_OPTIONS);
    expect((await ask('admin', 'POST', '/admin/notifications/test', {})).body.sent).toBe(false);
    await ask('admin', 'GET', '/admin/notifications');
    expect((await ask('admin', 'POST', '/admin/notifications/chats', {})).body.problema).not.toBeNull();
    // A delivered message ends the backoff that grows with each failure.
    telegram.fail({ kind: 'none' });
    expect((await ask('admin', 'POST', '/admin/notifications/test', {})).body.sent).toBe(true);
  }
}

const administratorsCookie = () => `sorpresa_${cookieId}.session_token=${cookies.admin.at(-1)}`;

function administratorWatches(): Promise<LiveChannel> {
  return listenAt(`${server.url}/api/admin/events`, administratorsCookie());
}

/** Reads every record and every page. */
async function administratorLooks(): Promise<void> {
  const { id, max_accessi, scadenza } = (await ask('admin', 'GET', '/admin/tokens')).body[0];
  await ask('admin', 'POST', `/admin/tokens/${id}/accesses`, { max_accessi });
  await ask('admin', 'POST', `/admin/tokens/${id}/extension`, { giorni: 1, scadenza });
  for (const records of ['dashboard', 'sessions', 'logs', 'logs.csv', 'answers', 'notifications', 'config'])
    expect((await ask('admin', 'GET', `/admin/${records}`)).status).toBe(200);
  for (const page of ['', '/admin', '/admin/dashboard', '/admin/notifiche', '/admin/preview']) {
    const response = await fetch(`${server.url}${page}`, {
      headers: { cookie: administratorsCookie() },
    });
    replies.push({ actor: 'admin', what: `page ${page}`, reply: await response.text() });
  }
}

async function databaseGoes(): Promise<void> {
  await postgres.crash();
  const entry = { token: codes.she, attempt_id: randomUUID(), device_id: 'device-nobody' };
  // In parallel: each waits for a database connection until none is available.
  await Promise.all([
    ask('nobody', 'POST', '/access', entry),
    ask('other', 'POST', '/visit/resume', {}),
    ask('admin', 'GET', '/admin/tokens'),
    ask('nobody', 'POST', '/auth/sign-in/email', { email, password: passwords.second }),
  ]);
  await postgres.start();
}
