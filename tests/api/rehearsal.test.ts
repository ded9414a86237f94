import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/domain/content.ts';
import { REHEARSAL_PASS_MS } from '../../src/domain/limits.ts';
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

/** The pass that is good; or one made anew, whatever there was. */
async function givenPass(anew = false): Promise<Given> {
  const asked = anew ? { anew } : {};
  return ok(await call(server.url, 'POST', '/admin/rehearsal/pass', asked, { cookie: evening.admin })).body;
}
const newPass = () => givenPass(true);
const closePass = () =>
  call(server.url, 'DELETE', '/admin/rehearsal/pass', undefined, { cookie: evening.admin });
async function openUntil(): Promise<string | null> {
  const cookie = evening.admin;
  return ok(await call(server.url, 'GET', '/admin/rehearsal/pass', undefined, { cookie })).body.scadenza;
}

const bring = (pass: string) => call(server.url, 'POST', '/rehearsal/enter', { pass });

/** The cookie of a phone that came in with the pass. */
async function comeIn(): Promise<string> {
  return ok(await bring((await givenPass()).pass)).cookie;
}

const read = (cookie = '') => call(server.url, 'GET', '/rehearsal', undefined, { cookie });
const file = (path: string, cookie = '') => call(server.url, 'GET', path, undefined, { cookie });
const codeOf = ({ body }: Answered) => body?.codice;

/** A claim under our seal, as passes are made, but maybe for another purpose. */
function sealed(purpose: string, claim: string): string {
  const seal = createHmac('sha256', server.deps.secret).update(`${purpose}${claim}`).digest('base64url');
  return `${claim}.${seal}`;
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
    const answer = await bring((await newPass()).pass);
    const [line = '', ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(line.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      'Max-Age=3600',
      'Path=/api',
      'SameSite=Strict',
    ]);
    expect(line).toMatch(/^prova=/);
  });

  test('that is forged, for another purpose, or not a pass at all is refused', async () => {
    const { pass } = await newPass();
    const [ends = '', generation = ''] = pass.split('.');
    const later = `${Number(ends) + 60_000}${pass.slice(ends.length)}`;
    const claim = `${ends}.${generation}`;
    const next = `${ends}.${Number(generation) + 1}${pass.slice(claim.length)}`;
    const flipped = pass.slice(0, -1) + (pass.endsWith('A') ? 'B' : 'A');
    const wrong = [
      later,
      next,
      flipped,
      sealed('visit:', claim),
      sealed('', claim),
      // Sealed by us, but never given.
      sealed('rehearsal:', `${ends}.${Number(generation) + 1}`),
      sealed('rehearsal:', `${ends}.0`),
      '',
      'x',
      `${claim}.`,
      'é'.repeat(57),
    ];
    for (const text of wrong) {
      const answer = await bring(text);
      expect({ text, codice: codeOf(answer), cookies: answer.cookie }).toEqual({
        text,
        codice: 'REHEARSAL_OVER',
        cookies: '',
      });
    }
    // What is sealed as a pass is one: the refusals above are not for the test's own mistakes.
    expect((await bring(sealed('rehearsal:', claim))).status).toBe(200);
  });

  test('that has ended is refused, and so is its cookie', async () => {
    const { pass } = await newPass();
    const { cookie } = ok(await bring(pass));
    clock.advance(REHEARSAL_PASS_MS - 1);
    expect((await read(cookie)).status).toBe(200);
    clock.advance(1);
    expect(codeOf(await bring(pass))).toBe('REHEARSAL_OVER');
    expect(codeOf(await read(cookie))).toBe('REHEARSAL_OVER');
    expect(codeOf(await file('/rehearsal/tickets/1/biglietti.pdf', cookie))).toBe('REHEARSAL_OVER');
    expect((await file(evening.media.picture.url.replace('/api', ''), cookie)).status).toBe(401);
  });

  test('ends when another is made: the phone’s next call is refused, whatever it asks for', async () => {
    const { pass } = await newPass();
    const { cookie } = ok(await bring(pass));
    expect((await read(cookie)).status).toBe(200);
    const next = await newPass();
    await expectOver(pass, cookie);
    expect((await read(ok(await bring(next.pass)).cookie)).status).toBe(200);
  });

  test('ends when it is closed, and stays closed when the next one is made', async () => {
    const { pass } = await newPass();
    const { cookie } = ok(await bring(pass));
    expect((await closePass()).status).toBe(200);
    expect(await openUntil()).toBeNull();
    await expectOver(pass, cookie);
    // Closed is closed, pressed twice too.
    expect((await closePass()).status).toBe(200);
    const next = await givenPass();
    expect(next.pass).not.toBe(pass);
    await expectOver(pass, cookie);
    expect(await openUntil()).toBe(next.scadenza);
    clock.advance(REHEARSAL_PASS_MS);
    expect(await openUntil()).toBeNull();
  });

  test('is nothing to who is signed in, and never hides that signing in is wanted', async () => {
    const { pass } = await newPass();
    const byPhone = ok(await bring(pass)).cookie;
    // In the administrator's own browser it isn't even taken up, and one that is there is taken away.
    expect(
      ok(await call(server.url, 'POST', '/rehearsal/enter', { pass }, { cookie: evening.admin })).cookie,
    ).toBe('');
    const signedIn = ok(await read(`${evening.admin}; ${byPhone}`));
    expect(signedIn.body.as).toBe('admin');
    const [line = ''] = signedIn.headers.getSetCookie();
    expect(line).toMatch(/^prova=;/);
    expect(line.split('; ')).toEqual(expect.arrayContaining(['Max-Age=0', 'Path=/api']));
    await closePass();
    expect(ok(await read(`${evening.admin}; ${byPhone}`)).body.as).toBe('admin');
    // The session is over, and the pass was taken away in time: what is asked for is to sign in.
    expect(codeOf(await read())).toBe('SIGN_IN_REQUIRED');
  });

  test('is made by the administrator only, and tells the site’s address where it is known', async () => {
    expect(codeOf(await call(server.url, 'POST', '/admin/rehearsal/pass', {}))).toBe('SIGN_IN_REQUIRED');
    const cookie = await comeIn();
    expect(codeOf(await call(server.url, 'POST', '/admin/rehearsal/pass', {}, { cookie }))).toBe(
      'SIGN_IN_REQUIRED',
    );
    const known = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example.org' } });
    try {
      const headers = { origin: 'https://sorpresa.example.org' };
      const sign = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
      const admin = ok(await call(known.url, 'POST', '/auth/sign-up/email', sign, { headers })).cookie;
      const sending = { cookie: admin, headers };
      const { body } = ok(await call(known.url, 'POST', '/admin/rehearsal/pass', {}, sending));
      expect(body.public_url).toBe('https://sorpresa.example.org');
      const entered = await call(known.url, 'POST', '/rehearsal/enter', { pass: body.pass }, { headers });
      expect(entered.headers.getSetCookie()[0]).toMatch(/^__Secure-prova=.*; Secure/);
    } finally {
      await known.stop();
    }
  });
});

