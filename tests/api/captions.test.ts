import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const { server, evening } = useEvening();

const SRT = '1\r\n00:00:00,500 --> 00:00:01,000\r\n<i>Ciao</i> <3\r\n';

const asked = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const save = (id: string, text: unknown, mode: unknown = 'device') =>
  asked('POST', `/admin/media/video/${id}/captions`, { text, mode });
const remove = (id: string) => asked('DELETE', `/admin/media/video/${id}/captions`);
const fetched = (url: string, cookie: string) => fetch(`${server.url}${url}`, { headers: { cookie } });
const statusOf = async (url: string, cookie: string) => (await fetched(url, cookie)).status;

/** A film of the list, which is the surprise's from then on. */
async function film(nome = 'good.mp4'): Promise<string> {
  const { body } = await upload({ url: server.url, cookie: evening.admin }, 'video', join(MEDIA, nome));
  expect(body.item.captions).toBeNull();
  ok(await asked('POST', `/admin/media/video/${body.item.id}/use`, {}));
  return body.item.id;
}

/** A visit's captions, as its stages hand them out. */
async function captionsOf(cookie: string) {
  const { stages } = await walkTo(server, cookie, 'video', 1);
  return stages.find((shown: { stage: string }) => shown.stage === 'video').captions;
}

test('they are kept as WebVTT, and read by the visits that show them and by nobody else', async () => {
  const id = await film();
  const other = await enter(server, evening);
  const { captions } = ok(await save(id, SRT)).body.item;
  expect(captions).toEqual({ url: expect.stringMatching(/\.vtt$/) as string, mode: 'device' });
  const hers = await enter(server, evening);
  expect(await captionsOf(other)).toBeNull();
  expect(await captionsOf(hers)).toEqual({ url: captions.url, always: false });
  const answer = await fetched(captions.url, hers);
  expect(await answer.text()).toBe('WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nCiao &lt;3\n');
  expect(answer.headers.get('content-type')).toMatch(/^text\/vtt/);
  expect(answer.headers.get('cache-control')).toBe('private, no-store');
  expect([await statusOf(captions.url, other), await statusOf(captions.url, '')]).toEqual([404, 401]);
});

test('a visit keeps what it began with, whatever becomes of them', async () => {
  const id = await film();
  const first = ok(await save(id, SRT, 'always')).body.item.captions;
  const [before, unwilling] = [await enter(server, evening), await enter(server, evening)];
  const second = ok(await save(id, '00:01 --> 00:02\nUn’altra cosa', 'device')).body.item.captions;
  const after = await enter(server, evening);
  ok(await remove(id));
  await sweepMedia(server.deps);
  expect(await captionsOf(before)).toEqual({ url: first.url, always: true });
  expect(await (await fetched(first.url, before)).text()).toContain('Ciao');
  expect(await captionsOf(after)).toEqual({ url: second.url, always: false });
  expect(await (await fetched(second.url, after)).text()).toContain('Un’altra cosa');
  expect(await captionsOf(await enter(server, evening))).toBeNull();
  expect([await statusOf(first.url, evening.admin), await statusOf(second.url, unwilling)]).toEqual([
    404, 404,
  ]);
});

test('those for nobody are handed to no visit, and stay with their film', async () => {
  const id = await film();
  const { url } = ok(await save(id, SRT, 'never')).body.item.captions;
  const visit = await enter(server, evening);
  expect(await captionsOf(visit)).toBeNull();
  expect([await statusOf(url, visit), await statusOf(url, evening.admin)]).toEqual([404, 200]);
  expect((await asked('GET', '/rehearsal')).body.snapshot.captions).toBeNull();
  ok(await save(id, SRT, 'always'));
  expect((await asked('GET', '/rehearsal')).body.snapshot.captions).toMatchObject({ always: true });
});

test('they go with their film', async () => {
  const id = await film();
  const { url } = ok(await save(id, SRT)).body.item.captions;
  await film('iphone.mov');
  ok(await asked('DELETE', `/admin/media/video/${id}`));
  ok(await asked('DELETE', '/admin/bin'));
  expect(await statusOf(url, evening.admin)).toBe(404);
  await sweepMedia(server.deps);
  const left = await server.deps.db.selectFrom('media').select('id').where('extension', '=', 'vtt').execute();
  expect(left.map((row) => row.id).filter((row) => url.includes(row))).toEqual([]);
});

test('captions that go on after their film are told', { timeout: 60_000 }, async () => {
  const id = await film();
  const row = () =>
    server.deps.db.selectFrom('videos').select('light_state').where('id', '=', id).executeTakeFirst();
  // Who makes the light films notes how long they are.
  await expect.poll(async () => (await row())?.light_state, { timeout: 30_000 }).not.toBeNull();
  const seconds = (value: number | null) =>
    server.deps.db.updateTable('videos').set({ seconds: value }).where('id', '=', id).execute();
  const warnings = async () =>
    (await asked('GET', '/admin/media/video')).body.find((item: { id: string }) => item.id === id).warnings;
  ok(await save(id, '00:01 --> 00:12.5\nCiao'));
  await seconds(null);
  expect(await warnings()).not.toContain('CAPTIONS_AFTER_END');
  await seconds(11);
  expect(await warnings()).not.toContain('CAPTIONS_AFTER_END');
  await seconds(10);
  expect(await warnings()).toContain('CAPTIONS_AFTER_END');
});

test.each([
  ['', 422, 'CAPTIONS_EMPTY', undefined],
  ['Caro amore', 422, 'CAPTIONS_UNREADABLE', undefined],
  ['a'.repeat(700_000), 413, 'CAPTIONS_TOO_LARGE', undefined],
  ['\n00:02 --> 00:01\nCiao', 422, 'CAPTION_TIMES', 2],
  [`00:01 --> 00:02\n${'a'.repeat(301)}`, 422, 'CAPTION_TOO_LONG', 1],
  ['00:01 --> 00:02\nCiao\0', 400, 'BAD_INPUT', undefined],
  [null, 400, 'BAD_INPUT', undefined],
])('%.20j is refused', async (text, status, codice, line) => {
  const answer = await save(await anyId(), text);
  expect([answer.status, answer.body.codice, answer.body.line]).toEqual([status, codice, line]);
  if (line !== undefined) expect(answer.body.messaggio).toMatch(new RegExp(`^Riga ${line}: `));
});

const anyId = async () => (await asked('GET', '/admin/media/video')).body[0].id;

test('to nobody else, and no other file', async () => {
  const answer = await save(await anyId(), SRT, 'sempre');
  expect([answer.status, answer.body.codice]).toEqual([400, 'BAD_INPUT']);
  for (const id of ['nessuno', '%00']) {
    expect([400, 404]).toContain((await save(id, SRT)).status);
    expect([400, 404]).toContain((await remove(id)).status);
  }
});
