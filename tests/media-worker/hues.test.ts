import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { huesOf } from '../../src/server/media-worker/pictures/hues.ts';
import { withWorker } from '../support/media-work.ts';

const SIDE = 40;

/** Pixels of a square, by how far down they lie (0 to 1). */
const painted = (colourAt: (down: number) => number[]) =>
  Uint8Array.from(
    Array.from({ length: SIDE * SIDE }, (_, at) => colourAt(Math.floor(at / SIDE) / SIDE)).flat(),
  );
const drawn = (colourAt: (down: number) => number[]) =>
  huesOf(painted(colourAt), { width: SIDE, height: SIDE });

describe('the hues of', () => {
  test('a blue sky over a golden field, the larger one first', () => {
    const [sky, field] = [
      [60, 120, 210],
      [210, 160, 60],
    ];
    expect(drawn((down) => (down < 0.7 ? sky : field))).toEqual(['#3c78d2', '#d2a03c']);
    expect(drawn((down) => (down < 0.7 ? field : sky))).toEqual(['#d2a03c', '#3c78d2']);
  });

  test('a sea and nothing else', () => {
    expect(drawn(() => [20, 90, 130])).toEqual(['#145a82']);
  });

  test('a red on the border of the circle', () => {
    expect(drawn((down) => (down < 0.5 ? [200, 20, 24] : [200, 24, 20]))).toEqual(['#c81616']);
  });

  test('a few coloured pixels among grey ones are not a picture’s', () => {
    expect(drawn((down) => (down < 0.02 ? [120, 90, 90] : [120, 120, 120]))).toEqual([]);
  });

  test.each([0, 90, 255])('nothing but grey %i: none', (grey) => {
    expect(drawn(() => [grey, grey, grey])).toEqual([]);
  });

  test('no colour of chance beside a large one', () => {
    expect(drawn((down) => (down < 0.97 ? [20, 90, 130] : [210, 160, 60]))).toEqual(['#145a82']);
  });
});

describe('of a file', () => {
  const carryOut = withWorker();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hues-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const made = async (name: string, background: string, kind: 'jpeg' | 'png') => {
    const path = join(folder, name);
    const create = { width: 1_600, height: 1_000, channels: 4 as const, background };
    await sharp({ create }).toFormat(kind).toFile(path);
    return path;
  };

  test('a JPEG and a PNG that something shines through', async () => {
    const [jpeg, png] = [await made('a.jpg', '#2060c0', 'jpeg'), await made('b.png', '#c0602080', 'png')];
    const blue = await carryOut({ what: 'hues', path: jpeg });
    expect(blue).toEqual({ hues: [expect.stringMatching(/^#[12]\w[56]\w[bc]\w$/)] });
    expect(await carryOut({ what: 'hues', path: png })).toEqual({ hues: ['#5f2f0f'] });
  });

  test('a grey one', async () => {
    const path = join(folder, 'grey.jpg');
    await sharp({ create: { width: 300, height: 300, channels: 3, background: '#888888' } })
      .greyscale()
      .toColourspace('b-w')
      .jpeg()
      .toFile(path);
    expect(await carryOut({ what: 'hues', path })).toEqual({ hues: [] });
  });

  test('what is no picture is refused', async () => {
    expect(await carryOut({ what: 'hues', path: join(import.meta.dirname, 'hues.test.ts') })).toHaveProperty(
      'refused',
    );
  });
});
