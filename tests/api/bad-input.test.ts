import { traverseContractProcedures } from '@orpc/server';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../src/contract/contract.ts';
import { ERROR_STATUS } from '../../src/contract/errors.ts';
import { changePasswordBody, signInBody, signUpBody } from '../../src/server/auth/requests.ts';
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

const ALLOWED = [400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429];

let server: TestServer;
let evening: Evening;
let cookies: Record<string, string>;
beforeAll(async () => {
  // The clock stands still, so that nothing is written by time passing: no session falls silent however slow the machine is.
  const now = new Date();
  server = await startServer({ now: () => now });
  evening = await prepareEvening(server);
  const cut = await buildCode(server, evening);
  const disconnected = await enter(server, { token: cut });
  await revokeCode(server, evening, cut);
  const asking = await enter(server, evening);
  await walkTo(server, asking, 'questions');
  cookies = {
    nobody: '',
    visitor: await enter(server, evening),
    asking,
    disconnected,
    administrator: evening.admin,
  };
});
afterAll(() => server.stop());

/** Files are made and swept beside, in their own time; what a call may do to them is shown by the tests of uploads. */
const written = () => hashOfAllTables(server.deps.db, ['media']);

type Call = { name: string; method: string; path: string; input: z.ZodType | null };

function contractCalls(): Call[] {
  const calls: Call[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
    const { method = '', path: address = '' } = procedure['~orpc'].route;
    const input = (procedure['~orpc'].inputSchema ?? null) as z.ZodType | null;
    calls.push({ name: path.join('.'), method, path: address, input });
  });
  return calls;
}

const authCalls: Call[] = [
  { name: 'auth.sign-in', method: 'POST', path: '/auth/sign-in/email', input: signInBody },
  { name: 'auth.sign-up', method: 'POST', path: '/auth/sign-up/email', input: signUpBody },
  { name: 'auth.change-password', method: 'POST', path: '/auth/change-password', input: changePasswordBody },
];

const calls = [...contractCalls(), ...authCalls];
const writing = calls.filter(({ method }) => method !== 'GET');
const who = fc.constantFrom('nobody', 'visitor', 'asking', 'disconnected', 'administrator');

/** A refusal is in Italian, in its one form, under the status that belongs to it; never a 500. */
function expectRefusal({ status, body, text }: Answered): void {
  expect(ALLOWED, text).toContain(status);
  const { codice, messaggio, ...more } = body;
  expect(status).toBe(ERROR_STATUS[codice as keyof typeof ERROR_STATUS]);
  expect(messaggio).toMatch(/^[A-ZÈ].{5,}/);
  expect(Object.keys(more).filter((name) => name !== 'secondi' && name !== 'line')).toEqual([]);
}

/** Is this body, with the address it goes to, what the call asks for? */
function isInput({ input, path }: Call, body: string, id: string): boolean {
  if (input === null) return true;
  try {
    const given: unknown = body === '' ? undefined : JSON.parse(body);
    const whole = path.includes('{id}') ? { ...(given as object | undefined), id } : given;
    return input.safeParse(whole).success;
  } catch {
    return false;
  }
}

describe('bad input', () => {
  test.each(writing.map((each) => [each.name, each] as const))(
    '%s writes nothing and never answers 500',
    async (_name, each) => {
      const schema =
        each.input === null
          ? {}
          : (z.toJSONSchema(each.input, {
              io: 'input',
              unrepresentable: 'any',
            }) as z.core.JSONSchema.BaseSchema);
      await fc.assert(
        fc.asyncProperty(
          hostileBodies(schema),
          who,
          hostileHeaders,
          fc.boolean(),
          async (body, holder, headers, known) => {
            const id = known ? evening.token.id : crypto.randomUUID();
            const before = await written();
            const answer = await call(server.url, each.method, each.path.replace('{id}', id), body, {
              cookie: cookies[holder],
              headers: { 'content-type': 'application/json', ...headers },
            });
            if (answer.status >= 300) expectRefusal(answer);
            else expect(isInput(each, body, id), answer.text).toBe(true);
            if (!isInput(each, body, id)) expect(await written()).toBe(before);
          },
        ),
        { numRuns: each.path.startsWith('/auth') ? 25 : 60 },
      );
    },
    60_000,
  );

  test('a call that asks for something is refused when nothing is sent', async () => {
    const asking = writing.filter((each) => !each.path.includes('{') && !isInput(each, '', ''));
    expect(asking.map(({ name }) => name)).toContain('visit.heartbeat');
    for (const { method, path } of asking)
      expectRefusal(await call(server.url, method, path, '', { cookie: cookies['visitor'] }));
  });

  test.each(calls.filter(({ path }) => path.includes('{id}')).map((each) => [each.name, each] as const))(
    '%s with an id that is none',
    async (_name, each) => {
      const ids = [
        '1',
        '%00',
        '%ff',
        '..%2f..%2f',
        "'%20or%201=1--",
        'x'.repeat(1_000),
        '00000000-0000-0000-0000-00000000000g',
        '%F0%9F%98%80',
      ];
      const before = await written();
      for (const id of ids) {
        for (const cookie of Object.values(cookies)) {
          const body = each.method === 'GET' ? undefined : { attivo: false };
          expectRefusal(await call(server.url, each.method, each.path.replace('{id}', id), body, { cookie }));
        }
      }
      expect(await written()).toBe(before);
    },
  );

  test('reading calls with any query and any headers change nothing and never answer 500', async () => {
    const paths = calls.filter(({ method }) => method === 'GET').map(({ path }) => path);
    const others = [
      '/openapi.json',
      '/auth/get-session',
      '/visit/tickets/1/biglietti.pdf',
      `/media/${'0'.repeat(32)}.mp4`,
    ];
    const query = fc.dictionary(
      fc.constantFrom(
        'data',
        'event_type',
        'limit',
        '__proto__',
        'constructor[prototype][x]',
        'a[]',
        'a[9999999]',
        'a[b][c]',
      ),
      hostileValue,
      { maxKeys: 3 },
    );
    const before = await written();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths, ...others),
        query,
        who,
        hostileHeaders,
        async (path, asked, holder, headers) => {
          const pairs = Object.entries(asked).map(([name, value]) => [
            name,
            String(JSON.stringify(value)).slice(0, 3_000).toWellFormed(),
          ]);
          const address = `${path}?${new URLSearchParams(pairs)}`;
          const answer = await call(server.url, 'GET', address, undefined, {
            cookie: cookies[holder],
            headers,
          });
          if (answer.status >= 400) expectRefusal(answer);
        },
      ),
      { numRuns: 300 },
    );
    expect(await written()).toBe(before);
  });

  test('what was sent is in no line of the log in a way that breaks it, and no code or cookie is there', async () => {
    const token = evening.token.token;
    await call(server.url, 'GET', `/${token}?codice=${token}`, undefined, {});
    await fetch(`${server.url}/${token.toLowerCase()}%0a%0d{"level":60}`, {
      headers: { 'user-agent': 'a\tb' },
    });
    const lines = server.logged().trimEnd().split('\n');
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const all = server.logged();
    expect(all.toUpperCase()).not.toContain(token.slice(4));
    for (const cookie of Object.values(cookies).filter((value) => value !== '')) {
      expect(all).not.toContain(cookie.split('=')[1]?.split(';')[0]);
    }
    expect(lines.some((line) => line.includes('"level":50'))).toBe(false);
  });
});
