import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ERROR_STATUS } from '../../src/contract/errors.ts';
import { TRIPS } from '../../src/domain/content.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  ACTORS,
  type Actor,
  ROUTES,
  type RouteFixture,
  type RouteResult,
  type Row,
  rowOf,
} from './route-table.ts';

let server: TestServer;
let evening: Evening;
let fixture: RouteFixture;
let signedOut: string;
beforeAll(async () => {
  server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' } });
  // Prevents downloads and tunnels.
  vi.spyOn(server.deps.sharing, 'start').mockImplementation(() => server.deps.sharing.read());
  evening = await prepareEvening(server, { keepsake_until: '2100-12-31' });
  fixture = {
    media: evening.media.tickets_2.url.replace('/api', ''),
    code: (await buildCode(server, evening, { max_accessi: 1_000 })).token,
    lastStep: (await walkTo(server, await enter(server, evening), 'closing', 2)).position.step,
  };
  signedOut = await signIn();
  ok(await call(server.url, 'POST', '/auth/sign-out', {}, { cookie: signedOut }));
});
afterAll(() => server.stop());

/** The administrator that `prepareEvening` registers. */
const ADMIN = { email: 'anna@example.org', password: 'una frase molto lunga 7' };

test('has an address for every row of the table', () => {
  expect(Object.keys(ROUTES).filter((key) => !served().includes(key))).toEqual([]);
});

/** Returns every address with every method, once per trip. */
function served(): string[] {
  const all = server.app.endpoints.flatMap(({ path, method }) =>
    TRIPS.map((viaggio) => `${method} ${path.replace('{viaggio}', `${viaggio}`)}`),
  );
  return [...new Set(all)].toSorted();
}

test('replies to each client as in the table', async () => {
  const differing: object[] = [];
  for (const key of served()) {
    const row = rowOf(key);
    for (const actor of ACTORS) {
      const answer = await ask(key, row, await cachedCookie(actor));
      if (answer.status < 400) usedUp(key, actor);
      const outcome = resultOf(answer);
      const expected = row.outcomes[actor];
      if (expected === undefined ? outcome === 'SIGN_IN_REQUIRED' : outcome !== expected)
        differing.push({ key, actor, outcome, expected });
      if (answer.status < 400 || key.startsWith('HEAD ')) continue;
      const { codice } = answer.body;
      expect(answer.body, key).toEqual({ codice, messaggio: expect.any(String) });
      expect(answer.status, key).toBe(ERROR_STATUS[codice as keyof typeof ERROR_STATUS]);
    }
  }
  expect(differing).toEqual([]);
});

test('reports the signed-in administrator only to that administrator', async () => {
  for (const actor of ACTORS) {
    const cookie = await COOKIES[actor]();
    const { body } = await call(server.url, 'GET', '/auth/get-session', undefined, { cookie });
    if (actor === 'admin') expect(JSON.stringify(body)).toContain(ADMIN.email);
    else expect(body).toBeNull();
  }
});

type Reply = Awaited<ReturnType<typeof call>>;

let addresses = 0;

/** Returns a separate address per request, so that the rate limits do not apply. */
function separateAddress(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `10.9.${addresses >> 8}.${addresses & 255}` };
}

async function ask(key: string, row: Row, cookie: string): Promise<Reply> {
  const [method = '', pattern = ''] = key.split(' ');
  const path = row.path?.(fixture) ?? pattern;
  if (path.endsWith('/events')) return firstOfStream(path, cookie);
  const headers = { ...row.headers, ...separateAddress() };
  const body = /^P[OA]/.test(method) && !row.headers ? (row.body?.(fixture) ?? {}) : undefined;
  return call(server.url, method, path, body, { cookie, headers });
}

/** Returns the head of an endless stream as its reply. */
async function firstOfStream(path: string, cookie: string): Promise<Reply> {
  const leaving = new AbortController();
  const response = await fetch(`${server.url}/api${path}`, { headers: { cookie }, signal: leaving.signal });
  const { status, headers } = response;
  const text = status === 200 ? '' : await response.text();
  leaving.abort();
  return { status, headers, text, cookie: '', body: text === '' ? undefined : JSON.parse(text) };
}

const resultOf = ({ status, body }: Reply): RouteResult => (status < 400 ? status : (body?.codice ?? status));

/** Cookies of earlier requests. A refusal changes nothing, so they can be reused. */
const cached: Partial<Record<Actor, string | undefined>> = {};

async function cachedCookie(actor: Actor): Promise<string> {
  cached[actor] ??= await COOKIES[actor]();
  return cached[actor];
}

/** Calls that end or change the client's visit or session. */
const SPOILS = /^POST (\/access|\/visit\/(complete|resume|position|heartbeat|answers)|\/auth\/sign-out)$/;

/** Discards cookies that a successful call may have changed. */
function usedUp(key: string, actor: Actor): void {
  if (SPOILS.test(key)) cached[actor] = undefined;
  if (key === 'DELETE /admin/rehearsal/pass') cached.rehearsal = undefined;
}

async function signIn(): Promise<string> {
  const { email, password } = ADMIN;
  return ok(
    await call(
      server.url,
      'POST',
      '/auth/sign-in/email',
      { email, password },
      { headers: separateAddress() },
    ),
  ).cookie;
}

const COOKIES: Record<Actor, () => Promise<string>> = {
  nobody: async () => '',
  visitor: () => atTheEnd(),
  async left() {
    const cookie = await atTheEnd();
    const report = { state: 'closed', exitPoint: 'after_checkboxes', timestamp: new Date().toISOString() };
    ok(await call(server.url, 'POST', '/visit/track-user-exit', { ...report, seq: 0 }, { cookie }));
    return cookie;
  },
  async completed() {
    const cookie = await atTheEnd();
    ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
    return cookie;
  },
  async keeper() {
    const kept = ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie: await atTheEnd() }));
    const { token } = evening.token;
    return ok(await call(server.url, 'POST', '/keepsake/open', { token }, { cookie: kept.cookie })).cookie;
  },
  async revoked() {
    const token = await buildCode(server, evening);
    const cookie = await atTheEnd(token);
    await revokeCode(server, evening, token);
    return cookie;
  },
  other: () => enter(server, evening),
  admin: signIn,
  signed_out: async () => signedOut,
  async rehearsal() {
    const { body } = await call(server.url, 'POST', '/admin/rehearsal/pass', {}, { cookie: evening.admin });
    return ok(await call(server.url, 'POST', '/rehearsal/enter', { pass: body.pass })).cookie;
  },
  async phone() {
    const { body } = await call(server.url, 'POST', '/admin/diagnosis/pass', {}, { cookie: evening.admin });
    return ok(await call(server.url, 'POST', '/diagnosis/enter', { pass: body.pass })).cookie;
  },
};

async function atTheEnd(token = evening.token): Promise<string> {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'closing', 2);
  return cookie;
}
