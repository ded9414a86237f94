import { onlineManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIVE_TOPICS, type LiveTopic } from '../../src/contract/admin/dashboard.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { api, queries } from '../../src/web/admin/api.ts';
import { messageOf } from '../../src/web/admin/failure.ts';
import { adminListener, refetchTopics } from '../../src/web/admin/live.ts';
import { createQueryClient } from '../../src/web/admin/query-client.ts';
import {
  duringSignOut,
  isSignedOut,
  isSignInPending,
  onSignInChange,
  settleSignIn,
} from '../../src/web/admin/signed-out.ts';
import { ApiError } from '../../src/web/api/failure.ts';

/** The administrator's API calls: requests, error mapping and waiting for a new sign-in. */

type Reply = () => Response | Promise<Response>;
const sent: { method: string; path: string; body: string; type: string | null }[] = [];
const received: Response[] = [];
let replies: Reply[];

const json = (status: number, body: unknown): Reply => {
  return () => Response.json(body, { status });
};
const refused = (status: number, codice: string, messaggio: string, more = {}) =>
  json(status, { codice, messaggio, ...more });
const signedOut = refused(401, 'SIGN_IN_REQUIRED', 'Sessione scaduta. Accedi di nuovo.');
const me = json(200, { email: 'marco@example.it' });

beforeEach(() => {
  sent.length = 0;
  received.length = 0;
  replies = [];
  vi.stubGlobal('location', { origin: 'https://sorpresa.example' });
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname;
    sent.push({
      method: request.method,
      path,
      body: await request.text(),
      type: request.headers.get('content-type'),
    });
    const reply = replies.shift();
    if (reply === undefined) throw new Error(`Nobody expected ${request.method} ${path}`);
    const response = await reply();
    received.push(response);
    return response;
  });
});
afterEach(() => {
  expect(replies).toEqual([]);
  expect(isSignInPending()).toBe(false);
  vi.unstubAllGlobals();
});

const dialogOpened = () =>
  new Promise<void>((resolve) => onSignInChange(() => isSignInPending() && resolve()));
const failure = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => (error instanceof ApiError ? error : expect.unreachable(String(error))),
  );

/** Makes a call that fails with SIGN_IN_REQUIRED and declines the sign-in dialog. Returns the call's error. */
async function declinedCall(): Promise<ApiError> {
  const opened = dialogOpened();
  replies = [signedOut];
  const call = failure(api.me());
  await opened;
  settleSignIn(false);
  return call;
}

test('sends method, path and body as in the contract, and {} for an empty body', async () => {
  const id = crypto.randomUUID();
  replies = [me, json(200, { sent: true, answer: 'ok' }), json(200, {})];
  expect(await api.me()).toEqual({ email: 'marco@example.it' });
  await api.notifications.test({});
  await api.tokens.remove({ id });
  expect(sent).toEqual([
    { method: 'GET', path: '/api/admin/me', body: '', type: null },
    { method: 'POST', path: '/api/admin/notifications/test', body: '{}', type: 'application/json' },
    { method: 'DELETE', path: `/api/admin/tokens/${id}`, body: '', type: null },
  ]);
});

test.each<[string, Reply, Partial<ApiError>, string]>([
  [
    'a refusal that says how long to wait',
    refused(429, 'TOO_MANY_ATTEMPTS', 'Poi.', { secondi: 9 }),
    { codice: 'TOO_MANY_ATTEMPTS', secondi: 9 },
    'Poi.',
  ],
  [
    'no answer in time',
    () => Promise.reject(new DOMException('', 'TimeoutError')),
    { codice: 'NETWORK' },
    networkTexts.offline,
  ],
  ['an error that isn’t ours', json(500, { oops: true }), { codice: 'UNREADABLE' }, 'Errore'],
])('converts %s to one ApiError with one message', async (_name, reply, expected, sentence) => {
  replies = [reply];
  const error = await failure(api.config.read());
  expect(error).toMatchObject(expected);
  expect(messageOf(error, 'Errore')).toBe(sentence);
});

