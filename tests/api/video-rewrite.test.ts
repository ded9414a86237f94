import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { longFilm } from '../support/long-film.ts';
import { useSignedUp } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const { to } = useSignedUp();

/** What is kept of a film: a fixture, or its bytes. */
async function kept(film: string | Buffer): Promise<Buffer> {
  const { body } = await upload(to, 'video', typeof film === 'string' ? join(MEDIA, film) : film);
  const response = await fetch(`${to.url}${body.item.url}`, { headers: { cookie: to.cookie } });
  return Buffer.from(await response.arrayBuffer());
}

function boxesOf(film: Buffer): string[] {
  const types: string[] = [];
  for (let at = 0; at < film.length; at += film.readUInt32BE(at) || film.length)
    types.push(film.toString('latin1', at + 4, at + 8));
  return types;
}

/** Every frame and every sound of a film: when it comes, how long it stays, and its bytes. */
async function contentsOf(film: Buffer) {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(film) });
  const tracks = await Promise.all((await input.getTracks()).map(contentsOfTrack));
  return tracks.toSorted((a, b) => a.type.localeCompare(b.type));
}

async function contentsOfTrack(track: InputTrack) {
  const packets: unknown[] = [];
  for await (const { timestamp, duration, type, data } of new EncodedPacketSink(track).packets()) {
    const bytes = createHash('sha256').update(data).digest('hex');
    packets.push([Math.round(timestamp * 1e4), Math.round(duration * 1e4), type, bytes]);
  }
  const rotation = track.isVideoTrack() ? await track.getRotation() : null;
  return { type: track.type, codec: await track.getCodecParameterString(), rotation, packets };
}

describe.each([
  ['an MP4 with its index last', 'index-last.mp4'],
  ['QuickTime from a phone', 'iphone.mov'],
  ['QuickTime held upright', 'rotated.mov'],
  ['fragments', 'fragmented.mp4'],
])('%s', (_what, name) => {
  test('can be played from its first byte, and every frame and sound is what it was, when it was', async () => {
    const film = await kept(name);
    const order = boxesOf(film).filter((type) => type !== 'free');
    expect(order).toEqual(['ftyp', 'moov', 'mdat']);
    const before = await contentsOf(await readFile(join(MEDIA, name)));
    expect(before.map(({ packets }) => packets.length)).toEqual([expect.any(Number), 18]);
    expect(await contentsOf(film)).toEqual(before);
  });
});

describe.each<[what: string, from: string, shape: Omit<Parameters<typeof longFilm>[1], 'bytes'>]>([
  ['a minute of QuickTime', 'iphone.mov', { seconds: 60 }],
  ['chunks of seven seconds, the last one shorter', 'index-last.mp4', { seconds: 60, turn: 7 }],
  ['all pictures before all sounds', 'iphone.mov', { seconds: 20, turn: 20 }],
  ['something foreign between picture and sound', 'rotated.mov', { seconds: 20, stranger: true }],
])('%s', (_what, from, shape) => {
  test('plays the same, pictures and sounds side by side', async () => {
    const { beginning, index, size } = longFilm(await readFile(join(MEDIA, from)), { ...shape, bytes: 2e6 });
    const between = randomBytes(size - beginning.length - index.length);
    const before = Buffer.concat([beginning, between, index]);
    const film = await kept(before);
    expect(boxesOf(film)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(await contentsOf(film)).toEqual(await contentsOf(before));
    expect(await farthestApart(film)).toBeLessThan((2 * 2e6) / shape.seconds);
  });
});

/** How far one has to jump in the file, at most, to go on with what is played next, in bytes. */
async function farthestApart(film: Buffer): Promise<number> {
  const places: [seconds: number, at: number][] = [];
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(film) });
  for (const track of await input.getTracks()) {
    let at = 0;
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) {
      at = film.indexOf(data, at);
      places.push([timestamp, at]);
    }
  }
  const inTurn = places.toSorted(([a], [b]) => a - b).map(([, at]) => at);
  return Math.max(...inTurn.map((at, i) => Math.abs(at - (inTurn[i - 1] ?? at))));
}

test('what is told otherwise than usual is rewritten all the same', async () => {
  const before = await readFile(join(MEDIA, 'index-last.mp4'));
  // A later version of the descriptions.
  before[before.indexOf('stsd', 0, 'latin1') + 4] = 1;
  const film = await kept(before);
  expect(boxesOf(film).filter((type) => type !== 'free')).toEqual(['ftyp', 'moov', 'mdat']);
  expect(await contentsOf(film)).toEqual(await contentsOf(before));
});

test('where a film was taken and what it was called stays at home; how it was held does not', async () => {
  const original = await readFile(join(MEDIA, 'rotated.mov'));
  expect(original.includes('+45.4642') && original.includes('Casa di Anna')).toBe(true);
  const film = await kept('rotated.mov');
  expect(film.includes('+45.46') || film.includes('Casa di Anna')).toBe(false);
  expect((await contentsOf(film)).find(({ type }) => type === 'video')?.rotation).toBe(270);
});

test.each(['good.mp4', 'silent.mp4', '../video-3s.mp4'])(
  '%s is good and is kept byte for byte',
  async (name) => {
    expect((await kept(name)).equals(await readFile(join(MEDIA, name)))).toBe(true);
  },
);

test('something foreign behind the end of a good film is left behind', async () => {
  const good = await readFile(join(MEDIA, 'good.mp4'));
  const { body } = await upload(to, 'video', Buffer.concat([good, Buffer.from('<script>alert(1)</script>')]));
  const response = await fetch(`${to.url}${body.item.url}`, { headers: { cookie: to.cookie } });
  const film = Buffer.from(await response.arrayBuffer());
  expect(film.includes('<script>')).toBe(false);
  expect(await contentsOf(film)).toEqual(await contentsOf(good));
});
