import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PictureUse } from '../../src/server/media-worker/door.ts';
import { box, isoPicture, SVG, vastInterlacedPng, vastJpeg, vastPng } from '../support/hostile-files.ts';
import { withWorker } from '../support/media-work.ts';
import {
  avifInP3,
  clap,
  drawn,
  heic,
  iccOf,
  imir,
  irot,
  middles,
  nclx,
  part,
  quadrants,
  quarterColours,
  rawFile,
  STORED_QUARTERS,
  storedPicture,
  UPRIGHT,
} from '../support/pictures.ts';

let folder: string;
let made: string;
const carryOut = withWorker();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  made = join(folder, 'made');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Converts a picture with the worker. */
async function make(bytes: Buffer | Sharp, use: PictureUse = 'shown') {
  const path = join(folder, 'picture');
  await writeFile(path, Buffer.isBuffer(bytes) ? bytes : await bytes.toBuffer());
  return carryOut({ task: 'picture', path, output: made, use });
}

const jpg = (width = 128, height = 64) => ({ picture: { width, height, extension: 'jpg' } });
const WHERE = {
  IFD0: { ImageDescription: 'Roma 41.89' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 53/1 2393/100' },
};
const exifOf = async (orientation: number) => {
  const { exif } = await sharp(
    await drawn(quadrants()).withExif(WHERE).withMetadata({ orientation }).jpeg().toBuffer(),
  ).metadata();
  // Follows `Exif\0\0`.
  return (exif ?? Buffer.alloc(6)).subarray(6);
};

describe('orientation', () => {
  test('is applied for each of EXIF’s numbers in a JPEG and a HEIC, and in other formats', async () => {
    for (const orientation of Object.keys(STORED_QUARTERS).map(Number)) {
      const tiles = [storedPicture(orientation)];
      const turned = drawn(storedPicture(orientation)).withMetadata({ orientation });
      const files: (Sharp | Buffer)[] = [
        turned.clone().jpeg(),
        await heic({ tiles, exif: await exifOf(orientation) }),
      ];
      if (orientation === 6)
        for (const format of ['png', 'webp', 'tiff'] as const) files.push(turned.clone().toFormat(format));
      for (const [at, file] of files.entries()) {
        expect(await make(file), `${orientation} ${at}`).toEqual(jpg());
        expect(await quarterColours(made), `${orientation} ${at}`).toEqual(UPRIGHT);
      }
    }
  });

  test('is applied once from a HEIC’s own rotation, even if EXIF states the same', async () => {
    const mirrored = { 2: [imir(1)], 4: [imir(0)], 7: [irot(1), imir(1)] };
    const turns = { 3: [irot(2)], 6: [irot(3)], 8: [irot(1)], ...mirrored };
    for (const [number, properties] of Object.entries(turns)) {
      const orientation = Number(number);
      const tiles = [storedPicture(orientation)];
      expect(await make(await heic({ tiles, properties }))).toEqual(jpg());
      expect(await quarterColours(made), number).toEqual(UPRIGHT);
      await make(await heic({ tiles, properties, exif: await exifOf(orientation) }));
      expect(await quarterColours(made), `${number} and EXIF`).toEqual(UPRIGHT);
    }
  });
});

describe('HEIC', () => {
  test('is assembled from tiles that extend beyond it, and rotated', async () => {
    const whole = quadrants(STORED_QUARTERS[6], 128, 192);
    const tiles = await Promise.all(
      [0, 64, 128].flatMap((top) => [0, 64].map((left) => part(whole, left, top, 64, 64))),
    );
    const bytes = await heic({ tiles, columns: 2, size: { width: 120, height: 180 }, properties: [irot(3)] });
    expect(await make(bytes)).toEqual(jpg(180, 120));
    expect(await quarterColours(made)).toEqual(UPRIGHT);
  });

  test('is reduced while its tiles are read if it is larger than requested', {
    timeout: 60_000,
  }, async () => {
    const tiles = UPRIGHT.map((name) => quadrants([name, name, name, name], 2_304, 64));
    const size = { width: 9_000, height: 120 };
    const bytes = await heic({ tiles: [...tiles, ...tiles], columns: 4, size });
    expect(await make(bytes)).toEqual(jpg(2_160, 29));
    const [first, second] = await middles(made);
    expect(first).toEqual((await middles(made))[2]);
    expect(second).not.toEqual(first);
  });

  test('shows only its crop of a larger picture', async () => {
    const whole = quadrants(UPRIGHT, 256, 128);
    // Its right half, rotated.
    const bytes = await heic({ tiles: [whole], properties: [clap(128, 128, 64, 0), irot(2)] });
    expect(await make(bytes)).toEqual(jpg(128, 128));
    expect(await quarterColours(made)).toEqual(['white', 'white', 'green', 'green']);
  });
});

describe('colours', () => {
  /** Returns the four colours in the numbers of Display P3. */
  async function inP3() {
    const png = await drawn(quadrants()).withIccProfile('p3').png().toBuffer();
    const data = await sharp(png, { ignoreIcc: true }).removeAlpha().raw().toBuffer();
    const { icc = Buffer.alloc(0) } = await sharp(png).metadata();
    return { icc, tile: { data, width: 128, height: 64 } };
  }
  const EXPECTED = [200, 60, 60, 60, 160, 80, 60, 80, 190, 240, 240, 240];

  test('are converted from Display P3 by profile or code points, 16 bits and no profile', async () => {
    const { icc, tile } = await inP3();
    const wide = () => drawn(quadrants()).withIccProfile('p3');
    const files: Record<string, Buffer | Sharp> = {
      png: wide().png(),
      jpeg: wide().jpeg({ quality: 95 }),
      avif: wide().avif({ effort: 0, quality: 90 }),
      heic: await heic({ tiles: [tile], properties: [iccOf(icc)] }),
      'heic by numbers': await heic({ tiles: [tile], properties: [nclx(12, 13)] }),
      'avif by numbers': await avifInP3(tile),
      'png of 16 bits': drawn(quadrants()).toColourspace('rgb16').png(),
      'plain webp': drawn(quadrants()).webp({ lossless: true }),
      'plain avif': drawn(quadrants()).avif({ effort: 0, quality: 90 }),
      'plain heic': await heic({ tiles: [quadrants()] }),
    };
    for (const [name, file] of Object.entries(files)) {
      expect(await make(file), name).toEqual(jpg());
      const off = (await middles(made)).flat().map((value, at) => Math.abs(value - (EXPECTED[at] ?? 0)));
      expect(Math.max(...off), name).toBeLessThan(8);
      expect((await sharp(made).metadata()).icc, name).toBeUndefined();
    }
  });

  test('brighter than white (PQ, HLG) become dimmed, not black or burnt out', async () => {
    const grey = { width: 128, height: 64, data: Buffer.alloc(3 * 128 * 64, 128) };
    for (const transfer of [16, 18]) {
      await make(await heic({ tiles: [grey], properties: [nclx(9, transfer)] }));
      const [[seen = 0] = []] = await middles(made);
      expect(seen).toBeGreaterThan(90);
      expect(seen).toBeLessThan(200);
    }
  });
});

describe('content of a file', () => {
  const other = () =>
    drawn(quadrants(['blue', 'blue', 'blue', 'blue']))
      .png()
      .toBuffer();
  const several = async () =>
    sharp([await drawn(quadrants()).png().toBuffer(), await other()], { join: { animated: true } });

  test('is the first picture of a TIFF with several pages or of an animation', async () => {
    for (const format of ['tiff', 'gif', 'webp'] as const) {
      const file = await (await several()).toFormat(format).toBuffer();
      const { length } = await drawn(quadrants()).toFormat(format).toBuffer();
      expect(file.length, format).toBeGreaterThan(length);
      expect(await make(file)).toEqual(jpg());
      expect(await quarterColours(made), format).toEqual(UPRIGHT);
    }
  });

  test('loses the film of a moving photo, the position and all other metadata', async () => {
    // As in Samsung's and Google's HEICs, in a separate box.
    const film = box('mpvd', [isoPicture('mp42'), Buffer.alloc(4_000, 'frames')]);
    const photo = drawn(quadrants())
      .withExif(WHERE)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">41.89</x:xmpmeta>');
    const heif = await heic({ tiles: [quadrants()], exif: await exifOf(1) });
    const files = [await photo.clone().jpeg().toBuffer(), await photo.clone().webp().toBuffer(), heif];
    for (const file of files) {
      expect(file.includes('41.89')).toBe(true);
      expect(await make(Buffer.concat([file, film]))).toEqual(jpg());
      const bytes = await readFile(made);
      for (const word of ['41.89', 'Exif', 'ftyp', 'frames', 'ICC_PROFILE', 'http'])
        expect(bytes.includes(word)).toBe(false);
      expect(await quarterColours(made)).toEqual(UPRIGHT);
    }
  });

  test('is the largest preview of a camera’s raw file, upright', async () => {
    const preview = await drawn(storedPicture(6)).jpeg().toBuffer();
    const small = await drawn(quadrants(['blue', 'blue', 'blue', 'blue'], 32, 16))
      .jpeg()
      .toBuffer();
    expect(await make(rawFile([small, preview], 6))).toEqual(jpg());
    expect(await quarterColours(made)).toEqual(UPRIGHT);
    expect(await make(rawFile([], 1))).toEqual({ refused: 'undecodable' });
  });
});

describe('written picture', () => {
  test('is a PNG if transparent, otherwise a JPEG', async () => {
    const clear = drawn(quadrants()).ensureAlpha(0.5);
    for (const format of ['png', 'webp'] as const)
      expect(await make(clear.clone().toFormat(format))).toMatchObject({ picture: { extension: 'png' } });
    expect((await sharp(made).metadata()).hasAlpha).toBe(true);
    expect(await make(drawn(quadrants()).ensureAlpha(1).png())).toEqual(jpg());
  });

  test('is no larger than a phone shows, or larger for tickets, whose PNGs stay PNGs', async () => {
    const large = sharp({ create: { width: 5_000, height: 100, channels: 3, background: '#c03c3c' } });
    expect(await make(large.clone().png())).toEqual(jpg(2_160, 43));
    expect(await make(large.clone().jpeg(), 'tickets')).toEqual(jpg(4_096, 82));
    expect((await sharp(made).metadata()).chromaSubsampling).toBe('4:4:4');
    expect(await make(large.clone().png(), 'tickets')).toEqual({
      picture: { width: 4_096, height: 82, extension: 'png' },
    });
  });

  test('is not refused for an error of the disk', async () => {
    const path = join(folder, 'good.jpg');
    await drawn(quadrants()).jpeg().toFile(path);
    const work = { task: 'picture', path, output: join(folder, 'missing', 'made'), use: 'shown' } as const;
    await expect(carryOut(work)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('refused picture', () => {
  test('is recognized by its bytes if it is of no supported kind', async () => {
    const bmp = Buffer.concat([Buffer.from('BM'), Buffer.alloc(100, 1)]);
    const rows: [Buffer, string][] = [
      [Buffer.from('Ciao, amore.'), 'unknown'],
      [Buffer.from('%PDF-1.7\n%%EOF'), 'unknown'],
      [isoPicture('mp42'), 'unknown'],
      [Buffer.from(SVG), 'svg'],
      [Buffer.from(`\uFEFF<?xml version="1.0"?>${SVG}`, 'utf16le'), 'svg'],
      [bmp, 'undecodable'],
      [isoPicture('heic'), 'damaged'],
    ];
    for (const [bytes, refused] of rows) expect(await make(bytes)).toEqual({ refused });
  });

  test('is reported as truncated in every format', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
    const picture = sharp({ create: { width: 256, height: 256, channels: 3, background: '#000', noise } });
    const data = await picture.clone().raw().toBuffer();
    const whole = await heic({ tiles: [{ data, width: 256, height: 256 }] });
    const files: Record<string, Buffer> = { heic: whole };
    for (const format of ['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const)
      files[format] = await picture.clone().toFormat(format).toBuffer();
    for (const [kind, bytes] of Object.entries(files))
      expect(await make(bytes.subarray(0, Math.floor(0.6 * bytes.length))), kind).toEqual({
        refused: 'cut_short',
      });
  });

  test('is refused at once with more pixels than can be read', async () => {
    const picture = await drawn(quadrants()).jpeg().toBuffer();
    const rows: [Buffer, string][] = [
      [vastPng(100_000, 100_000), 'too_large'],
      [vastJpeg(picture, 20_000, 15_000), 'too_large'],
      [vastInterlacedPng(8_000, 8_000), 'too_large'],
      [vastJpeg(picture, 6_000, 6_000), 'cut_short'],
    ];
    for (const [bytes, refused] of rows) expect(await make(bytes)).toEqual({ refused });
  });
});
