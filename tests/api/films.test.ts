import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CAPTIONS } from '../../src/domain/limits.ts';
import { readCaptions, webVTTOf } from '../../src/server/features/captions/captions.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { findFilmExtras } from '../../src/server/features/visit/snapshot.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, revokeCode, walkTo } from '../support/http-evening.ts';
import { heavyFilm } from '../support/light-films.ts';
import { newFolder } from '../support/server.ts';
import { useEvening } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** Data derived from a film or stored with it: its light version, its captions, its loudness. */

const { server, evening } = useEvening();
let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Film = { id: string; url: string; poster_url: string };
const adminCall = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const put = async (file: string, slot = 'video') =>
  ok(await upload({ url: server.url, cookie: evening.admin }, slot, file)).body.item;
/** Uploads a film and makes it the surprise's. */
async function film(file = join(MEDIA, 'good.mp4')): Promise<Film> {
  const item = await put(file);
  ok(await adminCall('POST', `/admin/media/video/${item.id}/use`, {}));
  return item;
}
const itemOf = async (id: string) =>
  ok(await adminCall('GET', '/admin/media/video')).body.find((item: Film) => item.id === id);
const rowOf = (id: string) =>
  server.deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Returns the film's row once its need for a light version is known. */
async function untilChecked(id: string) {
  await vi.waitUntil(async () => (await rowOf(id)).light_state !== null, { timeout: 30_000 });
  return rowOf(id);
}
const fetched = (url: string | null, cookie: string) =>
  fetch(`${server.url}${url ?? ''}`, { headers: { cookie } });
const statusOf = async (url: string | null, cookie = evening.admin) => (await fetched(url, cookie)).status;
const begin = () => enter(server, evening);
/** Returns the film's stage as sent to a visit. */
async function shown(cookie: string) {
  const { stages } = await walkTo(server, cookie, 'video');
  return stages.find(({ stage }: { stage: string }) => stage === 'video');
}

describe('light version of a film with a high bit rate', () => {
  let heavy: Film;
  let light_url: string | null;
  /** A visit that began with another film. */
  let earlier: string;
  beforeAll(async () => {
    earlier = await begin();
    await walkTo(server, earlier, 'video');
    heavy = await film(await heavyFilm(folder, { seconds: 2 }));
    ({ light_url } = await untilChecked(heavy.id));
  });
  const setLight = async (on: boolean) =>
    ok(await adminCall('POST', `/admin/media/video/${heavy.id}/light`, { on })).body.item.light;

  test('is created later, smaller, and reported with its film', async () => {
    const row = await rowOf(heavy.id);
    const made = { light_state: 'made', light_of: heavy.url, light_on: true };
    expect(row).toMatchObject({ ...made, seconds: expect.closeTo(2, 1) as number });
    const { size: bytes, light } = await itemOf(heavy.id);
    expect(light).toMatchObject({ on: true, state: 'made', seconds: row.seconds });
    expect(light.size).toBeLessThan(0.8 * bytes);
    const video_bitrate = Math.round((bytes * 8) / (row.seconds ?? 0));
    const extras = { poster_url: heavy.poster_url, light_url, video_bitrate, captions: null };
    expect(await findFilmExtras(server.deps.db, heavy.url)).toEqual(extras);
  });

  test('is served with its film unless it is off when the visit begins, and to no other visit', async () => {
    const cookie = await begin();
    expect(await shown(cookie)).toMatchObject({ video_url: heavy.url, light_url });
    const statuses = [cookie, evening.admin, earlier, ''].map((whose) => statusOf(light_url, whose));
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 401]);
    const token = await buildCode(server, evening);
    const revoked = await enter(server, { token });
    await revokeCode(server, evening, token);
    expect(await statusOf(light_url, revoked)).toBe(403);
    const before = await begin();
    expect(await setLight(false)).toMatchObject({ on: false, state: 'made' });
    const urls = [(await shown(before)).light_url, (await shown(await begin())).light_url];
    expect([...urls, await statusOf(light_url, before)]).toEqual([light_url, null, 200]);
    expect(await setLight(true)).toMatchObject({ on: true, state: 'made' });
    expect((await shown(await begin())).light_url).toBe(light_url);
  });

  test('is deleted with its film, and is not created for a light film', async () => {
    ok(await adminCall('DELETE', `/admin/media/video/${heavy.id}`));
    ok(await adminCall('DELETE', '/admin/bin'));
    expect(await statusOf(light_url)).toBe(404);
    const { id } = await film();
    expect(await untilChecked(id)).toMatchObject({ light_state: 'needless', light_url: null });
    expect((await itemOf(id)).light).toMatchObject({ on: true, state: 'needless', size: null });
  });
});

