import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOn, ffmpeg } from '../support/ffmpeg.ts';
import { SOURCES } from '../support/films.ts';
import { box, uint32s, withChunksOf, withTracks } from '../support/hostile-files.ts';
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
    ['damaged', 'sound of two seconds that lasts for half an hour, says its clock', slowSound()],
  ];
  for (const [refused, name, bytes] of rows) expect(await film('bad', bytes), name).toEqual({ refused });
  expect(await film('still.mp4', good)).toHaveProperty('output');
});

test('reads no media from other files (dref)', async () => {
  const outside = withMediaIn(good, join(folder, 'good.mp4'));
  // The file's own media are empty; only those it refers to are a film.
  expect(await film('outside.mp4', outside)).toHaveProperty('refused');
});

test('reports an encrypted file as protected', async () => {
  const [path, made] = [join(folder, 'locked.mp4'), join(folder, 'made.mp4')];
  const key = `-encryption_scheme cenc-aes-ctr -encryption_key ${'0'.repeat(32)} -encryption_kid ${'1'.repeat(32)}`;
  await ffmpeg('-i', join(folder, 'good.mp4'), '-c', 'copy', ...key.split(' '), path);
  expect(await carryOut({ task: 'film', path, output: made })).toEqual({ refused: 'protected' });
  expect(await carryOut({ task: 'song', path, output: made })).toEqual({ refused: 'protected' });
});

test('ignores the duration that a header claims', async () => {
  const claims = Buffer.from(good);
  claims.writeUInt32BE(100_000_000, claims.indexOf('mvhd', 0, 'latin1') + 20);
  expect(await film('long.mp4', claims)).toMatchObject({
    output: { duration: expect.closeTo(2, 0) as number },
  });
});

test.each([
  [
    'whose times are in another order than its frames',
    (table: number, bytes: Buffer) =>
      // The second picture gets the shift of the first one, so both are shown at the same time.
      bytes.writeUInt32BE(bytes.readUInt32BE(table + 12), table + 20),
  ],
  [
    'whose first is said to be shown days later',
    (table: number, bytes: Buffer) => bytes.writeUInt32BE(2 ** 31 - 1, table + 12),
  ],
])('copies no picture %s', async (_what, spoil) => {
  const bytes = Buffer.from(good);
  spoil(bytes.indexOf('ctts', 0, 'latin1') + 4, bytes);
  expect(await film('order.mp4', bytes)).toMatchObject({ output: { kept: { picture: false, sound: true } } });
  expect(await complaintsOn(join(folder, 'made.mp4'))).toBe('');
});

test('refuses songs with 5 or 2³¹−1 samples per second, and a song that was cut off after its start', async () => {
  const [path, made] = [join(folder, 'song.wav'), join(folder, 'made.m4a')];
  const song = async (bytes: Buffer) => {
    await writeFile(path, bytes);
    return carryOut({ task: 'song', path, output: made });
  };
  const bytes = await readFile(join(MEDIA, 'song.wav'));
  for (const rate of [5, 1_000_000_000, 2 ** 31 - 1]) {
    bytes.writeUInt32LE(rate, 24);
    expect(await song(bytes), String(rate)).toEqual({ refused: 'damaged' });
  }
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.1', path);
  expect(await song(await readFile(path))).toEqual({ refused: 'cut_short' });
});

test('ends on chunks of 2³²−1 samples', async () => {
  const result = await film('chunks.mp4', withChunksOf(good, 0xff_ff_ff_ff));
  expect('output' in result || 'refused' in result).toBe(true);
});

test('refuses pictures that stay too long, except in a song', async () => {
  const slow = '-f lavfi -i testsrc2=s=320x240:r=1/40:d=200';
  const coding = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
  const made = async (sound: string) => {
    const path = join(folder, 'slow.mp4');
    await ffmpeg(...`${slow} ${sound}${coding}`.split(' '), path);
    return film('slow.mp4', await readFile(path));
  };
  expect(await made('')).toEqual({ refused: 'damaged' });
  // Two seconds of sound don't make it a song.
  expect(await made('-f lavfi -i sine=d=2 ')).toEqual({ refused: 'damaged' });
  expect(await made('-f lavfi -i sine=d=200 ')).toMatchObject({
    output: { duration: expect.closeTo(200, 0) as number },
  });
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

/** Returns the good film, whose sound claims 20 seconds for each sample. */
function slowSound(): Buffer {
  const falsified = Buffer.from(good.toString('latin1').replaceAll('edts', 'free'), 'latin1');
  // The table of the second track.
  const stts = falsified.indexOf('stts', falsified.indexOf('soun', 0, 'latin1'), 'latin1');
  for (let run = 0; run < falsified.readUInt32BE(stts + 8); run += 1)
    falsified.writeUInt32BE(20 * 48_000, stts + 16 + 8 * run);
  return falsified;
}

/** Returns a film (its index last) with empty media, whose tracks refer to another file. */
function withMediaIn(film: Buffer, path: string): Buffer {
  const at = film.indexOf('moov', 0, 'latin1') - 4;
  const media = Buffer.from(film.subarray(0, at)).fill(0, film.indexOf('mdat', 0, 'latin1') + 4);
  return Buffer.concat([media, pointing(film.subarray(at), path)]);
}

const PARENTS = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);

/** Copies the boxes and replaces the references to media. */
function pointing(boxes: Buffer, path: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < boxes.length; at += boxes.readUInt32BE(at)) {
    const whole = boxes.subarray(at, at + boxes.readUInt32BE(at));
    const type = whole.toString('latin1', 4, 8);
    if (type === 'dref') parts.push(box('dref', [uint32s(0, 1), aliasTo(path)]));
    else if (PARENTS.has(type)) parts.push(box(type, pointing(whole.subarray(8), path)));
    else parts.push(whole);
  }
  return Buffer.concat(parts);
}

/** Returns QuickTime's alias of a file: unused names, then a record (2) with the full path. */
function aliasTo(path: string): Buffer {
  const text = Buffer.from(path.replaceAll('/', ':') + (path.length % 2 === 1 ? '\0' : ''));
  const record = Buffer.alloc(4);
  record.writeUInt16BE(2, 0);
  record.writeUInt16BE(text.length, 2);
  const head = Buffer.alloc(154);
  // One level up from the film, then one down.
  head.writeUInt16BE(1, 134);
  head.writeUInt16BE(1, 136);
  return box('alis', [head, record, text, Buffer.from([0xff, 0xff, 0, 0])]);
}
