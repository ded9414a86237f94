import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIAGNOSIS } from '../../src/domain/diagnosis.ts';
import { createClock } from '../support/deps.ts';
import { type Answered, call } from '../support/http.ts';
import { type Evening, ok, prepareEvening } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let evening: Evening;
const clock = createClock(new Date().toISOString());
beforeAll(async () => {
  server = await startServer({ now: clock.now });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type PassReply = { id: number; nome: string; pass: string; scadenza: string; public_url: string | null };

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const createPass = async (wish: object = {}): Promise<PassReply> =>
  ok(await asAdmin('POST', '/admin/diagnosis/pass', wish)).body;
const list = async () => ok(await asAdmin('GET', '/admin/diagnosis')).body;

const bring = (pass: string) => call(server.url, 'POST', '/diagnosis/enter', { pass });
const enterWithPass = async (wish: object = {}) => ok(await bring((await createPass(wish)).pass)).cookie;
const read = (cookie: string) => call(server.url, 'GET', '/diagnosis', undefined, { cookie });
const report = (cookie: string, body: object) =>
  call(server.url, 'POST', '/diagnosis/report', body, { cookie, headers: { 'user-agent': 'x'.repeat(450) } });
const codeOf = ({ body }: Answered) => body?.codice;
const nome = 'Il telefono di Giulia';

const FOUND = { in_app: false, mbit: 20, film: 'played', heard: 'yes', song: 'by_itself', song_heard: 'yes' };

test('refuses a pass that is revoked, of another purpose or no pass', async () => {
  const { id, pass } = await createPass({ anew: true });
  const cookie = ok(await bring(pass)).cookie;
  const rehearsal = ok(await asAdmin('POST', '/admin/rehearsal/pass', {})).body.pass;
  for (const text of [rehearsal, 'x']) expect(codeOf(await bring(text))).toBe('DIAGNOSIS_OVER');
  // It does not open the rehearsal either.
  expect(codeOf(await call(server.url, 'POST', '/rehearsal/enter', { pass }))).toBe('REHEARSAL_OVER');

  const close = () => asAdmin('DELETE', `/admin/diagnosis/pass/${id}`);
  expect([(await close()).status, codeOf(await close())]).toEqual([200, 'NOT_FOUND']);
  const reported = await report(cookie, { id: randomUUID(), findings: {} });
  for (const over of [await bring(pass), await read(cookie), reported])
    expect(codeOf(over)).toBe('DIAGNOSIS_OVER');
});

describe('report of a phone', () => {
  test('is stored under its name and rated when read; a second report updates the same phone', async () => {
    const cookie = await enterWithPass({ nome });
    const id = randomUUID();
    ok(await report(cookie, { id, findings: { in_app: true } }));
    expect((await list()).phones[0]).toMatchObject({ id, verdict: 'unknown', faults: ['in_app'] });
    ok(await report(cookie, { id, findings: FOUND }));
    const [phone, ...others] = (await list()).phones;
    expect(others).toEqual([]);
    expect(phone).toMatchObject({ id, nome, findings: FOUND, verdict: 'good' });
    expect(phone.untried).toContain('ticket');
    expect(phone.user_agent).toHaveLength(DIAGNOSIS.userAgentSigns);
    const forget = () => asAdmin('DELETE', `/admin/diagnosis/${id}`);
    expect([(await forget()).status, codeOf(await forget())]).toEqual([200, 'NOT_FOUND']);
    expect((await list()).phones).toEqual([]);
  });

  test('is accepted with the pass itself, from a browser that stores no cookies', async () => {
    const { pass } = await createPass();
    const id = randomUUID();
    ok(await report('', { id, findings: { cookies: false }, pass }));
    expect((await list()).phones[0]).toMatchObject({ id, verdict: 'bad', faults: ['cookies_lost'] });
    expect(codeOf(await report('', { id, findings: {}, pass: 'x' }))).toBe('DIAGNOSIS_OVER');
  });
});

test('accepts a pass for a week, for the phone of one name, and does not store it', async () => {
  const reply = await createPass({ nome: `  ${nome} due ` });
  expect(reply).toMatchObject({ nome: `${nome} due`, public_url: null });
  const { pass, public_url: _, ...storedPass } = reply;
  expect((await list()).passes).toContainEqual(storedPass);
  expect(server.logged()).not.toContain(pass);
  // A second request returns the same pass. Another phone has its own, and a new pass replaces the one before.
  expect(await createPass({ nome: `${nome} due` })).toEqual(reply);
  const his = await createPass({ nome: 'Il mio' });
  expect([(await bring(pass)).status, (await bring(his.pass)).status]).toEqual([200, 200]);
  expect((await createPass({ nome: `${nome} due`, anew: true })).id).not.toBe(reply.id);
  expect(codeOf(await bring(pass))).toBe('DIAGNOSIS_OVER');
  const { cookie } = ok(await bring(his.pass));
  clock.advance(DIAGNOSIS.passMs - 1);
  expect((await read(cookie)).status).toBe(200);
  clock.advance(1);
  for (const over of [await bring(his.pass), await read(cookie)]) expect(codeOf(over)).toBe('DIAGNOSIS_OVER');
});
