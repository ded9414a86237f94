import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { huesOf } from '../../src/server/media-worker/pictures/hues.ts';
import { lighter, renditionsOf } from '../../src/server/media-worker/pictures/make.ts';
import { type Pixels, withColourProfile } from '../../src/server/media-worker/pictures/pixels.ts';
import { withWorker } from '../support/media-work.ts';
import { drawn, quadrants, quarterColours, UPRIGHT } from '../support/pictures.ts';

const carryOut = withWorker();
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colours-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('pixels with a colour profile', () => {
  const pixels = (width: number, height: number, channels: Pixels['channels']): Pixels => ({
    data: Buffer.from(Array.from({ length: width * height * channels }, (_, n) => (n * 31 + 7) % 256)),
    width,
    height,
    channels,
  });
  async function srgbProfile(): Promise<Buffer> {
    const plain = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
    const { icc } = await sharp(await plain.withIccProfile('srgb').png().toBuffer()).metadata();
    return icc ?? expect.unreachable();
  }

  test.each<[number, number, Pixels['channels']]>([
    [5, 64, 3],
    [7, 200, 3],
    [3, 65, 4],
    [5, 65, 1],
  ])('keeps %i × %i pixels of %i channels in their positions', async (width, height, channels) => {
    const [input, icc] = [pixels(width, height, channels), await srgbProfile()];
    const picture = withColourProfile(input, icc);
    const hasAlpha = channels % 2 === 0;
    expect(await picture.metadata()).toMatchObject({
      format: 'tiff',
      width,
      height,
      channels,
      icc,
      hasAlpha,
    });
    if (channels < 3) return;
    const { data } = await picture.raw().toBuffer({ resolveWithObject: true });
    // The profile's arithmetic may change a value by a step or two.
    const farthest = Math.max(...input.data.map((value, n) => Math.abs(value - (data[n] ?? -99))));
    expect(farthest).toBeLessThanOrEqual(2);
  });
});