describe('captions', () => {
  const SRT = '1\r\n00:00:00,500 --> 00:00:01,000\r\n<i>Ciao</i> <3\r\n';
  const save = (id: string, text: unknown, mode: unknown = 'device') =>
    adminCall('POST', `/admin/media/video/${id}/captions`, { text, mode });
  const saved = async (id: string, text: string, mode?: string) =>
    ok(await save(id, text, mode)).body.item.captions;
  const remove = (id: string) => adminCall('DELETE', `/admin/media/video/${id}/captions`);
  const captionsOf = async (cookie: string) => (await shown(cookie)).captions;
  let id: string;
  beforeAll(async () => {
    ({ id } = await film());
  });

  test('stores WebVTT, and serves each visit those it began with, regardless of later changes', async () => {
    expect((await itemOf(id)).captions).toBeNull();
    const other = await begin();
    const first = await saved(id, SRT);
    expect(first).toEqual({ url: expect.stringMatching(/\.vtt$/) as string, mode: 'device' });
    const hers = await begin();
    const second = await saved(id, '00:01 --> 00:02\nUn’altra cosa', 'always');
    const after = await begin();
    ok(await remove(id));
    await sweepMedia(server.deps);
    expect(await captionsOf(other)).toBeNull();
    expect(await captionsOf(hers)).toEqual({ url: first.url, always: false });
    expect(await captionsOf(after)).toEqual({ url: second.url, always: true });
    const answer = await fetched(first.url, hers);
    expect(await answer.text()).toBe('WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nCiao &lt;3\n');
    expect(answer.headers.get('content-type')).toMatch(/^text\/vtt/);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const refused = [statusOf(first.url, other), statusOf(first.url, ''), statusOf(first.url)];
    expect(await Promise.all(refused)).toEqual([404, 401, 404]);
  });

  test('warns about those that continue after their film', async () => {
    // The light-film maker records the film's length.
    await untilChecked(id);
    await saved(id, '00:01 --> 00:12.5\nCiao');
    const isLate = async (seconds: number | null) => {
      await server.deps.db.updateTable('videos').set({ seconds }).where('id', '=', id).execute();
      return (await itemOf(id)).warnings.includes('CAPTIONS_AFTER_END');
    };
    expect([await isLate(null), await isLate(11), await isLate(10)]).toEqual([false, false, true]);
  });

  test('refuses invalid ones with their line, also in a long body', async () => {
    const { status, body } = await save(id, '\n00:02 --> 00:01\nCiao');
    const messaggio = expect.stringMatching(/^Riga 2: /) as string;
    expect([status, body]).toEqual([422, { codice: 'CAPTION_TIMES', line: 2, messaggio }]);
    expect((await save(id, 'a'.repeat(700_000))).body.codice).toBe('CAPTIONS_TOO_LARGE');
  });

  test('serves disabled ones to no visit, and deletes them with their film', async () => {
    const { url } = await saved(id, SRT, 'never');
    const visit = await begin();
    expect(await captionsOf(visit)).toBeNull();
    expect([await statusOf(url, visit), await statusOf(url)]).toEqual([404, 200]);
    const rehearsed = async () => (await adminCall('GET', '/rehearsal')).body.snapshot.captions;
    expect(await rehearsed()).toBeNull();
    const last = await saved(id, SRT, 'always');
    expect(await rehearsed()).toMatchObject({ always: true });
    ok(await adminCall('DELETE', `/admin/media/video/${id}`));
    ok(await adminCall('DELETE', '/admin/bin'));
    expect(await statusOf(last.url)).toBe(404);
  });
});

test('warns of a quiet song alone, and in comparison once a film is in use', async () => {
  const tone = (dB: number) => ['-f', 'lavfi', '-i', `sine=duration=2:sample_rate=48000,volume=${dB}dB`];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=2'];
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
  const at = (name: string) => join(folder, name);
  await ffmpeg(...picture, ...tone(5), ...h264, at('usual.mp4'));
  await ffmpeg(...tone(-20), at('soft.mp3'));
  const { versione } = ok(await adminCall('GET', '/admin/config')).body;
  ok(await adminCall('PATCH', '/admin/config', { versione, fields: { video_url: null } }));
  expect((await put(at('soft.mp3'), 'canzone')).warnings).toEqual(['TOO_QUIET']);
  expect((await film(at('usual.mp4'))) as object).toMatchObject({ warnings: [] });
  expect(ok(await adminCall('GET', '/admin/media/canzone')).body[0].warnings).toEqual(['QUIETER_THAN_FILM']);
});

