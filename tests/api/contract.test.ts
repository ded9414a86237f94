import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ERROR_STATUS } from '../../src/contract/errors.ts';
import type { ContractCall } from '../support/contract-calls.ts';
import { calls, GOOD, LIMITS } from '../support/contract-limits.ts';
import { hostileBodies, hostileHeaders, hostileValue } from '../support/hostile.ts';
import { type Answered, call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  prepareEvening,
  revokeCode,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { hashOfAllTables } from '../support/table-hash.ts';

/** Input that each call accepts or refuses, checked by its schema without a server if that suffices. */

const takes = (name: string, input: unknown) => {
  const schema = calls.get(name)?.input;
  if (!schema) throw new Error(`${name} takes nothing`);
  return schema.safeParse(input).success;
};

/** Returns the input with another value at a path; undefined removes the field. */
function withField(input: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.');
  const inner = (input as Record<string, object>)[name] ?? {};
  return { ...input, [name]: rest.length === 0 ? value : withField(inner, rest.join('.'), value) };
}

describe('schema of a call', () => {
  test('accepts valid input and no additional field', () => {
    const tested = [...calls.values()].filter(({ input }) => input !== null).map(({ name }) => name);
    expect(tested.length).toBeGreaterThan(40);
    for (const name of tested) {
      expect([name, takes(name, GOOD[name])]).toEqual([name, true]);
      expect([name, takes(name, { ...GOOD[name], besides: 1 })]).toEqual([name, false]);
      expect([name, takes(name, [GOOD[name]]), takes(name, 'x')]).toEqual([name, false, false]);
    }
  });

  test('accepts fields up to their limits and nothing beyond', () => {
    const wrong: unknown[] = [];
    for (const [name, field, good, bad] of LIMITS)
      for (const [values, expected] of [
        [good, true],
        [bad, false],
      ] as const)
        for (const value of values)
          if (takes(name, withField(GOOD[name] ?? {}, field, value)) !== expected)
            wrong.push([name, field, value, expected]);
    expect(wrong).toEqual([]);
  });
});

const ALLOWED = [400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429];
/** Number of bodies generated per call, and the maximum number of valid and of invalid ones that are sent. */
const BODIES = 60;
const SENT = 3;

let server: TestServer;
let evening: Evening;
let cookies: Record<string, string>;
beforeAll(async () => {
  // A fixed clock: passing time writes nothing, and no session becomes silent on a slow machine.
  const now = new Date();
  server = await startServer({ now: () => now });
  // Downloads nothing and opens no tunnel.
  vi.spyOn(server.deps.sharing, 'start').mockImplementation(() => server.deps.sharing.read());
  evening = await prepareEvening(server);
  const cut = await buildCode(server, evening);
  const disconnected = await enter(server, { token: cut });
  await revokeCode(server, evening, cut);
  const asking = await enter(server, evening);
  await walkTo(server, asking, 'questions');
  const visitor = await enter(server, evening);
  cookies = { nobody: '', visitor, asking, disconnected, administrator: evening.admin };
});
afterAll(() => server.stop());

/**
 * Returns a hash of all tables but `media`: files are created and swept in the background, and the upload tests cover
 * them.
 */
const written = () => hashOfAllTables(server.deps.db, ['media']);

const all = [...calls.values()];
const writing = all.filter(({ method }) => method !== 'GET');
const reading = all.filter(({ method }) => method === 'GET');
const holders = fc.constantFrom('nobody', 'visitor', 'asking', 'disconnected', 'administrator');

/** Expects an Italian refusal in the standard form with its own status, never a 500. */
function expectRefusal({ status, body, text }: Answered): void {
  expect(ALLOWED, text).toContain(status);
  const { codice, messaggio, ...more } = body;
  expect(status).toBe(ERROR_STATUS[codice as keyof typeof ERROR_STATUS]);
  expect(messaggio).toMatch(/^[A-ZÈ].{5,}/);
  expect(Object.keys(more).filter((name) => name !== 'secondi' && name !== 'line')).toEqual([]);
}

/** Returns true if the body, with the id of the address, is valid input for the call. */
function isInput({ input, path }: ContractCall, body: string, id: string): boolean {
  if (input === null) return true;
  let given: unknown;
  try {
    given = body === '' ? undefined : JSON.parse(body);
  } catch {
    return false;
  }
  const whole = path.includes('{id}') ? { ...(given as object | undefined), id } : given;
  return input.safeParse(whole).success;
}

function hostileFor({ input }: ContractCall): fc.Arbitrary<string> {
  if (input === null) return hostileBodies({});
  const options = { io: 'input', unrepresentable: 'any' } as const;
  return hostileBodies(z.toJSONSchema(input, options) as z.core.JSONSchema.BaseSchema);
}

describe('bad input', () => {
  test.each(writing.map((each) => [each.name, each] as const))(
    'changes nothing and never causes a 500: %s',
    async (_name, each) => {
      const ids = [evening.token.id, crypto.randomUUID()];
      const requests = fc.record({
        body: hostileFor(each),
        holder: holders,
        headers: hostileHeaders,
        id: fc.constantFrom(...ids),
      });
      const bodies = fc.sample(requests, BODIES);
      const good = bodies.filter(({ body, id }) => isInput(each, body, id));
      const bad = bodies.filter((given) => !good.includes(given));
      const send = ({ body, holder, headers, id }: (typeof bodies)[number]) =>
        call(server.url, each.method, each.path.replace('{id}', id), body, {
          cookie: cookies[holder],
          headers: { 'content-type': 'application/json', ...headers },
        });
      const before = await written();
      for (const given of bad.slice(0, SENT)) expectRefusal(await send(given));
      expect(await written()).toBe(before);
      for (const given of good.slice(0, SENT)) {
        const answer = await send(given);
        if (answer.status >= 300) expectRefusal(answer);
      }
    },
  );

  test('is refused if a call requires input and the body is empty', async () => {
    const asking = writing.filter((each) => !each.path.includes('{') && !isInput(each, '', ''));
    expect(asking.map(({ name }) => name)).toContain('visit.heartbeat');
    for (const { method, path } of asking)
      expectRefusal(await call(server.url, method, path, '', { cookie: cookies['visitor'] }));
  });

  test('is refused as an id at every address that has one', async () => {
    const ids = ['1', '%00', '%ff', '..%2f..%2f', 'x'.repeat(1_000)];
    const before = await written();
    for (const { method, path } of all.filter((each) => each.path.includes('{id}')))
      for (const id of ids) {
        const body = method === 'GET' ? undefined : { attivo: false };
        const cookie = cookies['administrator'];
        expectRefusal(await call(server.url, method, path.replace('{id}', id), body, { cookie }));
      }
    expect(await written()).toBe(before);
  });

  test('changes nothing as query or headers of a reading call and never causes a 500', async () => {
    const others = ['/openapi.json', '/visit/tickets/1/biglietti.pdf', `/media/${'0'.repeat(32)}.mp4`];
    const names = ['data', 'event_type', '__proto__', 'constructor[prototype][x]', 'a[]', 'a[9999999]'];
    const requests = fc.record({
      query: fc.dictionary(fc.constantFrom(...names), hostileValue, { maxKeys: 3 }),
      holder: holders,
      headers: hostileHeaders,
    });
    const before = await written();
    for (const path of [...reading.map((each) => each.path), ...others])
      for (const { query, holder, headers } of fc.sample(requests, SENT)) {
        const pairs = Object.entries(query).map(([name, value]) => [
          name,
          String(JSON.stringify(value)).slice(0, 3_000).toWellFormed(),
        ]);
        const cookie = cookies[holder];
        const address = `${path}?${new URLSearchParams(pairs)}`;
        const answer = await call(server.url, 'GET', address, undefined, { cookie, headers });
        if (answer.status >= 400) expectRefusal(answer);
      }
    expect(await written()).toBe(before);
  });

  test('breaks no line of the log, which contains no code or cookie', async () => {
    const { token } = evening.token;
    await call(server.url, 'GET', `/${token}?codice=${token}`);
    const headers = { 'user-agent': 'a\tb' };
    await fetch(`${server.url}/${token.toLowerCase()}%0a%0d{"level":60}`, { headers });
    const all = server.logged();
    const lines = all.trimEnd().split('\n');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    expect(all.toUpperCase()).not.toContain(token.slice(4));
    for (const cookie of Object.values(cookies).filter((value) => value !== ''))
      expect(all).not.toContain(cookie.split('=')[1]?.split(';')[0]);
    expect(lines.some((line) => line.includes('"level":50'))).toBe(false);
  });
});