/** Neither the pass nor the cookie it gave opens anything; the sentence says why. */
async function expectOver(pass: string, cookie: string): Promise<void> {
  const over = { codice: 'REHEARSAL_OVER', messaggio: errorSentences.REHEARSAL_OVER };
  expect((await bring(pass)).body).toEqual(over);
  expect((await read(cookie)).body).toEqual(over);
  expect((await file('/rehearsal/tickets/1/biglietti.pdf', cookie)).body).toEqual(over);
  expect((await file(evening.media.picture.url.replace('/api', ''), cookie)).status).toBe(401);
}

describe('the content', () => {
  test('is what a visit that began now would be given, for the administrator and for a guest', async () => {
    const session = await enter(server, evening);
    await walkTo(server, session, 'card');
    const row = await server.deps.db
      .selectFrom('active_sessions')
      .innerJoin('visit_snapshots', 'hash', 'snapshot_hash')
      .select('body')
      .orderBy('started_at', 'desc')
      .executeTakeFirstOrThrow();
    const kept: Snapshot = JSON.parse(row.body);
    const version = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect((await read(evening.admin)).body).toEqual({ as: 'admin', snapshot: kept, version });
    expect((await read(await comeIn())).body).toEqual({ as: 'guest', snapshot: kept, version });
    // Both at once, as on the administrator's own phone: the administrator.
    expect((await read(`${evening.admin}; ${await comeIn()}`)).body.as).toBe('admin');
  });

  test('nobody else: a visitor’s cookie means nothing to it', async () => {
    expect(codeOf(await read())).toBe('SIGN_IN_REQUIRED');
    expect(codeOf(await read(await enter(server, evening)))).toBe('SIGN_IN_REQUIRED');
    expect(codeOf(await read('prova=niente'))).toBe('SIGN_IN_REQUIRED');
    expect(codeOf(await read(`prova=${sealed('visit:', `${Date.now() + 60_000}.1`)}`))).toBe(
      'REHEARSAL_OVER',
    );
  });

  test('a guest may have the files the configuration points to now, and no other', async () => {
    const cookie = await comeIn();
    const path = (url: string) => url.replace('/api', '');
    const { media } = evening;
    for (const { url } of Object.values(media)) expect((await file(path(url), cookie)).status).toBe(200);
    const aside = await store(server, 'picture.jpg');
    expect((await file(path(aside.url), cookie)).status).toBe(404);
    expect((await file(path(aside.url), evening.admin)).status).toBe(200);

    const change = async (immagine_destinazione_url: string) => {
      const { versione } = ok(await file('/admin/config', evening.admin)).body;
      const fields = { versione, fields: { immagine_destinazione_url } };
      ok(await call(server.url, 'PATCH', '/admin/config', fields, { cookie: evening.admin }));
    };
    await change(aside.url);
    expect((await file(path(aside.url), cookie)).status).toBe(200);
    expect((await file(path(media.picture.url), cookie)).status).toBe(404);
    await change(media.picture.url);
  });

  test('the tickets to keep: a PDF as it is, a picture as a PDF, and none where there are none', async () => {
    for (const cookie of [evening.admin, await comeIn()]) {
      for (const viaggio of [1, 2]) {
        const answer = await file(`/rehearsal/tickets/${viaggio}/biglietti.pdf`, cookie);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-disposition')).toContain('biglietti.pdf');
        expect(answer.text.startsWith('%PDF-')).toBe(true);
      }
    }
    const visitor = await enter(server, evening);
    await walkTo(server, visitor, 'card');
    expect(codeOf(await file('/rehearsal/tickets/1/biglietti.pdf', visitor))).toBe('SIGN_IN_REQUIRED');
    expect(codeOf(await file('/visit/tickets/1/biglietti.pdf', await comeIn()))).toBe('NO_VISIT');
  });

  test('what isn’t ready for a visitor isn’t ready to be rehearsed', async () => {
    const empty = await startServer();
    try {
      const cookie = await signUp(empty);
      const ask = () => call(empty.url, 'GET', '/rehearsal', undefined, { cookie });
      expect(codeOf(await ask())).toBe('CONFIG_MISSING');
      const fields = { versione: 0, fields: { frasi: ['Ciao'] } };
      ok(await call(empty.url, 'PATCH', '/admin/config', fields, { cookie }));
      expect(codeOf(await ask())).toBe('VIDEO_MISSING');
      const tickets = await call(empty.url, 'GET', '/rehearsal/tickets/1/biglietti.pdf', undefined, {
        cookie,
      });
      expect(codeOf(tickets)).toBe('NOT_FOUND');
    } finally {
      await empty.stop();
    }
  });
});

