import ICAL from 'ical.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { italianDayOf } from '../../src/domain/days.ts';
import { KEEPSAKE } from '../../src/domain/limits.ts';
import { deleteMedia } from '../../src/server/features/media/media.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { type Answered, call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  saveConfig,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

const DAY = 86_400_000;
/** The administrator's session uses the machine's clock. */
const TODAY = new Date();
const dayIn = (days: number) => italianDayOf(new Date(TODAY.getTime() + days * DAY));
const LAST_DAY = dayIn(30);
const EVENING = { keepsake_until: LAST_DAY, frasi_pre_video: ['Prima'], titolo_viaggio: 'Parigi, noi due' };

let server: TestServer;
let evening: Evening;
let now = TODAY;
const setDay = (day: string) => {
  now = new Date(`${day}T12:00:00Z`);
};
beforeAll(async () => {
  server = await startServer({ now: () => now });
  evening = await prepareEvening(server, {
    ...EVENING,
    recipient_name: 'Giulia',
    data_partenza: '15 Dicembre 2027',
    data_ritorno: '20/12/2027',
    titolo_destinazione: 'Parigi',
    data_partenza_2: 'quando vuoi',
    data_ritorno_2: 'mai',
  });
});
beforeEach(async () => {
  now = TODAY;
  await save(EVENING);
});
afterAll(() => server.stop());

const TICKETS = '/keepsake/tickets/1/biglietti.pdf';
const codeOf = ({ body }: Answered) => body?.codice;
const get = (path: string, cookie = '') => call(server.url, 'GET', path, undefined, { cookie });
const post = (path: string, body: object, cookie: string) => call(server.url, 'POST', path, body, { cookie });
const open = (cookie: string, token = evening.token.token) => post('/keepsake/open', { token }, cookie);
const reply = (cookie: string, text: string) => post('/keepsake/reply', { text }, cookie);
const isOffered = async (cookie: string) => ok(await get('/site', cookie)).body.keepsake;

const save = (fields: Record<string, unknown>) => saveConfig(server, evening.admin, fields);

/** Returns the cookie of a visit at its closing, not completed yet. */
async function atTheEnd(token = evening.token): Promise<string> {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'closing', 2);
  return cookie;
}
const complete = async (cookie: string) => ok(await post('/visit/complete', {}, cookie));
const finish = async (token = evening.token) => complete(await atTheEnd(token));
const opened = async () => ok(await open((await finish()).cookie)).cookie;

/** Returns the responses of everything that needs an open keepsake, the film first. */
const behind = async (cookie: string) => [
  await get(evening.media.video.url.slice(4), cookie),
  await get(TICKETS, cookie),
  await get('/keepsake/calendar/1/viaggio.ics', cookie),
  await reply(cookie, 'Grazie'),
];
const codesBehind = async (cookie: string) => (await behind(cookie)).map(codeOf);

describe('end of a visit', () => {
  test('sets a separate keepsake cookie on the device, the same again if the reply was lost', async () => {
    const visitor = await atTheEnd();
    expect(await isOffered(visitor)).toBe(false);
    expect(codeOf(await get('/keepsake', visitor))).toBe('NO_KEEPSAKE');
    const { headers, cookie } = await complete(visitor);
    const [keepsakeLine = '', visit = ''] = headers.getSetCookie();
    expect(keepsakeLine).toMatch(/^ricordo_[0-9a-f]{8}=[\w-]{43};/);
    expect(keepsakeLine.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      `Max-Age=${KEEPSAKE.cookieMs / 1_000}`,
      'Path=/api',
      'SameSite=Strict',
    ]);
    expect(visit).toMatch(/^sid_[0-9a-f]{8}=;/);
    expect((await complete(visitor)).cookie).toBe(cookie);
    expect(await isOffered(cookie)).toBe(true);
    expect(ok(await get('/keepsake', cookie)).body).toEqual({ open: false });
    const [, secret = ''] = /ricordo_\w+=([\w-]+)/.exec(cookie) ?? [];
    const rows = await server.deps.db.selectFrom('keepsakes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(server.logged()).not.toContain(secret);
  });

  test.each([null, dayIn(-1)])('sets none if the last day is %s, and none later', async (keepsake_until) => {
    await save({ keepsake_until });
    const { cookie } = await finish();
    expect(cookie).not.toContain('ricordo');
    await save({ keepsake_until: LAST_DAY });
    expect(await isOffered(cookie)).toBe(false);
  });
});

