import { afterEach, expect, test, vi } from 'vitest';
import { rehearsal } from '../../src/contract/admin/rehearsal.ts';
import { visitContract } from '../../src/contract/visit.ts';
import { networkTexts } from '../../src/texts/network.ts';
import { Failure } from '../../src/web/api/failure.ts';
import { enterRehearsal, readRehearsal } from '../../src/web/api/rehearsal.ts';
import * as calls from '../../src/web/api/visit.ts';

/** The web's calls are written by hand: here they are held to the contract. */

afterEach(() => vi.unstubAllGlobals());

const text = (body: unknown) => (typeof body === 'string' ? body : '');

const ENTRY = {
  token: 'ROM1',
  attempt_id: '3f4c2a52-31a5-4b0f-9e3f-2f9d3c1b7a10',
  device_id: 'device-1-a',
  capabilities: [],
};
const MARK = { state: 'closed', exitPoint: 'during_pre_phrases' } as const;

const sent: Record<string, () => unknown> = {
  site: () => calls.site(),
  enter: () => calls.enter(ENTRY),
  resume: () => calls.resume(),
  position: () => calls.position({ step: 0, phrase: 0, second: 0 }),
  heartbeat: () => calls.heartbeat(),
  answers: () => calls.answers({ viaggio: 1, risposta_1: true, risposta_2: false }),
  complete: () => calls.complete(),
  trackUserExit: () => calls.trackUserExit(MARK),
  reportError: () => calls.reportError('video'),
  readRehearsal: () => readRehearsal(),
  enterRehearsal: () => enterRehearsal('pass'),
};

const contract = { ...visitContract, readRehearsal: rehearsal.read, enterRehearsal: rehearsal.enter };

test.each(Object.entries(contract))('%s goes where the contract says', async (name, call) => {
  const fetched = vi.fn<typeof fetch>(async () => new Response('{}'));
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('navigator', {});
  await sent[name]?.();
  const [path, init] = fetched.mock.lastCall ?? [];
  const { route, inputSchema } = call['~orpc'];
  expect([init?.method, path]).toEqual([route.method, `/api${route.path}`]);
  if (inputSchema !== undefined) {
    const result = await inputSchema['~standard'].validate(JSON.parse(text(init?.body)));
    expect(result.issues).toBeUndefined();
  }
});

test('a refusal, a lost reply and a proxy’s page are three things', async () => {
  const replies = [
    () => new Response('{"codice":"TOO_MANY_ATTEMPTS","messaggio":"Troppi","secondi":7}', { status: 429 }),
    () => {
      throw new TypeError('Failed to fetch');
    },
    () => new Response('<html>Bad gateway', { status: 502 }),
    () => new Response('<html>Accedi al Wi-Fi', { status: 200 }),
  ];
  vi.stubGlobal('fetch', async () => replies.shift()?.());
  const refused = new Failure('TOO_MANY_ATTEMPTS', 'Troppi', { secondi: 7, status: 429 });
  expect(await calls.site()).toEqual({ ok: false, failure: refused });
  expect(await calls.site()).toEqual({
    ok: false,
    failure: new Failure('NETWORK', networkTexts.offline),
  });
  expect(await calls.site()).toMatchObject({ ok: false, failure: { codice: 'UNREADABLE', status: 502 } });
  expect(await calls.site()).toMatchObject({ ok: false, failure: { codice: 'UNREADABLE', status: 200 } });
});

test('a call that nobody answers is lost after 15 s', async () => {
  const over = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('late')))),
  );
  const answer = calls.site();
  over.abort();
  expect(await answer).toMatchObject({ ok: false, failure: { codice: 'NETWORK' } });
  expect(timeout.mock.calls).toEqual([[15_000]]);
  timeout.mockRestore();
});

test('what is sent is never kept, and outlives the page only where it should', async () => {
  const sent: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push([path, init]);
    return new Response('{}');
  });
  await calls.heartbeat();
  await calls.complete();
  expect(sent.map(([path, { cache, keepalive }]) => [path, cache, keepalive])).toEqual([
    ['/api/visit/heartbeat', 'no-store', false],
    ['/api/visit/complete', 'no-store', true],
  ]);
});

test('the exit mark goes as a beacon where there is one', async () => {
  const beacon = vi.fn<Navigator['sendBeacon']>(() => true);
  const fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('navigator', { sendBeacon: beacon });
  vi.stubGlobal('fetch', fetched);
  calls.trackUserExit(MARK);
  const [path, body] = beacon.mock.lastCall ?? [];
  expect(path).toBe('/api/visit/track-user-exit');
  if (!(body instanceof Blob)) throw new Error('not a blob');
  expect(body.type).toBe('text/plain');
  const sent = JSON.parse(await body.text());
  expect(sent).toMatchObject(MARK);
  const { inputSchema } = visitContract.trackUserExit['~orpc'];
  expect((await inputSchema?.['~standard'].validate(sent))?.issues).toBeUndefined();
  expect(fetched).not.toHaveBeenCalled();
});

test('every call of a visit says which life of the page it comes from', async () => {
  const lives: unknown[] = [];
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    lives.push(JSON.parse(text(init.body)).life);
    return new Response('{}');
  });
  const all = async () => {
    for (const name of ['enter', 'resume', 'position', 'heartbeat', 'answers', 'complete', 'trackUserExit'])
      await sent[name]?.();
  };
  await all();
  calls.beginLife();
  await all();
  expect(lives).toHaveLength(14);
  expect(new Set(lives.slice(0, 7))).toEqual(new Set([lives[0]]));
  expect(new Set(lives.slice(7))).toEqual(new Set([lives[7]]));
  expect(lives[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(lives[7]).not.toBe(lives[0]);
});
