import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rehearsal } from '../../src/contract/admin/rehearsal.ts';
import { visitContract } from '../../src/contract/visit.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { ApiError } from '../../src/web/api/failure.ts';
import { enterRehearsal, readRehearsal } from '../../src/web/api/rehearsal.ts';
import * as calls from '../../src/web/api/visit.ts';

/** Checks the hand-written calls of the web against the contract. */

const MARK = { state: 'closed', exitPoint: 'during_pre_phrases' } as const;
const ATTEMPT = '3f4c2a52-31a5-4b0f-9e3f-2f9d3c1b7a10';
const ofVisit = {
  enter: () => calls.enter({ token: 'ROM1', attempt_id: ATTEMPT, device_id: 'device-1-a', capabilities: [] }),
  resume: () => calls.resume(),
  position: () => calls.position({ step: 0, phrase: 0, second: 0 }),
  heartbeat: () => calls.heartbeat(),
  answers: () => calls.answers({ viaggio: 1, risposta_1: true, risposta_2: false }),
  complete: () => calls.complete(),
  trackUserExit: () => calls.trackUserExit(MARK),
};
const all: Record<string, () => unknown> = {
  ...ofVisit,
  site: () => calls.site(),
  reportError: () => calls.reportError('video'),
  readRehearsal: () => readRehearsal(),
  enterRehearsal: () => enterRehearsal('pass'),
};
const contract = { ...visitContract, readRehearsal: rehearsal.read, enterRehearsal: rehearsal.enter };

let sent: { path: string; init: RequestInit; body: Record<string, unknown> }[];
beforeEach(() => {
  sent = [];
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    sent.push({ path, init, body: typeof init.body === 'string' ? JSON.parse(init.body) : {} });
    return new Response('{}');
  });
});
afterEach(() => vi.unstubAllGlobals());

const issues = async (call: (typeof contract)[keyof typeof contract], body: unknown) =>
  (await call['~orpc'].inputSchema?.['~standard'].validate(body))?.issues;

test.each(Object.entries(contract))(
  'calls %s with the method, path and input of the contract',
  async (name, call) => {
    await all[name]?.();
    const { route } = call['~orpc'];
    const [{ path, init, body } = expect.unreachable()] = sent;
    expect([init.method, path]).toEqual([route.method, `/api${route.path}`]);
    expect(await issues(call, body)).toBeUndefined();
  },
);

test('distinguishes a refusal, a lost reply and a proxy’s page', async () => {
  const replies = [
    () => new Response('{"codice":"TOO_MANY_ATTEMPTS","messaggio":"Troppi","secondi":7}', { status: 429 }),
    () => {
      throw new TypeError('Failed to fetch');
    },
    () => new Response('<html>Bad gateway', { status: 502 }),
    () => new Response('<html>Accedi al Wi-Fi', { status: 200 }),
  ];
  vi.stubGlobal('fetch', async () => replies.shift()?.());
  const refused = new ApiError('TOO_MANY_ATTEMPTS', 'Troppi', { secondi: 7, status: 429 });
  expect(await calls.site()).toEqual({ ok: false, failure: refused });
  expect(await calls.site()).toEqual({ ok: false, failure: new ApiError('NETWORK', networkTexts.offline) });
  for (const status of [502, 200])
    expect(await calls.site()).toMatchObject({ ok: false, failure: { codice: 'UNREADABLE', status } });
});

test('reports an unexpected exception as INTERNAL, not as NETWORK', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('AbortSignal', {});
  expect(await calls.site()).toEqual({
    ok: false,
    failure: new ApiError('INTERNAL', networkTexts.unexpected),
  });
  expect(logged).toHaveBeenCalledOnce();
});

test('reports NETWORK after 15 s without a reply', async () => {
  const controller = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
  vi.stubGlobal(
    'fetch',
    (_path: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('late')))),
  );
  const answer = calls.site();
  controller.abort();
  expect(await answer).toMatchObject({ ok: false, failure: { codice: 'NETWORK' } });
  expect(timeout.mock.calls).toEqual([[15_000]]);
  timeout.mockRestore();
});

test('disables caching, uses keepalive only for the end, and sends the exit mark as a beacon if available', async () => {
  await calls.heartbeat();
  await calls.complete();
  expect(sent.map(({ path, init: { cache, keepalive } }) => [path, cache, keepalive])).toEqual([
    ['/api/visit/heartbeat', 'no-store', false],
    ['/api/visit/complete', 'no-store', true],
  ]);
  const beacon = vi.fn<Navigator['sendBeacon']>(() => true);
  vi.stubGlobal('navigator', { sendBeacon: beacon });
  calls.trackUserExit(MARK);
  const [path, blob] = beacon.mock.lastCall as [string, Blob];
  const mark = JSON.parse(await blob.text());
  expect(path).toBe('/api/visit/track-user-exit');
  expect(blob.type).toBe('text/plain');
  expect(mark).toEqual(expect.objectContaining(MARK));
  expect([await issues(visitContract.trackUserExit, mark), sent.length]).toEqual([undefined, 2]);
});

test('sends the page load id with every call of a visit', async () => {
  for (const call of Object.values(ofVisit)) await call();
  calls.renewPageLoadId();
  for (const call of Object.values(ofVisit)) await call();
  const pageLoadIds = sent.map(({ body }) => body['life']);
  const [first, second] = [pageLoadIds[0], pageLoadIds[7]];
  expect(pageLoadIds).toEqual([...Array(7).fill(first), ...Array(7).fill(second)]);
  expect([first, second === first]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), false]);
});
