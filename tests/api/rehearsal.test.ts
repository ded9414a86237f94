import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/domain/content.ts';
import { REHEARSAL_PASS_MS } from '../../src/domain/limits.ts';
import { rehearsedSince } from '../../src/server/features/rehearsal/seen.service.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { ROUTES } from '../architecture/route-table.ts';
import { createClock } from '../support/deps.ts';
import { type Answered, call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, signUp, store, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { hashOfAllTables } from '../support/table-hash.ts';

let server: TestServer;
let evening: Evening;
const clock = createClock(new Date().toISOString());
beforeAll(async () => {
  server = await startServer({ now: clock.now });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type Given = { pass: string; scadenza: string; public_url: string | null };

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const PASS = '/admin/rehearsal/pass';
/** The pass that is good; or one made anew, whatever there was. */
const givenPass = async (asked: { anew?: boolean } = {}): Promise<Given> =>
  ok(await asAdmin('POST', PASS, asked)).body;
const newPass = () => givenPass({ anew: true });
const closePass = () => asAdmin('DELETE', PASS);
const openUntil = async (): Promise<string | null> => ok(await asAdmin('GET', PASS)).body.scadenza;

const bring = (pass: string, cookie = '') =>
  call(server.url, 'POST', '/rehearsal/enter', { pass }, { cookie });
/** The cookie of a phone that came in with the pass. */
const comeIn = async () => ok(await bring((await givenPass()).pass)).cookie;
const file = (path: string, cookie = '') =>
  call(server.url, 'GET', path.replace(/^\/api/, ''), undefined, { cookie });
const read = (cookie = '') => file('/rehearsal', cookie);
const ticketsPath = (viaggio: number) => `/rehearsal/tickets/${viaggio}/biglietti.pdf`;
const codeOf = ({ body }: Answered) => body?.codice;
const statusOf = async (url: string, cookie: string) => (await file(url, cookie)).status;

/** A claim under our seal, as passes are made, but maybe for another purpose. */
function sealed(purpose: string, claim: string): string {
  const seal = createHmac('sha256', server.deps.secret).update(`${purpose}${claim}`).digest('base64url');
  return `${claim}.${seal}`;
}

/** Neither the pass nor the cookie it gave opens anything; the sentence says why. */
async function expectOver(pass: string, cookie: string): Promise<void> {
  const over = { codice: 'REHEARSAL_OVER', messaggio: errorSentences.REHEARSAL_OVER };
  for (const answer of [await bring(pass), await read(cookie), await file(ticketsPath(1), cookie)])
    expect(answer.body).toEqual(over);
  expect(await statusOf(evening.media.picture.url, cookie)).toBe(401);
}

describe('the pass', () => {
  test('lasts an hour and is stored nowhere: what is kept is its number and its end', async () => {
    const { pass, scadenza, public_url } = await newPass();
    expect(Date.parse(scadenza)).toBe(clock.now().getTime() + REHEARSAL_PASS_MS);
    expect(public_url).toBeNull();
    const [, generation = ''] = pass.split('.');
    expect(await server.deps.db.selectFrom('rehearsal_pass').selectAll().execute()).toEqual([
      { id: 1, generation: Number(generation), scadenza },
    ]);
    const before = await hashOfAllTables(server.deps.db);
    expect((await bring(pass)).status).toBe(200);
    expect(server.logged()).not.toContain(pass);
    expect(await openUntil()).toBe(scadenza);
    // Asked for again, it is the same one: who shows the code twice shuts nobody out.
    clock.advance(60_000);
    expect(await givenPass()).toEqual({ pass, scadenza, public_url });
    expect(await hashOfAllTables(server.deps.db)).toBe(before);
  });

  test('gives a cookie of its own name, for calls of our own pages only, that ends with the pass', async () => {
    const [line = '', ...others] = (await bring((await newPass()).pass)).headers.getSetCookie();
    expect(others).toEqual([]);
    expect(line).toMatch(/^prova=/);
    const attributes = ['HttpOnly', 'Max-Age=3600', 'Path=/api', 'SameSite=Strict'];
    expect(line.split('; ').slice(1).toSorted()).toEqual(attributes);
  });

  test('that is forged, for another purpose, or not a pass at all is refused', async () => {
    const { pass } = await newPass();
    const [ends = '', generation = ''] = pass.split('.');
    const claim = `${ends}.${generation}`;
    const next = `${ends}.${Number(generation) + 1}`;
    const wrong = [
      `${Number(ends) + 60_000}${pass.slice(ends.length)}`,
      `${next}${pass.slice(claim.length)}`,
      pass.slice(0, -1) + (pass.endsWith('A') ? 'B' : 'A'),
      sealed('visit:', claim),
      sealed('', claim),
      // Sealed by us, but never given.
      sealed('rehearsal:', next),
      sealed('rehearsal:', `${ends}.0`),
      '',
      'x',
      `${claim}.`,
      'é'.repeat(57),
    ];
    for (const text of wrong) {
      const answer = await bring(text);
      expect([text, codeOf(answer), answer.cookie]).toEqual([text, 'REHEARSAL_OVER', '']);
    }
    // What is sealed as a pass is one: the refusals above are not for the test's own mistakes.
    expect((await bring(sealed('rehearsal:', claim))).status).toBe(200);
  });

  test('is over after its hour, when another is made, and when it is closed', async () => {
    const ends: (() => Promise<unknown>)[] = [async () => clock.advance(1), newPass, closePass];
    for (const end of ends) {
      const { pass } = await newPass();
      const { cookie } = ok(await bring(pass));
      if (end === ends[0]) clock.advance(REHEARSAL_PASS_MS - 1);
      expect((await read(cookie)).status).toBe(200);
      await end();
      await expectOver(pass, cookie);
    }
    expect(await openUntil()).toBeNull();
    // Closed is closed, pressed twice too.
    expect((await closePass()).status).toBe(200);
    const next = await givenPass();
    expect((await read(ok(await bring(next.pass)).cookie)).status).toBe(200);
    expect(await openUntil()).toBe(next.scadenza);
    clock.advance(REHEARSAL_PASS_MS);
    expect(await openUntil()).toBeNull();
  });

  test('is nothing to who is signed in, and never hides that signing in is wanted', async () => {
    const { pass } = await newPass();
    const byPhone = ok(await bring(pass)).cookie;
    // In the administrator's own browser it isn't even taken up, and one that is there is taken away.
    expect(ok(await bring(pass, evening.admin)).cookie).toBe('');
    const both = `${evening.admin}; ${byPhone}`;
    const signedIn = ok(await read(both));
    expect(signedIn.body.as).toBe('admin');
    const [line = ''] = signedIn.headers.getSetCookie();
    expect(line).toMatch(/^prova=;/);
    expect(line.split('; ')).toEqual(expect.arrayContaining(['Max-Age=0', 'Path=/api']));
    await closePass();
    expect(ok(await read(both)).body.as).toBe('admin');
    // The session is over, and the pass was taken away in time: what is asked for is to sign in.
    expect(codeOf(await read())).toBe('SIGN_IN_REQUIRED');
  });

  test('tells the site’s address where it is known, and gives its cookie over TLS alone there', async () => {
    const origin = 'https://sorpresa.example.org';
    const known = await startServer({ env: { PUBLIC_URL: origin } });
    const headers = { origin };
    const sign = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    const { cookie } = ok(await call(known.url, 'POST', '/auth/sign-up/email', sign, { headers }));
    const { body } = ok(await call(known.url, 'POST', PASS, {}, { cookie, headers }));
    expect(body.public_url).toBe(origin);
    const entered = await call(known.url, 'POST', '/rehearsal/enter', { pass: body.pass }, { headers });
    expect(entered.headers.getSetCookie()[0]).toMatch(/^__Secure-prova=.*; Secure/);
    await known.stop();
  });
});

describe('the content', () => {
  test('is what a visit that began now would be given, for the administrator and for a guest', async () => {
    const session = await enter(server, evening);
    const row = await server.deps.db
      .selectFrom('active_sessions')
      .innerJoin('visit_snapshots', 'hash', 'snapshot_hash')
      .select('body')
      .orderBy('started_at', 'desc')
      .executeTakeFirstOrThrow();
    const snapshot: Snapshot = JSON.parse(row.body);
    const version = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect((await read(evening.admin)).body).toEqual({ as: 'admin', snapshot, version });
    expect((await read(await comeIn())).body).toEqual({ as: 'guest', snapshot, version });
    for (const cookie of [session, 'prova=niente'])
      expect(codeOf(await read(cookie))).toBe('SIGN_IN_REQUIRED');
    const forged = `prova=${sealed('visit:', `${Date.now() + 60_000}.1`)}`;
    expect(codeOf(await read(forged))).toBe('REHEARSAL_OVER');
  });

  test('has the files the configuration points to now, and no other', async () => {
    const cookie = await comeIn();
    const { media } = evening;
    for (const { url } of Object.values(media)) expect(await statusOf(url, cookie)).toBe(200);
    const aside = await store(server, 'picture.jpg');
    expect(await statusOf(aside.url, cookie)).toBe(404);
    expect(await statusOf(aside.url, evening.admin)).toBe(200);
    const change = async (immagine_destinazione_url: string) => {
      const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
      ok(await asAdmin('PATCH', '/admin/config', { versione, fields: { immagine_destinazione_url } }));
    };
    await change(aside.url);
    expect(await statusOf(aside.url, cookie)).toBe(200);
    expect(await statusOf(media.picture.url, cookie)).toBe(404);
    await change(media.picture.url);
  });

  test('isn’t there before it is ready for a visitor', async () => {
    const empty = await startServer();
    const cookie = await signUp(empty);
    const ask = (path: string) => call(empty.url, 'GET', path, undefined, { cookie });
    expect(codeOf(await ask('/rehearsal'))).toBe('CONFIG_MISSING');
    const fields = { versione: 0, fields: { frasi: ['Ciao'] } };
    ok(await call(empty.url, 'PATCH', '/admin/config', fields, { cookie }));
    expect(codeOf(await ask('/rehearsal'))).toBe('VIDEO_MISSING');
    expect(codeOf(await ask(ticketsPath(1)))).toBe('NOT_FOUND');
    await empty.stop();
  });
});

describe('beside everything else', () => {
  test('a guest’s cookie opens nothing but the rehearsal: everywhere else it is as if nobody asked', async () => {
    const cookie = await comeIn();
    const ground = { media: evening.media.picture.url.slice(4), token_id: 'x', code: 'x', lastStep: 1 };
    const opened: string[] = [];
    for (const { path, method } of server.app.endpoints) {
      const row = ROUTES[`${method} ${path}`];
      const address =
        row?.path?.({ ...ground, versione: 0 }) ??
        path.replace('{viaggio}', '2').replace(/\{\w+\}/g, evening.media.picture.id);
      const body = ['GET', 'HEAD'].includes(method)
        ? undefined
        : (row?.body?.({ ...ground, versione: 0 }) ?? {});
      const [guest, nobody] = [
        await call(server.url, method, address, body, { cookie }),
        await call(server.url, method, address, body),
      ];
      if (guest.status !== nobody.status || codeOf(guest) !== codeOf(nobody))
        opened.push(`${method} ${path}`);
    }
    expect(opened.toSorted()).toEqual([
      'GET /media/{file}',
      'GET /rehearsal',
      'GET /rehearsal/tickets/{viaggio}/biglietti.pdf',
      'POST /rehearsal/seen',
    ]);
  });

  test('reading, playing and downloading leaves every table as it was, and a visit too', async () => {
    const visitor = await enter(server, evening);
    const before = await walkTo(server, visitor, 'destination');
    const hash = await hashOfAllTables(server.deps.db);
    for (const cookie of [`${visitor}; ${await comeIn()}`, `${visitor}; ${evening.admin}`]) {
      expect(ok(await read(cookie)).cookie).toBe('');
      for (const { url } of Object.values(evening.media)) expect(await statusOf(url, cookie)).toBe(200);
      for (const viaggio of [1, 2]) {
        const { headers, text } = ok(await file(ticketsPath(viaggio), cookie));
        expect(headers.get('content-disposition')).toContain('biglietti.pdf');
        expect(text.startsWith('%PDF-')).toBe(true);
      }
      // The visit's own cookie still opens only what it has reached.
      expect(codeOf(await file('/visit/tickets/2/biglietti.pdf', cookie))).toBe('NOT_FOUND');
    }
    expect(await hashOfAllTables(server.deps.db)).toBe(hash);
    expect(ok(await call(server.url, 'POST', '/visit/resume', {}, { cookie: visitor })).body).toEqual(before);
  });
});

describe('seen to its end', () => {
  const seen = async (phone: boolean) => {
    const cookie = await comeIn();
    const { version } = (await read(cookie)).body;
    ok(await call(server.url, 'POST', '/rehearsal/seen', { version, phone }, { cookie }));
    return version;
  };
  const rows = () => server.deps.db.selectFrom('rehearsals_seen').selectAll().orderBy('at').execute();
  beforeEach(() => server.deps.db.deleteFrom('rehearsals_seen').execute());

  test('it leaves where, when and which evening, and nothing else, of the latest twenty', async () => {
    const hash = await hashOfAllTables(server.deps.db);
    const moments: string[] = [];
    let version = '';
    for (let times = 0; times < 21; times += 1) {
      clock.advance(1_000);
      moments.push(clock.now().toISOString());
      version = await seen(true);
    }
    expect(await hashOfAllTables(server.deps.db)).toBe(hash);
    const any = expect.any(String);
    expect(await rows()).toEqual(
      moments.slice(1).map((at) => ({ id: any, at, user_agent: any, phone: true, version })),
    );
  });

  test('on a phone it counts for the evening as it is now', async () => {
    const since = () => rehearsedSince(server.deps.db);
    expect(await since()).toBe('never');
    await seen(false);
    expect(await since()).toBe('never');
    await seen(true);
    expect(await since()).toBe('seen');
    const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
    ok(await asAdmin('PATCH', '/admin/config', { versione, fields: { frasi: ['Altro'] } }));
    expect(await since()).toBe('old');
  });
});
