import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HEADER, SEALED_SEGMENT } from '../../src/sealed/layout.ts';
import { sendWaiting } from '../../src/web/plan-b/kept/answers.ts';
import {
  canKeep,
  keep,
  keepPage,
  keepSealed,
  keptEvening,
  letGo,
  waitingAnswers,
} from '../../src/web/plan-b/kept/store.ts';

/** What a phone keeps of the sealed evening, and how its answers come to the site. */

let kept: Map<string, Map<string, Response>>;
let asked: { path: string; init: RequestInit | undefined }[];
let replies: Record<string, () => Response>;
let workers: { url: string; scope: string | undefined }[];
let left: string[];
let persisted: number;

const cacheOf = (name: string) => {
  const cache = kept.get(name) ?? new Map<string, Response>();
  kept.set(name, cache);
  return {
    put: async (url: string, answer: Response) => void cache.set(url, answer),
    match: async (url: string) => cache.get(url)?.clone(),
    keys: async () => [...cache.keys()],
    delete: async (url: string) => cache.delete(url),
  };
};

beforeEach(() => {
  kept = new Map();
  [asked, workers, left, persisted] = [[], [], [], 0];
  replies = {
    '/api/plan-b/evening.bin': () => sealed(HEADER + 2 * SEALED_SEGMENT, '"v7"'),
    '/piano-b/': () => new Response('the page'),
  };
  vi.stubGlobal('caches', {
    open: async (name: string) => cacheOf(name),
    match: async (url: string, { cacheName }: { cacheName: string }) =>
      kept.get(cacheName)?.get(url)?.clone(),
    delete: async (name: string) => kept.delete(name),
  });
  vi.stubGlobal('navigator', {
    serviceWorker: {
      register: async (url: string, { scope }: { scope?: string }) => void workers.push({ url, scope }),
      ready: Promise.resolve(),
      getRegistration: async (scope: string) => ({ unregister: async () => void left.push(scope) }),
    },
    storage: { persist: async () => (persisted += 1) > 0 },
  });
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    asked.push({ path, init });
    return replies[path]?.() ?? new Response(null, { status: 404 });
  });
});
afterEach(() => vi.unstubAllGlobals());

function sealed(size: number, etag: string | null): Response {
  const bytes = new Uint8Array(size)
    .fill(1, 0, HEADER)
    .fill(2, HEADER)
    .fill(3, HEADER + SEALED_SEGMENT);
  return new Response(bytes, { headers: etag === null ? {} : { etag } });
}

test.each([
  [{ serviceWorker: {} }, {}, true],
  [{}, {}, false],
])('a browser with %j can keep it: %s', (navigator, caches, can) => {
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('caches', caches);
  expect(canKeep()).toBe(can);
});

