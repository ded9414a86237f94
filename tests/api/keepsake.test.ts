import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import ICAL from 'ical.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { italianDayOf } from '../../src/domain/days.ts';
import { KEEPSAKE } from '../../src/domain/limits.ts';
import { removeMedia } from '../../src/server/features/media/media.service.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { type Answered, call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

const DAY = 86_400_000;
/** The administrator's session has the machine's own clock. */
const TODAY = new Date();
const dayIn = (days: number) => italianDayOf(new Date(TODAY.getTime() + days * DAY));
const LAST_DAY = dayIn(30);

let server: TestServer;
let evening: Evening;
let now: Date;
const setDay = (day: string) => {
  now = new Date(`${day}T12:00:00Z`);
};
beforeEach(async () => {
  now = TODAY;
  server = await startServer({ now: () => now });
  evening = await prepareEvening(server, {
    keepsake_until: LAST_DAY,
    recipient_name: 'Giulia',
    data_partenza: '15 Dicembre 2027',
    data_ritorno: '20/12/2027',
    titolo_viaggio: 'Parigi, noi due',
    titolo_destinazione: 'Parigi',
    data_partenza_2: 'quando vuoi',
    data_ritorno_2: 'mai',
  });
});
afterEach(() => server.stop());

const codeOf = ({ body }: Answered) => body?.codice;
const get = (path: string, cookie = '') => call(server.url, 'GET', path, undefined, { cookie });
const open = (cookie: string, token = evening.token.token) =>
  call(server.url, 'POST', '/keepsake/open', { token }, { cookie });
const reply = (cookie: string, text: string) =>
  call(server.url, 'POST', '/keepsake/reply', { text }, { cookie });
const isOffered = async (cookie: string) => ok(await get('/site', cookie)).body.keepsake;

async function save(fields: Record<string, unknown>): Promise<void> {
  const { versione } = ok(await get('/admin/config', evening.admin)).body;
  ok(await call(server.url, 'PATCH', '/admin/config', { versione, fields }, { cookie: evening.admin }));
}

/** Sees the evening to its end; what the end answered. */
async function finish(token = evening.token): Promise<Answered> {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'closing', 2);
  return ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
}
const finished = async () => (await finish()).cookie;
const opened = async () => ok(await open(await finished())).cookie;

/** Everything behind the door. */
const behind = async (cookie: string) => [
  await get(evening.media.video.url.slice(4), cookie),
  await get('/keepsake/tickets/1/biglietti.pdf', cookie),
  await get('/keepsake/calendar/1/viaggio.ics', cookie),
  await reply(cookie, 'Grazie'),
];

describe('the end of a visit', () => {
  test('gives the device a cookie of its own, where a keepsake is left', async () => {
    const { headers, cookie } = await finish();
    const [kept = '', visit = ''] = headers.getSetCookie();
    expect(kept).toMatch(/^ricordo=[\w-]{43};/);
    expect(kept.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      `Max-Age=${KEEPSAKE.cookieMs / 1_000}`,
      'Path=/api',
      'SameSite=Strict',
    ]);
    expect(visit).toMatch(/^sid=;/);
    expect(await isOffered(cookie)).toBe(true);
    expect(ok(await get('/keepsake', cookie)).body).toEqual({ open: false });
    const [, secret = ''] = /ricordo=([\w-]+)/.exec(cookie) ?? [];
    const rows = await server.deps.db.selectFrom('keepsakes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(server.logged()).not.toContain(secret);
  });

  test('gives the same one to a reply that got lost', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'closing', 2);
    const first = ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
    const again = ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
    expect(again.cookie).toBe(first.cookie);
  });

  test.each([null, dayIn(-1)])('gives none where the day is %s', async (keepsake_until) => {
    await save({ keepsake_until });
    const { cookie } = await finish();
    expect(cookie).not.toContain('ricordo');
    expect(await isOffered(cookie)).toBe(false);
    // Nor does it come later to who finished before it was left.
    await save({ keepsake_until: LAST_DAY });
    expect(await isOffered(cookie)).toBe(false);
  });
});

