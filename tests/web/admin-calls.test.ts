import { onlineManager, QueryClient, type QueryKey } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LIVE_TOPICS, type LiveTopic } from '../../src/contract/admin/live.ts';
import { networkTexts } from '../../src/texts/network.ts';
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

/** The administrator's calls: what they send, what they make of every answer, and how they wait for a new sign-in. */

type Reply = () => Response | Promise<Response>;
const sent: { method: string; path: string; body: string; type: string | null }[] = [];
const received: Response[] = [];
let replies: Reply[];

const json = (status: number, body: unknown): Reply => {
  return () => Response.json(body, { status });
};
const refused = (status: number, codice: string, messaggio: string, more = {}) =>
  json(status, { codice, messaggio, ...more });
const lost =
  (error: Error): Reply =>
  async () => {
    throw error;
  };
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

const asking = () => new Promise<void>((resolve) => onSignInChange(() => isSignInPending() && resolve()));
const failure = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => (error instanceof ApiError ? error : expect.unreachable(String(error))),
  );

/** A call that is refused for want of a session, and «Annulla» in the dialog that asks for one. */
async function declinedCall(): Promise<ApiError> {
  const opened = asking();
  replies = [signedOut];
  const call = failure(api.me());
  await opened;
  settleSignIn(false);
  return call;
}

test('a call is what the contract says, and what has nothing to say says {}', async () => {
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
  ['a refusal', refused(409, 'STALE_VERSION', 'Altrove.'), { codice: 'STALE_VERSION' }, 'Altrove.'],
  [
    'a refusal that says how long to wait',
    refused(429, 'TOO_MANY_ATTEMPTS', 'Poi.', { secondi: 9 }),
    { codice: 'TOO_MANY_ATTEMPTS', secondi: 9 },
    'Poi.',
  ],
  ['no network', lost(new TypeError('Failed to fetch')), { codice: 'NETWORK' }, networkTexts.offline],
  [
    'no answer in time',
    lost(new DOMException('', 'TimeoutError')),
    { codice: 'NETWORK' },
    networkTexts.offline,
  ],
  ['a proxy’s page', () => new Response('<h1>', { status: 502 }), { codice: 'UNREADABLE' }, 'Errore'],
  ['an error that isn’t ours', json(500, { oops: true }), { codice: 'UNREADABLE' }, 'Errore'],
])('makes of %s one failure with one sentence', async (_name, reply, expected, sentence) => {
  replies = [reply];
  const error = await failure(api.config.read());
  expect(error).toMatchObject(expected);
  expect(messageOf(error, 'Errore')).toBe(sentence);
});

test('calls refused for want of a session wait for one sign-in, and are repeated by themselves', async () => {
  let dialogs = 0;
  const stop = onSignInChange(() => void (dialogs += isSignInPending() ? 1 : 0));
  const opened = asking();
  replies = [signedOut, signedOut];
  const both = Promise.all([api.me(), api.tokens.list()]);
  await opened;
  // Both refusals have been read before anybody signs in.
  await vi.waitFor(() => expect(received.map(({ bodyUsed }) => bodyUsed)).toEqual([true, true]));
  await new Promise((resolve) => setImmediate(resolve));
  replies = [me, json(200, [])];
  settleSignIn(true);
  expect(await both).toEqual([{ email: 'marco@example.it' }, []]);
  expect(dialogs).toBe(1);
  stop();
});

test('«Annulla» sends them away, and is taken for signed out until a call is answered; who only asks gets no dialog', async () => {
  expect((await declinedCall()).codice).toBe('SIGN_IN_REQUIRED');
  expect(isSignedOut()).toBe(true);
  replies = [signedOut];
  const error = await failure(api.me(undefined, { context: { whenSignedOut: 'refuse' } }));
  expect([error.codice, isSignedOut()]).toEqual(['SIGN_IN_REQUIRED', true]);
  replies = [me];
  await api.me();
  expect(isSignedOut()).toBe(false);
});

test('who signs out is not asked to sign in again, until it has come to an end or to nothing', async () => {
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

test('refused again after the sign-in: no second dialog, a failure', async () => {
  const opened = asking();
  replies = [signedOut, signedOut];
  const call = failure(api.me());
  await opened;
  settleSignIn(true);
  expect((await call).codice).toBe('SIGN_IN_REQUIRED');
});

test('what was refused is not asked again, what got lost is: three times, at most 30 s apart; what nobody looks at goes after 5 minutes', () => {
  const { retry, retryDelay, gcTime } = createQueryClient().getDefaultOptions().queries ?? {};
  expect(gcTime).toBe(5 * 60_000);
  const again = (count: number, codice: ApiError['codice']) =>
    typeof retry === 'function' && retry(count, new ApiError(codice, ''));
  expect([0, 2, 3].map((count) => again(count, 'NETWORK'))).toEqual([true, true, false]);
  for (const codice of ['SIGN_IN_REQUIRED', 'NOT_FOUND', 'STALE_VERSION'] as const)
    expect(again(0, codice)).toBe(false);
  const delay = (count: number) =>
    typeof retryDelay === 'function' && retryDelay(count, new ApiError('NETWORK', ''));
  expect([0, 1, 2, 9].map(delay)).toEqual([1_000, 2_000, 4_000, 30_000]);
});

test('without a network reading and saving fail and say so, instead of waiting unseen', async () => {
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

test('the live channel: what has changed, everything when news may have been missed, nothing for a ping', () => {
  const heard: (readonly LiveTopic[])[] = [];
  const listener = adminListener((topics) => void heard.push(topics));
  listener.opened();
  listener.refused?.();
  listener.message({ type: 'ping' });
  listener.message({ type: 'changed', topics: ['tokens', 'logs'] });
  listener.message({ type: 'resync' });
  listener.message({ type: 'bye' });
  expect(heard).toEqual([LIVE_TOPICS, LIVE_TOPICS, ['tokens', 'logs'], LIVE_TOPICS]);
});

test.each<[LiveTopic, string]>([
  ['tokens', 'dashboard, tokens'],
  ['logs', 'dashboard, logs'],
  ['sessions', 'sessions'],
  ['answers', 'answers'],
  ['config', 'config, questions'],
])('takes what was read of %s for old once they have changed', (topic, expected) => {
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