describe('caption file', () => {
  /** Returns the captions as `start–end text`, or the refusal. */
  function read(text: string): string[] | object {
    const captions = readCaptions(text);
    return 'refused' in captions
      ? captions
      : captions.map((caption) => `${caption.start}–${caption.end} ${caption.text}`);
  }

  const CIAO = ['1–2.5 Ciao'];

  test.each<[string, string, string[]]>([
    ['WebVTT', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nCiao\n', CIAO],
    ['SRT', '1\n00:00:01,000 --> 00:00:02,500\nCiao\n', CIAO],
    ['with a BOM, from Windows', '\u{feff}WEBVTT\r\n\r\n00:01.000 --> 00:02.500\r\nCiao\r\n', CIAO],
    ['typed by hand', '0:01 -> 0:2.5\nCiao', CIAO],
    [
      'a header’s line right before the times',
      'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:0\n00:01.000 --> 00:02.500\nCiao',
      CIAO,
    ],
    ['in no order', '00:03 --> 00:04\namore\n\n00:01 --> 00:02.5\nCiao', [...CIAO, '3–4 amore']],
    ['hours', '101:02:03,004 --> 101:02:04,000\nCiao', ['363723.004–363724 Ciao']],
    ['two lines', '00:01 --> 00:02.5\n  Ciao \t amore  \ncome stai?\n', ['1–2.5 Ciao amore\ncome stai?']],
    ['settings and places', '00:01 --> 00:02.5 align:start X1:20\n{\\an8}Ciao', CIAO],
    [
      'comments, styles and names',
      'WEBVTT - film\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nper me\n\nprimo\n00:01.0 --> 00:02.5\n<v Anna>Ciao',
      CIAO,
    ],
    [
      'marks that are words',
      '00:01 --> 00:02\nio <3 te & tu < me > &lt;b&gt; &amp; A&B',
      ['1–2 io <3 te & tu < me > <b> & A&B'],
    ],
    ['an arrow that is said', '00:01 --> 00:02\nRoma -> Parigi', ['1–2 Roma → Parigi']],
    [
      'a script',
      '00:01 --> 00:02\n<script>alert(1)</script><img src=x onerror=alert(1)>fine',
      ['1–2 alert(1)fine'],
    ],
    ['signs of every kind', '00:01 --> 00:02\nè 👨‍👩‍👧 \u{7}ø', ['1–2 è 👨‍👩‍👧 ø']],
  ])('is read: %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  const TIMES = (line: number) => ({ refused: 'CAPTION_TIMES', line });

  test.each<[string, string, object]>([
    ['nothing', ' \n\t\r\n', { refused: 'CAPTIONS_EMPTY' }],
    ['times alone', '00:01 --> 00:02\n\n00:03 --> 00:04\n<i></i>', { refused: 'CAPTIONS_UNREADABLE' }],
    ['an end at its start', 'WEBVTT\n\n00:04 --> 00:04\nno', TIMES(3)],
    ['a minute of 60 seconds', '00:00:60 --> 00:02:00\nno', TIMES(1)],
    ['an hour of 60 minutes', '00:60:00 --> 02:00:00\nno', TIMES(1)],
    ['half a time', '00:01 -->\nno', TIMES(1)],
    [
      'markup in markup',
      `00:01 --> 00:02\nCiao\n\n00:03 --> 00:04\n${'<b>'.repeat(150_000)}no`,
      { refused: 'CAPTION_TOO_LONG', line: 4 },
    ],
    ['blanks before an arrow', `0:01${' '.repeat(500_000)}x->`, TIMES(1)],
    ['too much text', 'a'.repeat(CAPTIONS.maxChars + 1), { refused: 'CAPTIONS_TOO_LARGE' }],
    [
      'a caption of a sign too many',
      `00:01 --> 00:02\n${'è'.repeat(CAPTIONS.maxCharsEach + 1)}`,
      { refused: 'CAPTION_TOO_LONG', line: 1 },
    ],
    ['too many', '00:01 --> 00:02\nsì\n\n'.repeat(CAPTIONS.count + 1), { refused: 'CAPTIONS_TOO_LARGE' }],
  ])('is refused: %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('is read with the maximum number of captions, each of maximum length', () => {
    const many = readCaptions('00:01 --> 00:02\nsì\n\n'.repeat(CAPTIONS.count));
    expect(many).toHaveLength(CAPTIONS.count);
    const long = '🌹'.repeat(CAPTIONS.maxCharsEach);
    expect(read(`00:01 --> 00:02\n${long}`)).toEqual([`1–2 ${long}`]);
  });

  const MARKS =
    String.raw`<b> </b> < > <3 <v.x <00:01.5> & &lt; &amp;amp; &#60; ; --> -> {\an8} WEBVTT NOTE STYLE 7 Ciao`
      .split(' ')
      .concat('<v Anna>', '\u{feff}', '\ud83d', '\u{2028}', '\t', ' ');

  test('is read or refused for any input, and read the same again from its stored form', () => {
    const words = fc.array(fc.constantFrom(...MARKS), { maxLength: 8 }).map((marks) => marks.join(''));
    const line = fc.oneof(words, fc.constantFrom('', '', '00:01 --> 00:02', '0:1,5->1:00', '7'));
    let read = 0;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const captions = readCaptions(lines.join('\n'));
        if ('refused' in captions) return;
        read += 1;
        expect(readCaptions(webVTTOf(captions))).toEqual(captions);
      }),
      { numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(50);
  });
});