describe('the code typed again', () => {
  test('shows the whole evening as it was, with her answers, in no cache', async () => {
    const cookie = await finished();
    await save({ frasi_pre_video: ['Cambiata'], titolo_viaggio: 'Altro' });
    const answer = ok(await open(cookie, ` ${evening.token.token.toLowerCase().replace('-', ' ')}`));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { stages, answers, ...rest } = answer.body;
    expect(rest).toEqual({ until: LAST_DAY, recipient_name: 'Giulia', calendars: [1], reply: null });
    expect(stages.map(({ stage }: { stage: string }) => stage)).toEqual([
      'pre_phrases',
      'video',
      'phrases',
      'destination',
      'card',
      'questions',
      'phrases',
      'card',
      'questions',
      'closing',
    ]);
    expect(stages[0].frasi).toEqual(['Prima']);
    expect(answers).toEqual([
      { viaggio: 1, risposta_1: true, risposta_2: true },
      { viaggio: 2, risposta_1: true, risposta_2: true },
    ]);
    for (const { status, headers } of await behind(answer.cookie)) {
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toMatch(/^(private, )?no-store$/);
    }
  });

  test('opens no tickets where the evening had none', async () => {
    await save({ biglietti_url: null });
    const refused = await get('/keepsake/tickets/1/biglietti.pdf', await opened());
    expect([refused.status, codeOf(refused)]).toEqual([404, 'NOT_FOUND']);
  });

  test('opens the files for some hours, then it is asked for again', async () => {
    const cookie = await opened();
    expect(ok(await get('/keepsake', cookie)).body).toEqual({ open: true });
    now = new Date(now.getTime() + KEEPSAKE.openMs);
    expect(ok(await get('/keepsake', cookie)).body).toEqual({ open: false });
    for (const answer of (await behind(cookie)).slice(1)) expect(codeOf(answer)).toBe('KEEPSAKE_CLOSED');
    expect(codeOf((await behind(cookie))[0] as Answered)).toBe('NO_VISIT');
  });

  test('of another visit, or a wrong one, opens nothing and counts as at the door', async () => {
    const other = await buildCode(server, evening, { max_accessi: 5 });
    const cookie = await finished();
    expect(codeOf(await open(cookie, other.token))).toBe('CODE_INVALID');
    expect(codeOf(await open(cookie, ' '))).toBe('CODE_EMPTY');
    for (const answer of (await behind(cookie)).slice(1)) expect(codeOf(answer)).toBe('KEEPSAKE_CLOSED');
    const { body: logs } = ok(await get('/admin/logs', evening.admin));
    expect(JSON.stringify(logs)).toContain('access_denied');
    const entering = { token: 'ROM-SBAGLIATO', attempt_id: randomUUID(), device_id: 'device-1-x' };
    expect(codeOf(await call(server.url, 'POST', '/access', entering))).toBe('CODE_INVALID');
    const counters = server.deps.db.selectFrom('rate_limits').select('points');
    expect(await counters.where('key', 'like', 'try:code:%').execute()).toEqual([{ points: 2 }]);
  });

  test('spends no use of the code, and needs none', async () => {
    const once = await buildCode(server, evening, { max_accessi: 1 });
    const { cookie } = await finish(once);
    expect((await open(cookie, once.token)).status).toBe(200);
    expect((await open(cookie, once.token)).status).toBe(200);
  });
});

describe('it is refused', () => {
  async function isGone(cookie: string): Promise<void> {
    expect(await isOffered(cookie)).toBe(false);
    expect(codeOf(await get('/keepsake', cookie))).toBe('NO_KEEPSAKE');
    expect(codeOf(await open(cookie))).toBe('NO_KEEPSAKE');
    const [film, ...others] = await behind(cookie);
    expect(codeOf(film as Answered)).toBe('NO_VISIT');
    for (const answer of others) expect(codeOf(answer)).toBe('NO_KEEPSAKE');
  }

  test('to another device, whatever it brings', async () => {
    const cookie = await opened();
    for (const other of [
      '',
      await enter(server, evening),
      evening.admin,
      cookie.replace('ricordo=', 'sid='),
      `ricordo=${'A'.repeat(43)}`,
    ]) {
      expect(await isOffered(other)).toBe(false);
      expect(codeOf(await get('/keepsake', other))).toBe('NO_KEEPSAKE');
      expect(codeOf(await open(other))).toBe('NO_KEEPSAKE');
      expect(codeOf(await reply(other, 'x'))).toBe('NO_KEEPSAKE');
      expect(codeOf(await get('/keepsake/tickets/1/biglietti.pdf', other))).toBe('NO_KEEPSAKE');
    }
  });

  test('to who has not come to the end', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'closing', 2);
    expect(await isOffered(cookie)).toBe(false);
    expect(codeOf(await get('/keepsake', cookie))).toBe('NO_KEEPSAKE');
  });

  test('after its day', async () => {
    const cookie = await opened();
    setDay(LAST_DAY);
    expect((await open(cookie)).status).toBe(200);
    setDay(dayIn(31));
    await isGone(cookie);
  });

  test('when it is switched off', async () => {
    const cookie = await opened();
    await save({ keepsake_until: null });
    await isGone(cookie);
  });

  test('after its code was revoked, or deleted', async () => {
    const cookie = await opened();
    await revokeCode(server, evening, evening.token);
    await isGone(cookie);
    const other = await buildCode(server, evening);
    const { cookie: kept } = await finish(other);
    ok(await open(kept, other.token));
    const { admin } = evening;
    ok(await call(server.url, 'DELETE', `/admin/tokens/${other.id}`, undefined, { cookie: admin }));
    await isGone(kept);
  });
});