describe('code typed again', () => {
  test('shows the whole evening unchanged, with the answers, in no cache', async () => {
    const { cookie } = await finish();
    await save({ frasi_pre_video: ['Cambiata'], titolo_viaggio: 'Altro' });
    const answer = ok(await open(cookie, ` ${evening.token.token.toLowerCase().replace('-', ' ')}`));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { stages, answers, ...rest } = answer.body;
    expect(rest).toEqual({ until: LAST_DAY, recipient_name: 'Giulia', calendars: [1], reply: null });
    const names = stages.map(({ stage }: { stage: string }) => stage).join(' ');
    expect(names).toBe('pre_phrases video phrases destination card questions phrases card questions closing');
    expect(stages[0].frasi).toEqual(['Prima']);
    const yes = { risposta_1: true, risposta_2: true };
    expect(answers).toEqual([
      { viaggio: 1, ...yes },
      { viaggio: 2, ...yes },
    ]);
    for (const { status, headers } of await behind(answer.cookie))
      expect([status, headers.get('cache-control')]).toEqual([
        200,
        expect.stringMatching(/^(private, )?no-store$/),
      ]);
  });

  test('opens the files for some hours, then it is required again', async () => {
    const cookie = await opened();
    now = new Date(now.getTime() + KEEPSAKE.openMs - 1);
    expect(ok(await get('/keepsake', cookie)).body).toEqual({ open: true });
    now = new Date(now.getTime() + 1);
    expect(ok(await get('/keepsake', cookie)).body).toEqual({ open: false });
    const closed = Array(3).fill('KEEPSAKE_CLOSED');
    expect(await codesBehind(cookie)).toEqual(['NO_VISIT', ...closed]);
  });

  test('opens nothing if it is wrong or of another visit, and counts as a failed attempt', async () => {
    const other = await buildCode(server, evening, { max_accessi: 5 });
    const { cookie } = await finish();
    const points = async () => {
      const counters = server.deps.db.selectFrom('rate_limits').select('points');
      return (await counters.where('key', 'like', 'try:code:%').execute()).map((row) => row.points);
    };
    const before = (await points())[0] ?? 0;
    expect(codeOf(await open(cookie, other.token))).toBe('CODE_INVALID');
    expect(codeOf(await open(cookie, ' '))).toBe('CODE_EMPTY');
    expect(await points()).toEqual([before + 1]);
    expect((await codesBehind(cookie)).slice(1)).toEqual(Array(3).fill('KEEPSAKE_CLOSED'));
    const logs = ok(await get('/admin/logs?event_type=access_denied', evening.admin)).body;
    expect(logs.totale).toBeGreaterThan(0);
  });

  test('spends no use of the code, and needs none', async () => {
    const once = await buildCode(server, evening, { max_accessi: 1 });
    const { cookie } = await finish(once);
    for (let times = 0; times < 2; times += 1) expect((await open(cookie, once.token)).status).toBe(200);
  });
});