describe('hues', () => {
  const SIDE = 40;
  type Colour = [number, number, number];
  const [sky, field, sea]: Colour[] = [
    [60, 120, 210],
    [210, 160, 60],
    [20, 90, 130],
  ];

  /** Two colours, one above the other; `share` is the first one's part of the height. */
  test.each<[string, Colour | undefined, Colour | undefined, share: number, hues: string[]]>([
    ['a blue sky over a golden field, the larger one first', sky, field, 0.7, ['#3c78d2', '#d2a03c']],
    ['a sea and nothing else', sea, sea, 1, ['#145a82']],
    ['a red on the border of the circle', [200, 20, 24], [200, 24, 20], 0.5, ['#c81616']],
    ['a few coloured pixels among grey ones: none', [120, 90, 90], [120, 120, 120], 0.02, []],
    ['nothing but grey: none', [90, 90, 90], [90, 90, 90], 1, []],
    ['a colour of chance beside a large one: the large one', sea, field, 0.97, ['#145a82']],
  ])('finds the hues of %s', (_name, above = [0, 0, 0], below = [0, 0, 0], share, hues) => {
    const rows = Array.from({ length: SIDE * SIDE }, (_, n) => Math.floor(n / SIDE) / SIDE);
    const painted = Uint8Array.from(rows.flatMap((down) => (down < share ? above : below)));
    expect(huesOf(painted, { width: SIDE, height: SIDE })).toEqual(hues);
  });

  test('reads the hues of JPEG, transparent PNG and grey files, and refuses other files', async () => {
    const plain = (background: string) =>
      sharp({ create: { width: 1_600, height: 1_000, channels: 4, background } });
    const greys = plain('#888888').removeAlpha().greyscale().toColourspace('b-w');
    await Promise.all([
      plain('#2060c0').jpeg().toFile(at('blue.jpg')),
      plain('#c0602080').png().toFile(at('clear.png')),
      greys.jpeg().toFile(at('grey.jpg')),
    ]);
    const hues = (path: string) => carryOut({ task: 'hues', path });
    expect(await hues(at('blue.jpg'))).toEqual({ hues: [expect.stringMatching(/^#[12]\w[56]\w[bc]\w$/)] });
    expect(await hues(at('clear.png'))).toEqual({ hues: ['#5f2f0f'] });
    expect(await hues(at('grey.jpg'))).toEqual({ hues: [] });
    expect(await hues(import.meta.filename)).toHaveProperty('refused');
  });
});

describe('sizes of a picture', () => {
  const named = (width: number, height: number, own: 'jpg' | 'png') =>
    renditionsOf({ width, height }, own).map((each) => `${each.width}×${each.height}.${each.format}`);

  test('include all phone widths and its own, none larger or hardly smaller', () => {
    const all = ['720×540', '1080×810', '1620×1215'].flatMap((size) => [
      `${size}.avif`,
      `${size}.webp`,
      `${size}.jpg`,
    ]);
    expect(named(2_160, 1_620, 'jpg')).toEqual([...all, '2160×1620.avif', '2160×1620.webp']);
    expect(named(800, 1_600, 'png')).toEqual(['800×1600.avif', '800×1600.webp']);
    const low = ['720×1.avif', '720×1.webp', '720×1.png', '1080×1.avif', '1080×1.webp'];
    expect(named(1_080, 1, 'png')).toEqual(low);
  });

  test('exclude files no smaller than an equivalent one', () => {
    const of = (width: number, format: 'avif' | 'webp' | 'jpg', bytes: number) => ({
      width,
      height: 1,
      format,
      bytes,
    });
    const [small, heavy, plain] = [of(720, 'avif', 10), of(720, 'webp', 30), of(720, 'jpg', 20)];
    const own = of(1_080, 'avif', 50);
    expect(lighter([small, heavy, plain, own], 50)).toEqual([small, plain]);
    expect(lighter([small, heavy, plain, own], 51)).toEqual([small, plain, own]);
  });

  beforeEach(async () => {
    await rm(at('out'), { recursive: true, force: true });
    await mkdir(at('out'));
  });

  /** Returns a picture as heavy as a photograph, with four distinguishable colours. */
  function photo() {
    const { data, width, height } = quadrants(UPRIGHT, 900, 600);
    for (let n = 0; n < data.length; n += 1) data[n] = (data[n] ?? 0) + ((n * 7_919) % 13) - 6;
    return drawn({ data, width, height });
  }
  async function made(path: string) {
    const result = await carryOut({ task: 'renditions', path, folder: at('out') });
    return 'renditions' in result ? result.renditions : expect.unreachable();
  }

  test('are written to the folder with the reported bytes, smaller than the picture, and look like it', async () => {
    await photo().jpeg({ quality: 90 }).toFile(at('photo.jpg'));
    const all = await made(at('photo.jpg'));
    expect(new Set(all.map(({ format }) => format))).toEqual(new Set(['avif', 'webp', 'jpg']));
    expect(new Set(all.map(({ width }) => width))).toEqual(new Set([720, 900]));
    expect((await readdir(at('out'))).toSorted()).toEqual(all.map(({ file }) => file).toSorted());
    for (const { file, bytes, width, height } of all) {
      const path = join(at('out'), file);
      expect((await stat(path)).size).toBe(bytes);
      expect(bytes).toBeLessThan((await stat(at('photo.jpg'))).size);
      expect(await carryOut({ task: 'picture', path, output: at('seen'), use: 'shown' }), file).toEqual({
        picture: { width, height, extension: 'jpg' },
      });
      expect(await quarterColours(at('seen')), file).toEqual(UPRIGHT);
    }
  });

  test('preserve the transparency of a PNG', async () => {
    await photo().ensureAlpha(0.5).png().toFile(at('shining.png'));
    const all = await made(at('shining.png'));
    expect(all.length).toBeGreaterThan(1);
    for (const { file } of all) {
      const path = join(at('out'), file);
      const picture = await carryOut({ task: 'picture', path, output: at('seen'), use: 'shown' });
      expect(picture, file).toMatchObject({ picture: { extension: 'png' } });
      expect((await sharp(at('seen')).stats()).isOpaque, file).toBe(false);
    }
  });
});