describe('its files', () => {
  test('stay as long as it does, also when they were deleted', async () => {
    const cookie = await opened();
    const { id, url } = evening.media.video;
    const sweep = () => sweepMedia(server.deps);
    await server.deps.inTransaction((tx) => removeMedia(tx, id, now));
    setDay(LAST_DAY);
    await sweep();
    ok(await open(cookie));
    expect((await get(url.slice(4), cookie)).status).toBe(200);
    setDay(dayIn(31));
    await sweep();
    expect(await server.deps.storage.size(`${id}.mp4`)).toBeNull();
  });

  test('are cut on their way when it ends', async () => {
    // More than all the buffers between a server and a client who doesn't read.
    const long = Readable.from(Array.from({ length: 60 }, () => Buffer.alloc(1024 * 1024, 7)));
    const { url } = await store(server, 'lungo.mp4', long);
    await save({ video_url: url });
    const cookie = await opened();
    const response = await fetch(`${server.url}${url}`, { headers: { cookie } });
    expect(response.status).toBe(200);
    await save({ keepsake_until: null });
    await expect(readSlowly(response)).rejects.toThrow('terminated');
  });
});

/** Whoever reads as fast as it comes may have all of it before anybody looks whether it is still allowed. */
async function readSlowly({ body }: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    await sleep(20);
  }
  return bytes;
}

describe('a trip as a calendar file', () => {
  test('is of whole days, the last one among them', async () => {
    const { headers, text } = ok(await get('/keepsake/calendar/1/viaggio.ics', await opened()));
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="viaggio.ics"');
    const calendar = new ICAL.Component(ICAL.parse(text));
    const found = calendar.getAllSubcomponents('vevent').map((entry) => new ICAL.Event(entry));
    expect(found).toHaveLength(1);
    const [entry] = found as [InstanceType<typeof ICAL.Event>];
    expect(entry.startDate.isDate && entry.endDate.isDate).toBe(true);
    expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(['2027-12-15', '2027-12-21']);
    expect([entry.summary, entry.location]).toEqual(['Parigi, noi due', 'Parigi']);
    expect(entry.uid).toMatch(/^[0-9a-f-]{36}-1@sorpresa$/);
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0');
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  });

  test('isn’t made where the days can’t be read', async () => {
    expect(codeOf(await get('/keepsake/calendar/2/viaggio.ics', await opened()))).toBe('NOT_FOUND');
  });
});

describe('what she writes back', () => {
  const told = () =>
    server.deps.db
      .selectFrom('notifications')
      .select(['payload', 'next_attempt_at'])
      .where('type', '=', 'keepsake_reply')
      .execute();

  test('stays, can be written anew, and is told once she has stopped changing it', async () => {
    const cookie = await opened();
    expect(ok(await reply(cookie, '  Non lo dimentico.\nMai. ')).body).toEqual({
      reply: 'Non lo dimentico.\nMai.',
    });
    ok(await reply(cookie, 'Ti amo.'));
    ok(await reply(cookie, ' Ti amo. '));
    expect(ok(await open(cookie)).body.reply).toBe('Ti amo.');
    const { token } = evening.token;
    expect(ok(await get('/admin/replies', evening.admin)).body).toEqual([
      {
        session_id: expect.any(String),
        token_value: token,
        nome: 'Lei',
        testo: 'Ti amo.',
        at: now.toISOString(),
      },
    ]);
    const [notice, ...others] = await told();
    expect(others).toEqual([]);
    expect(JSON.parse(notice?.payload ?? '')).toEqual({
      type: 'keepsake_reply',
      token_value: evening.token.token,
      nome: 'Lei',
      testo: 'Ti amo.',
    });
    expect(Date.parse(notice?.next_attempt_at ?? '')).toBe(now.getTime() + KEEPSAKE.toldAfterMs);
  });

  test('may be taken back before anybody was told', async () => {
    const cookie = await opened();
    ok(await reply(cookie, 'Ti amo.'));
    expect(ok(await reply(cookie, ' \n ')).body).toEqual({ reply: null });
    expect(await told()).toEqual([]);
    expect(ok(await get('/admin/replies', evening.admin)).body).toEqual([]);
  });

  test('has at most 2,000 characters', async () => {
    const cookie = await opened();
    expect((await reply(cookie, '💛'.repeat(2_000))).status).toBe(200);
    expect(codeOf(await reply(cookie, 'a'.repeat(2_001)))).toBe('BAD_INPUT');
  });
});
