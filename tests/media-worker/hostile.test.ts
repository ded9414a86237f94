import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOn, ffmpeg } from '../support/ffmpeg.ts';
import { SOURCES } from '../support/films.ts';
import { withTracks } from '../support/hostile-files.ts';
import { withWorker } from '../support/media-work.ts';
import { MEDIA } from '../support/uploads.ts';

let folder: string;
let good: Buffer;
/** A server that records the requested paths. */
let listener: Server;
const requests: string[] = [];
let address: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  const path = join(folder, 'good.mp4');
  await ffmpeg(...SOURCES, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path);
  good = await readFile(path);
  listener = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(good);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterAll(async () => {
  listener.close();
  await rm(folder, { recursive: true, force: true });
});

const carryOut = withWorker();

async function film(name: string, bytes: Buffer | string) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return carryOut({ task: 'film', path, output: join(folder, 'made.mp4') });
}

test('opens no file or address that a file refers to', async () => {
  const other = join(folder, 'good.mp4');
  const hls = (place: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${place}\n#EXT-X-ENDLIST\n`;
  const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${address}/dash.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`;
  const sdp =
    'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\na=rtpmap:96 H264/90000\n';
  const lists: [string, string][] = [
    ['far.m3u8', hls(`${address}/hls.ts`)],
    ['near.mp4', hls(other)],
    ['dash.mpd', dash],
    ['concat.mp4', `ffconcat version 1.0\nfile ${other}\n`],
    ['concat-far.mp4', `ffconcat version 1.0\nfile '${address}/concat.mp4'\n`],
    ['session.sdp', sdp],
    ['far.ram', `${address}/film.rm\n`],
  ];
  for (const [name, text] of lists) expect(await film(name, text), name).toEqual({ refused: 'unknown' });
  expect(requests).toEqual([]);
});

test('refuses unusable files with a reason', async () => {
  const cut = join(folder, 'cut.mp4');
  await ffmpeg('-i', join(folder, 'good.mp4'), '-c', 'copy', '-movflags', '+faststart', cut);
  const indexed = await readFile(cut);
  const prores = await readFile(join(MEDIA, 'prores.mov'));
  // Each picture of a ProRes file states its transfer function; this one states a number without a meaning.
  prores[prores.indexOf('icpf', prores.indexOf('icpf') + 1) + 19] = 0;
  const rows: [string, string, Buffer | string][] = [
    ['empty', 'nothing', ''],
    ['unknown', 'words', 'Ciao, amore.'.repeat(1_000)],
    ['damaged', 'light that nobody can reckon', prores],
    ['damaged', 'two thousand tracks', withTracks(good, 2_000)],
    ['cut_short', 'the half of a film whose index comes first', indexed.subarray(0, indexed.length / 2)],
  ];
  for (const [refused, name, bytes] of rows) expect(await film('bad', bytes), name).toEqual({ refused });
  expect(await film('still.mp4', good)).toHaveProperty('output');
});

test('reports an encrypted file as protected', async () => {
  const [path, made] = [join(folder, 'locked.mp4'), join(folder, 'made.mp4')];
  const key = `-encryption_scheme cenc-aes-ctr -encryption_key ${'0'.repeat(32)} -encryption_kid ${'1'.repeat(32)}`;
  await ffmpeg('-i', join(folder, 'good.mp4'), '-c', 'copy', ...key.split(' '), path);
  expect(await carryOut({ task: 'film', path, output: made })).toEqual({ refused: 'protected' });
  expect(await carryOut({ task: 'song', path, output: made })).toEqual({ refused: 'protected' });
});

test('copies no pictures whose times are in another order than their frames', async () => {
  const bytes = Buffer.from(good);
  const table = bytes.indexOf('ctts', 0, 'latin1') + 4;
  // The second picture gets the shift of the first one, so both are shown at the same time.
  bytes.writeUInt32BE(bytes.readUInt32BE(table + 12), table + 20);
  expect(await film('order.mp4', bytes)).toMatchObject({ output: { kept: { picture: false, sound: true } } });
  expect(await complaintsOn(join(folder, 'made.mp4'))).toBe('');
});

test('refuses a song with 5 samples per second, and one that was cut off after its start', async () => {
  const [path, made] = [join(folder, 'song.wav'), join(folder, 'made.m4a')];
  const song = async (bytes: Buffer) => {
    await writeFile(path, bytes);
    return carryOut({ task: 'song', path, output: made });
  };
  const bytes = await readFile(join(MEDIA, 'song.wav'));
  bytes.writeUInt32LE(5, 24);
  expect(await song(bytes)).toEqual({ refused: 'damaged' });
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.1', path);
  expect(await song(await readFile(path))).toEqual({ refused: 'cut_short' });
});

test.each([
  ['good.mp4', 'sounding'],
  ['silent.mp4', 'sounding'],
  ['song.m4a', 'sounding'],
  ['../song.mp3', 'sounding'],
  ['../picture.jpg', 'picture'],
  ['../ticket.png', 'picture'],
] as const)('accepts %s when complete and refuses half of it', async (name, kind) => {
  const path = join(folder, 'half');
  expect(await carryOut({ task: 'whole', kind, path: join(MEDIA, name) })).toEqual({ whole: true });
  const bytes = await readFile(join(MEDIA, name));
  // An MP3 continues as long as there is data, so noise replaces its sound.
  const half = name.endsWith('.mp3') ? Buffer.from('x'.repeat(4_000)) : bytes.subarray(0, bytes.length >> 1);
  await writeFile(path, half);
  expect(await carryOut({ task: 'whole', kind, path })).toHaveProperty('refused');
});