describe('the evening', () => {
  test('is kept with the page, under the name of its version, for as long as the browser lets it', async () => {
    expect(await keptEvening()).toBeNull();
    await keep('site-key');
    const evening = await keptEvening();
    expect(evening).toMatchObject({ version: 'v7', key: 'site-key', sealed: { whole: true, count: 2 } });
    expect(await kept.get('piano-b')?.get('/piano-b/')?.text()).toBe('the page');
    expect(workers).toEqual([{ url: '/piano-b/worker.js', scope: '/piano-b/' }]);
    expect(persisted).toBe(1);
    if (evening?.sealed.whole !== true) throw new Error('It is not whole');
    const { header, segment } = evening.sealed;
    const sums = [header, await segment(0), await segment(1)].map((bytes) => [bytes.length, bytes[0]]);
    expect(sums).toEqual([
      [HEADER, 1],
      [SEALED_SEGMENT, 2],
      [SEALED_SEGMENT, 3],
    ]);
  });

  test.each([HEADER, HEADER - 1, HEADER + SEALED_SEGMENT - 1, HEADER + SEALED_SEGMENT + 1])(
    'of %i bytes is not whole',
    async (size) => {
      replies['/api/plan-b/evening.bin'] = () => sealed(size, '"v7"');
      await keep('site-key');
      expect((await keptEvening())?.sealed).toEqual({ whole: false });
    },
  );

  test.each<[string, () => Response]>([
    ['there is none', () => new Response(null, { status: 404, headers: { etag: '"v7"' } })],
    ['it doesn’t say which one it is', () => sealed(HEADER, null)],
  ])('is not kept where %s', async (_why, reply) => {
    replies['/api/plan-b/evening.bin'] = reply;
    await expect(keep('site-key')).rejects.toThrow(/No evening/);
    expect([await keptEvening(), workers]).toEqual([null, []]);
  });

  test.each(['x-version', 'x-key'])('of which %s isn’t known is none', async (missing) => {
    const said = { 'x-version': 'v7', 'x-key': 'site-key', [missing]: '' };
    const headers = new Headers(said);
    headers.delete(missing);
    await cacheOf('piano-b').put('/piano-b/serata', new Response('', { headers }));
    expect(await keptEvening()).toBeNull();
  });

  test('has no page where the site has none', async () => {
    replies['/piano-b/'] = () => new Response(null, { status: 503 });
    await expect(keepPage()).rejects.toThrow('No page: 503');
    expect([kept.get('piano-b')?.size ?? 0, workers]).toEqual([0, []]);
  });

  test('where the browser promises nothing it is kept all the same', async () => {
    Object.assign(navigator, { storage: { persist: () => Promise.reject(new Error('no')) } });
    await keep('site-key');
    expect(await keptEvening()).not.toBeNull();
  });

  test('goes with everything: page, answers, worker', async () => {
    await keep('site-key');
    await keepSealed('one/1', new Uint8Array([1]));
    await letGo();
    expect([kept.size, left]).toEqual([0, ['/piano-b/']]);
  });
});

describe('answers', () => {
  const refused = (status: number, codice: string) => Response.json({ codice, messaggio: '' }, { status });
  const waiting = async () => (await waitingAnswers()).map(({ sealed: bytes }) => [...bytes]);
  beforeEach(async () => {
    await keepSealed('one/1', new Uint8Array([255, 239, 1]));
    await keepSealed('one/2', new Uint8Array([2]));
  });
  const bodies = () =>
    asked.map(({ init }) => JSON.parse(typeof init?.body === 'string' ? init.body : '').sealed);

  test('that have arrived wait no more', async () => {
    replies['/api/plan-b/answers'] = () => new Response('{}');
    expect(await sendWaiting()).toBe('arrived');
    // base64url, without its filling.
    expect(bodies()).toEqual(['_-8B', 'Ag']);
    expect(await waiting()).toEqual([]);
    expect(await sendWaiting()).toBe('arrived');
    expect(asked).toHaveLength(2);
  });

  test.each<[string, () => Response, string, number, number]>([
    ['nobody can read are dropped', () => refused(422, 'PLAN_B_UNREADABLE'), 'refused', 0, 2],
    [
      'are of a code that is gone are kept: it may come back',
      () => refused(410, 'PLAN_B_CODE_GONE'),
      'refused',
      2,
      2,
    ],
    [
      'meet a server in trouble wait, and those behind them',
      () => refused(503, 'UNAVAILABLE'),
      'waiting',
      2,
      1,
    ],
    ['meet something else than the site wait', () => new Response('<html>'), 'waiting', 2, 1],
  ])('that %s', async (_what, reply, told, left_, tried) => {
    replies['/api/plan-b/answers'] = reply;
    expect(await sendWaiting()).toBe(told);
    expect([(await waiting()).length, asked.length]).toEqual([left_, tried]);
  });

  test('wait where there is no network', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    expect(await sendWaiting()).toBe('waiting');
    expect(await waiting()).toHaveLength(2);
  });

  test('one refused and one arrived are told as refused', async () => {
    const answers = [() => refused(410, 'PLAN_B_CODE_GONE'), () => new Response('{}')];
    replies['/api/plan-b/answers'] = () => answers.shift()?.() ?? new Response(null, { status: 500 });
    expect(await sendWaiting()).toBe('refused');
    expect(await waiting()).toEqual([[255, 239, 1]]);
  });
});