describe('keepsake', () => {
  async function expectRefused(cookie: string): Promise<void> {
    expect(await isOffered(cookie)).toBe(false);
    const answers = [await get('/keepsake', cookie), await open(cookie)];
    expect(answers.map(codeOf)).toEqual(['NO_KEEPSAKE', 'NO_KEEPSAKE']);
    expect(await codesBehind(cookie)).toEqual(['NO_VISIT', ...Array(3).fill('NO_KEEPSAKE')]);
  }

  test('is refused after its last day, and when it is switched off', async () => {
    const cookie = await opened();
    setDay(LAST_DAY);
    expect((await open(cookie)).status).toBe(200);
    setDay(dayIn(31));
    await expectRefused(cookie);
    now = TODAY;
    await save({ keepsake_until: null });
    await expectRefused(cookie);
  });

  test('is refused after its code was revoked or deleted', async () => {
    const revoked = await buildCode(server, evening);
    const deleted = await buildCode(server, evening);
    const [one, other] = [await finish(revoked), await finish(deleted)];
    ok(await open(one.cookie, revoked.token));
    ok(await open(other.cookie, deleted.token));
    await revokeCode(server, evening, revoked);
    const cookie = evening.admin;
    ok(await call(server.url, 'DELETE', `/admin/tokens/${deleted.id}`, undefined, { cookie }));
    for (const ended of [one, other]) await expectRefused(ended.cookie);
  });
});

describe('files of the keepsake', () => {
  test('serves them until the last day, also if they were deleted', async () => {
    const film = await store(server, 'video-3s.mp4');
    await save({ video_url: film.url });
    const cookie = await opened();
    await save({ video_url: evening.media.video.url });
    await server.deps.inTransaction((tx) => deleteMedia(tx, film.id, now));
    setDay(LAST_DAY);
    await sweepMedia(server.deps);
    ok(await open(cookie));
    expect((await get(film.url.slice(4), cookie)).status).toBe(200);
    setDay(dayIn(31));
    await sweepMedia(server.deps);
    expect(await server.deps.storage.size(`${film.id}.mp4`)).toBeNull();
  });
});

test('exports a trip with readable dates as a calendar file of whole days, including the last one', async () => {
  const cookie = await opened();
  expect(codeOf(await get('/keepsake/calendar/2/viaggio.ics', cookie))).toBe('NOT_FOUND');
  const { headers, text } = ok(await get('/keepsake/calendar/1/viaggio.ics', cookie));
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="viaggio.ics"');
  const calendar = new ICAL.Component(ICAL.parse(text));
  const entries = calendar.getAllSubcomponents('vevent').map((entry) => new ICAL.Event(entry));
  expect(entries).toHaveLength(1);
  const [entry] = entries as [InstanceType<typeof ICAL.Event>];
  expect(entry.startDate.isDate && entry.endDate.isDate).toBe(true);
  expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(['2027-12-15', '2027-12-21']);
  expect([entry.summary, entry.location]).toEqual(['Parigi, noi due', 'Parigi']);
  expect(entry.uid).toMatch(/^[0-9a-f-]{36}-1@sorpresa$/);
  expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
});

test('stores, replaces and deletes the reply, and notifies once it is no longer changed', async () => {
  const notices = server.deps.db.selectFrom('notifications').where('type', '=', 'keepsake_reply');
  const replyNotices = () => notices.select(['payload', 'next_attempt_at']).execute();
  await server.deps.db.deleteFrom('notifications').execute();
  await server.deps.db.deleteFrom('keepsakes').execute();
  const replies = async () => ok(await get('/admin/replies', evening.admin)).body;
  const cookie = await opened();
  const write = async (text: string) => ok(await reply(cookie, text)).body;
  expect(await write('  Non lo dimentico.\nMai. ')).toEqual({ reply: 'Non lo dimentico.\nMai.' });
  for (const text of ['Ti amo.', ' Ti amo. ']) await write(text);
  expect(ok(await open(cookie)).body.reply).toBe('Ti amo.');
  const written = { token_value: evening.token.token, nome: 'Lei', testo: 'Ti amo.' };
  expect(await replies()).toEqual([{ session_id: expect.any(String), ...written, at: now.toISOString() }]);
  const [notice, ...others] = await replyNotices();
  expect(others).toEqual([]);
  expect(JSON.parse(notice?.payload ?? '')).toEqual({ type: 'keepsake_reply', ...written });
  expect(Date.parse(notice?.next_attempt_at ?? '')).toBe(now.getTime() + KEEPSAKE.notifyAfterMs);
  expect(await write(' \n ')).toEqual({ reply: null });
  expect([await replyNotices(), await replies()]).toEqual([[], []]);
});