describe('beside everything else', () => {
  test('a guest’s cookie opens nothing but the rehearsal: everywhere else it is as if nobody asked', async () => {
    const cookie = await comeIn();
    const media = evening.media.picture.url.replace('/api', '');
    const ground = { media, token_id: 'x', code: 'x', lastStep: 1, versione: 0 };
    const opened: string[] = [];
    for (const { path, method } of server.app.endpoints) {
      const row = ROUTES[`${method} ${path}`];
      const address =
        row?.path?.(ground) ?? path.replace('{viaggio}', '2').replace(/\{\w+\}/g, evening.media.picture.id);
      const body = ['GET', 'HEAD'].includes(method) ? undefined : (row?.body?.(ground) ?? {});
      const [guest, nobody] = [
        await call(server.url, method, address, body, { cookie }),
        await call(server.url, method, address, body),
      ];
      const same = guest.status === nobody.status && codeOf(guest) === codeOf(nobody);
      if (!same) opened.push(`${method} ${path}`);
    }
    expect(opened.toSorted()).toEqual([
      'GET /media/{file}',
      'GET /rehearsal',
      'GET /rehearsal/tickets/{viaggio}/biglietti.pdf',
      'POST /rehearsal/seen',
    ]);
  });

  test('seen to its end it leaves where, when and which evening, and nothing else', async () => {
    const cookie = await comeIn();
    const { version } = (await read(cookie)).body;
    const hash = await hashOfAllTables(server.deps.db);
    const seen = () => call(server.url, 'POST', '/rehearsal/seen', { version, phone: true }, { cookie });
    for (let times = 0; times < 21; times += 1) ok(await seen());
    expect(await hashOfAllTables(server.deps.db)).toBe(hash);
    const rows = await server.deps.db.selectFrom('rehearsals_seen').selectAll().execute();
    expect(rows).toHaveLength(20);
    const any = expect.any(String);
    expect(rows).toContainEqual({ id: any, at: any, user_agent: any, phone: true, version });
  });

  test('reading, playing and downloading as guest and administrator leaves every table as it was, and a visit too', async () => {
    const visitor = await enter(server, evening);
    const before = await walkTo(server, visitor, 'destination');
    const hash = await hashOfAllTables(server.deps.db);
    for (const cookie of [`${visitor}; ${await comeIn()}`, `${visitor}; ${evening.admin}`]) {
      expect(ok(await read(cookie)).cookie).toBe('');
      for (const { url } of Object.values(evening.media)) {
        expect((await file(url.replace('/api', ''), cookie)).status).toBe(200);
      }
      for (const viaggio of [1, 2]) {
        expect((await file(`/rehearsal/tickets/${viaggio}/biglietti.pdf`, cookie)).status).toBe(200);
      }
    }
    expect(await hashOfAllTables(server.deps.db)).toBe(hash);
    // The visit's own cookie still opens only what it has reached.
    expect(codeOf(await file('/visit/tickets/2/biglietti.pdf', `${visitor}; ${await comeIn()}`))).toBe(
      'NOT_FOUND',
    );
    expect(ok(await call(server.url, 'POST', '/visit/resume', {}, { cookie: visitor })).body).toEqual(before);
  });
});