test('opens one sign-in dialog for concurrent calls without a session, and repeats them after the sign-in', async () => {
  let dialogs = 0;
  const stop = onSignInChange(() => void (dialogs += isSignInPending() ? 1 : 0));
  const opened = dialogOpened();
  replies = [signedOut, signedOut];
  const both = Promise.all([api.me(), api.tokens.list()]);
  await opened;
  // Both 401 responses are read before the sign-in.
  await vi.waitFor(() => expect(received.map(({ bodyUsed }) => bodyUsed)).toEqual([true, true]));
  await new Promise((resolve) => setImmediate(resolve));
  replies = [me, json(200, [])];
  settleSignIn(true);
  expect(await both).toEqual([{ email: 'marco@example.it' }, []]);
  expect(dialogs).toBe(1);
  stop();
});

test('stays signed out after «Annulla» until a call succeeds, and opens no dialog for a caller that refuses one', async () => {
  expect((await declinedCall()).codice).toBe('SIGN_IN_REQUIRED');
  expect(isSignedOut()).toBe(true);
  replies = [signedOut];
  const error = await failure(api.me(undefined, { context: { whenSignedOut: 'refuse' } }));
  expect([error.codice, isSignedOut()]).toEqual(['SIGN_IN_REQUIRED', true]);
  replies = [me];
  await api.me();
  expect(isSignedOut()).toBe(false);
});

test('opens no sign-in dialog during a sign-out, but again after it failed', async () => {
  const left = duringSignOut(async () => {
    expect(isSignedOut()).toBe(true);
    replies = [me, signedOut];
    await api.me();
    expect(isSignedOut()).toBe(true);
    expect((await failure(api.me())).codice).toBe('SIGN_IN_REQUIRED');
    expect(isSignInPending()).toBe(false);
    throw new Error('lost');
  });
  await expect(left).rejects.toThrow('lost');
  expect(isSignedOut()).toBe(false);
  await declinedCall();
});

test('rejects a call that is refused again after the sign-in, without a second dialog', async () => {
  const opened = dialogOpened();
  replies = [signedOut, signedOut];
  const call = failure(api.me());
  await opened;
  settleSignIn(true);
  expect((await call).codice).toBe('SIGN_IN_REQUIRED');
});

test('rejects reads and saves without a network instead of pausing them', async () => {
  const client = createQueryClient();
  const lost = () => Promise.reject(new ApiError('NETWORK', 'assente'));
  onlineManager.setOnline(false);
  try {
    const reading = client.fetchQuery({ queryKey: ['lost'], queryFn: lost, retry: false });
    await expect(reading).rejects.toThrow('assente');
    const saving = client.getMutationCache().build(client, { mutationFn: lost });
    await expect(saving.execute(undefined)).rejects.toThrow('assente');
  } finally {
    onlineManager.setOnline(true);
  }
});

test('reports changed topics, all topics if changes may have been missed, and none for a ping', () => {
  const reported: (readonly LiveTopic[])[] = [];
  const listener = adminListener((topics) => void reported.push(topics));
  listener.opened();
  listener.refused?.();
  listener.message({ type: 'ping' });
  listener.message({ type: 'changed', topics: ['tokens', 'logs'] });
  listener.message({ type: 'resync' });
  listener.message({ type: 'bye' });
  expect(reported).toEqual([LIVE_TOPICS, LIVE_TOPICS, ['tokens', 'logs'], LIVE_TOPICS]);
});

test.each<[LiveTopic, string]>([
  ['tokens', 'dashboard, tokens'],
  ['logs', 'dashboard, logs'],
  ['sessions', 'sessions'],
  ['answers', 'answers'],
  ['config', 'config, questions'],
])('invalidates cached queries after a change of %s', (topic, expected) => {
  const client = new QueryClient();
  const keys: Record<string, QueryKey> = {
    answers: queries.answers.list.queryKey(),
    config: queries.config.read.queryKey(),
    dashboard: queries.dashboard.queryKey(),
    logs: queries.logs.list.queryKey({ input: {} }),
    me: queries.me.queryKey(),
    questions: queries.questions.read.queryKey(),
    sessions: queries.sessions.list.queryKey(),
    tokens: queries.tokens.list.queryKey(),
  };
  for (const key of Object.values(keys)) client.setQueryData(key, {});
  refetchTopics(client, new Set([topic]));
  const old = Object.entries(keys).filter(([, key]) => client.getQueryState(key)?.isInvalidated);
  expect(old.map(([name]) => name).join(', ')).toBe(expected);
});
