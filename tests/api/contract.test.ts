import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts';
import { MAX_LENGTH } from '../../src/domain/limits.ts';
import { MAX_LONG_BODY } from '../../src/server/http/json-body.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { calls, GOOD, LIMITS, text, UUID } from '../support/contract-limits.ts';
import { emptyPostgres } from '../support/databases.ts';
import { type Answered, call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { openSignedUp } from '../support/signed-up.ts';

/** What each call takes and what it refuses: by its schema, without a server, where that is enough. */

const takes = (name: string, input: unknown) => {
  const schema = calls.get(name)?.input;
  if (!schema) throw new Error(`${name} takes nothing`);
  return schema.safeParse(input).success;
};

/** The same input with another value at a place; undefined takes it away. */
function withField(input: object, path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.');
  const inner = (input as Record<string, object>)[name] ?? {};
  return { ...input, [name]: rest.length === 0 ? value : withField(inner, rest.join('.'), value) };
}

describe('a call', () => {
  test('takes its good input, and no field besides', () => {
    const tried = [...calls.values()].filter(({ input }) => input !== null).map(({ name }) => name);
    expect(tried.length).toBeGreaterThan(40);
    for (const name of tried) {
      expect([name, takes(name, GOOD[name])]).toEqual([name, true]);
      expect([name, takes(name, { ...GOOD[name], besides: 1 })]).toEqual([name, false]);
      expect([name, takes(name, [GOOD[name]]), takes(name, 'x')]).toEqual([name, false, false]);
    }
  });

  test('takes a field up to its limits, and nothing beyond', () => {
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

describe('the server', () => {
  let server: TestServer;
  let evening: Evening;
  let to: { url: string; cookie: string };
  beforeAll(async () => {
    server = await startServer();
    evening = await prepareEvening(server);
    to = { url: server.url, cookie: evening.admin };
  });
  afterAll(() => server.stop());

  const asAdmin = (method: string, path: string, body?: unknown) => call(to.url, method, path, body, to);
  const save = async (path: string, fields: object) => {
    const { versione } = ok(await asAdmin('GET', path)).body;
    return asAdmin('PATCH', path, { versione, fields });
  };
  /** Under the code's own status, with the code's own sentence. */
  function expectRefusal({ status, body }: Pick<Answered, 'status' | 'body'>, codice: ErrorCode): void {
    const refusal = { status: ERROR_STATUS[codice], codice, messaggio: errorSentences[codice] };
    expect({ status, ...body }).toEqual(refusal);
  }

  test('keeps the longest of everything whole, and changes nothing where one sign is too many', async () => {
    for (const path of ['/admin/config', '/admin/questions']) {
      const name = path === '/admin/config' ? 'admin.config.save' : 'admin.questions.save';
      const longest = Object.fromEntries(
        LIMITS.filter(
          ([of, field, good]) => of === name && field !== 'versione' && typeof good[0] !== 'number',
        )
          .filter(([, field]) => !/smtp|email|telegram|opens_at|data_laurea|keepsake|url$/.test(field))
          .map(([, field, good]) => [field.replace('fields.', ''), good[0]]),
      );
      const before = ok(await asAdmin('GET', path)).body;
      const first = Object.keys(longest)[0] ?? '';
      const tooLong = { ...longest, [first]: text(2_001) };
      expectRefusal(await save(path, tooLong), 'BAD_INPUT');
      expect((await asAdmin('GET', path)).body).toEqual(before);
      ok(await save(path, longest));
      expect((await asAdmin('GET', path)).body).toMatchObject(longest);
    }
    const nome = text(200);
    expect(await asAdmin('POST', '/admin/tokens', { nome })).toMatchObject({ status: 201, body: { nome } });
  });

  test('saves two lists as long as they may be together, shows them, and reads so much nowhere else', async () => {
    const full = Array.from({ length: MAX_LENGTH.phrases }, (_, n) => `${n} `.padEnd(MAX_LENGTH.phrase, '€'));
    const fields = { frasi_pre_video: full, frasi: full };
    ok(await save('/admin/config', fields));
    const visitor = await enter(server, evening);
    const visit = await walkTo(server, visitor, 'phrases');
    expect(visit.stages.at(-2)).toMatchObject({ stage: 'phrases', frasi: full });
    for (const cookie of ['', visitor])
      expectRefusal(
        await call(to.url, 'PATCH', '/admin/config', { versione: 0, fields }, { cookie }),
        'SIGN_IN_REQUIRED',
      );
    expectRefusal(await asAdmin('POST', '/admin/tokens', fields), 'BODY_TOO_LARGE');
    expectRefusal(await asAdmin('PATCH', '/admin/config', ' '.repeat(MAX_LONG_BODY + 1)), 'BODY_TOO_LARGE');
  });

  test('tells who comes before the opening when it is', async () => {
    const opens_at = '2099-12-12T20:00:00.000Z';
    ok(await save('/admin/config', { opens_at }));
    const entry = { token: evening.token.token, attempt_id: UUID, device_id: 'device-early' };
    const { status, body } = await call(to.url, 'POST', '/access', entry);
    expect([status, body]).toEqual([
      403,
      {
        codice: 'TOO_EARLY',
        messaggio: 'È ancora presto: ti aspetto sabato 12 dicembre alle 21:00.',
        opens_at,
        secondi: expect.any(Number),
      },
    ]);
    ok(await save('/admin/config', { opens_at: null }));
  });

  test.each(['/admin/config', '/admin/questions'])('refuses a stale save of %s', async (path) => {
    const fields = path === '/admin/config' ? { titolo_viaggio: 'Lisbona' } : { domanda_1: 'Vieni?' };
    const { versione } = ok(await asAdmin('GET', path)).body;
    const saving = () => asAdmin('PATCH', path, { versione, fields });
    ok(await saving());
    expectRefusal(await saving(), 'STALE_VERSION');
  });

  test('refuses what is no JSON, a message without a bot, and another code’s attempt', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await call(to.url, 'PATCH', '/admin/config', 'versione=0', { ...to, headers });
    expectRefusal(form, 'UNSUPPORTED_TYPE');
    expectRefusal(await asAdmin('POST', '/admin/notifications/test', {}), 'NOT_CONFIGURED');
    const attempt = { attempt_id: crypto.randomUUID(), device_id: 'device-1-a' };
    const another = ok(await asAdmin('POST', '/admin/tokens', { nome: 'Marta' })).body;
    ok(await call(to.url, 'POST', '/access', { ...attempt, token: evening.token.token }));
    expectRefusal(
      await call(to.url, 'POST', '/access', { ...attempt, token: another.token }),
      'ATTEMPT_CONFLICT',
    );
  });
});

test('input that PostgreSQL can’t take is refused, too', async () => {
  const { server, cookie, close } = await openSignedUp(emptyPostgres);
  const codeOf = async (method: string, path: string, body: object) =>
    (await call(server.url, method, path, body, { cookie })).body.codice;
  for (const [path, refusal] of [
    // Whoever read a version of it had read something.
    ['/admin/config', 'NOT_FOUND'],
    ['/admin/questions', 'STALE_VERSION'],
  ] as const) {
    const save = (versione: number) => codeOf('PATCH', path, { versione, fields: {} });
    expect(await save(2 ** 31 - 1)).toBe(refusal);
    for (const versione of [2 ** 31, 2 ** 53 - 1]) expect(await save(versione)).toBe('BAD_INPUT');
  }
  for (const video of ['\0', 'a\0b', '\uffff', "' or 1=1 --"]) {
    const path = `/admin/media/video/${encodeURIComponent(video)}/poster`;
    expect(['NOT_FOUND', 'BAD_INPUT']).toContain(await codeOf('POST', path, { second: 0 }));
  }
  await close();
});
