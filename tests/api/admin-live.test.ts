import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdminLiveMessage } from '../../src/contract/admin/live.ts';
import { collectNews } from '../../src/server/live/admin-news.ts';
import { type Heard, listenAt } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

const HOUR = 3_600_000;
/** News is told once a second. */
const SOON = { timeout: 5_000 };

let server: TestServer;
let evening: Evening;
let ahead = 0;
beforeAll(async () => {
  server = await startServer({
    now: () => new Date(Date.now() + ahead),
    env: { TRUSTED_PROXIES: '127.0.0.1' },
  });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

const listen = (cookie: string) => listenAt(`${server.url}/api/admin/events`, cookie);
const messages = ({ text }: Heard): AdminLiveMessage[] =>
  [...text().matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
const topics = (heard: Heard) =>
  new Set(messages(heard).flatMap((message) => (message.type === 'changed' ? message.topics : [])));
const asAdmin = async (method: string, path: string, body?: unknown) =>
  ok(await call(server.url, method, path, body, { cookie: evening.admin })).body;
const signIn = async (address: string) =>
  ok(
    await call(
      server.url,
      'POST',
      '/auth/sign-in/email',
      { email: 'anna@example.org', password: 'una frase molto lunga 7' },
      { headers: { 'x-forwarded-for': address } },
    ),
  ).cookie;

describe('the administrator’s live channel', () => {
  test('is nobody else’s', async () => {
    for (const cookie of ['', await enter(server, evening)])
      await expect(listen(cookie)).rejects.toThrow('answers 401 application/json');
    const head = await call(server.url, 'HEAD', '/admin/events', undefined, { cookie: evening.admin });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  test('begins with a sign of life, and says what changed', async () => {
    const heard = await listen(evening.admin);
    expect(messages(heard)[0]).toEqual({ type: 'ping' });
    await newCode();
    await expect.poll(() => [...topics(heard)], SOON).toEqual(expect.arrayContaining(['tokens', 'logs']));
    heard.close();
  });

  const config = () => asAdmin('GET', '/admin/config');
  const newCode = () => asAdmin('POST', '/admin/tokens', { nome: 'Lei', max_accessi: 9 });
  const tokens = '/admin/tokens';

  test.each<[string, string[], () => Promise<() => Promise<unknown>>]>([
    ['a new code', ['tokens', 'logs'], async () => newCode],
    [
      'one more access',
      ['tokens'],
      async () => {
        const { id } = await newCode();
        return () => asAdmin('POST', `${tokens}/${id}/accesses`, { max_accessi: 9 });
      },
    ],
    [
      'an extension',
      ['tokens'],
      async () => {
        const { id, scadenza } = await newCode();
        return () => asAdmin('POST', `${tokens}/${id}/extension`, { giorni: 3, scadenza });
      },
    ],
    [
      'a revocation',
      ['tokens', 'sessions', 'logs'],
      async () => {
        const { id } = await newCode();
        return () => asAdmin('PATCH', `${tokens}/${id}`, { attivo: false });
      },
    ],
    [
      'a deletion',
      ['tokens', 'sessions', 'logs'],
      async () => {
        const { id } = await newCode();
        return () => asAdmin('DELETE', `${tokens}/${id}`);
      },
    ],
    ['an entry', ['sessions', 'logs', 'tokens'], async () => () => enter(server, evening)],
    [
      'a wrong code',
      ['logs'],
      async () => () =>
        call(server.url, 'POST', '/access', {
          token: 'ROM-SBAGLIAT',
          attempt_id: '00000000-0000-4000-8000-000000000001',
          device_id: 'device-1',
        }),
    ],
    [
      'a stage that begins',
      ['sessions'],
      async () => {
        const cookie = await enter(server, evening);
        const position = { step: 1, phrase: 0, second: 0 };
        return async () => ok(await call(server.url, 'POST', '/visit/position', position, { cookie }));
      },
    ],
    [
      'a goodbye',
      ['sessions', 'logs'],
      async () => {
        const cookie = await enter(server, evening);
        const exitPoint = 'during_pre_phrases';
        const report = { state: 'closed', exitPoint, timestamp: '2027-01-01T00:00:00Z', seq: 0 };
        return async () => ok(await call(server.url, 'POST', '/visit/track-user-exit', report, { cookie }));
      },
    ],
    [
      'answers',
      ['sessions', 'answers'],
      async () => {
        const cookie = await enter(server, evening);
        await walkTo(server, cookie, 'questions');
        const given = { viaggio: 1, risposta_1: true, risposta_2: true };
        return async () => ok(await call(server.url, 'POST', '/visit/answers', given, { cookie }));
      },
    ],
    [
      'the end of an evening',
      ['sessions', 'logs'],
      async () => {
        const cookie = await enter(server, evening);
        await walkTo(server, cookie, 'closing', 2);
        return async () => ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
      },
    ],
    [
      'a saved configuration',
      ['config'],
      async () => {
        const { versione } = await config();
        return () => asAdmin('PATCH', '/admin/config', { versione, fields: { contatto: '@lui' } });
      },
    ],
    [
      'saved questions',
      ['config'],
      async () => {
        const { versione } = await asAdmin('GET', '/admin/questions');
        return () => asAdmin('PATCH', '/admin/questions', { versione, fields: { domanda_1: 'E?' } });
      },
    ],
  ])('is told of %s', async (_what, expected, prepare) => {
    const work = await prepare();
    const told = new Set<string>();
    const stop = server.deps.live.subscribe((message) => {
      if (message.type === 'changed') for (const topic of message.topics) told.add(topic);
    });
    await work();
    stop();
    expect(told).toEqual(new Set(expected));
  });

  test('a refused save is no news', async () => {
    const told: string[] = [];
    const stop = server.deps.live.subscribe(({ type }) => void told.push(type));
    const stale = { versione: 0, fields: { contatto: '@lui' } };
    const { status } = await call(server.url, 'PATCH', '/admin/config', stale, { cookie: evening.admin });
    stop();
    expect([status, told]).toEqual([409, []]);
  });

  test('passes on that news may have been lost', async () => {
    const heard = await listen(evening.admin);
    await server.deps.live.publish({ type: 'resync' });
    await expect.poll(() => messages(heard), SOON).toContainEqual({ type: 'resync' });
    heard.close();
  });

  test('ends at once for who signs out, and for nobody else', async () => {
    const [leaving, staying] = await Promise.all([signIn('10.1.0.1'), signIn('10.1.0.2')]);
    const [ended, open] = await Promise.all([listen(leaving), listen(staying)]);
    ok(await call(server.url, 'POST', '/auth/sign-out', {}, { cookie: leaving }));
    expect(await ended.ended).toContain('event: bye');
    await newCode();
    await expect.poll(() => topics(open).has('tokens'), SOON).toBe(true);
    open.close();
    await expect(listen(leaving)).rejects.toThrow('answers 401');
  });

  test('is a few at most: a sixth ends the first', async () => {
    const heard: Heard[] = [];
    for (let n = 0; n < 6; n += 1) heard.push(await listen(evening.admin));
    expect(await heard[0]?.ended).toContain('event: bye');
    await newCode();
    for (const later of heard.slice(1)) {
      await expect.poll(() => topics(later).has('tokens'), SOON).toBe(true);
      later.close();
    }
  });

  test('ends when the session is too old; being open is no activity', async () => {
    const cookie = await signIn('10.1.0.3');
    const heard = await listen(cookie);
    ahead += 23 * HOUR;
    await server.deps.live.publish({ type: 'signed_out' });
    ahead += 2 * HOUR;
    await server.deps.live.publish({ type: 'signed_out' });
    expect(await heard.ended).toContain('event: bye');
  });
});

describe('news', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => vi.useRealTimers());

  const collecting = () => {
    const told: AdminLiveMessage[] = [];
    return { told, news: collectNews((message) => told.push(message)) };
  };

  test('is told at once, then once a second, whatever the number of heartbeats', () => {
    const { told, news } = collecting();
    for (let ms = 0; ms < 10_000; ms += 10) {
      news.hear({ type: 'changed', topics: ms === 4_510 ? ['answers', 'sessions'] : ['sessions'] });
      vi.advanceTimersByTime(10);
    }
    expect(told).toHaveLength(11);
    expect(told[0]).toEqual({ type: 'changed', topics: ['sessions'] });
    expect(
      told.filter((message) => message.type === 'changed' && message.topics.includes('answers')),
    ).toEqual([{ type: 'changed', topics: ['sessions', 'answers'] }]);
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(11);
  });

  test('that may be incomplete says so in place of its topics', () => {
    const { told, news } = collecting();
    news.hear({ type: 'changed', topics: ['logs'] });
    news.hear({ type: 'changed', topics: ['sessions'] });
    news.hear({ type: 'resync' });
    vi.advanceTimersByTime(1_000);
    news.hear({ type: 'changed', topics: ['tokens'] });
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([
      { type: 'changed', topics: ['logs'] },
      { type: 'resync' },
      { type: 'changed', topics: ['tokens'] },
    ]);
  });

  test('is not told once closed', () => {
    const { told, news } = collecting();
    news.hear({ type: 'changed', topics: ['logs'] });
    news.hear({ type: 'changed', topics: ['sessions'] });
    news.close();
    vi.advanceTimersByTime(10_000);
    expect(told).toHaveLength(1);
  });
});
