import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lighter, renditionsOf } from '../../src/server/media-worker/plan/renditions.ts';
import { withWorker } from '../support/media-work.ts';
import { drawn, look, quadrants, UPRIGHT } from '../support/quadrants.ts';

describe('which there are to be', () => {
  const named = (width: number, height: number, own: 'jpg' | 'png') =>
    renditionsOf({ width, height }, own).map((each) => `${each.width}×${each.height}.${each.format}`);

  test('a large one is there in every width of phones, and in its own', () => {
    expect(named(2_160, 1_620, 'jpg')).toEqual([
      '720×540.avif',
      '720×540.webp',
      '720×540.jpg',
      '1080×810.avif',
      '1080×810.webp',
      '1080×810.jpg',
      '1620×1215.avif',
      '1620×1215.webp',
      '1620×1215.jpg',
      '2160×1620.avif',
      '2160×1620.webp',
    ]);
  });

  test('none is larger than the picture, or hardly smaller', () => {
    expect(named(800, 1_600, 'png')).toEqual(['800×1600.avif', '800×1600.webp']);
    expect(named(1_080, 1, 'png')).toEqual([
      '720×1.avif',
      '720×1.webp',
      '720×1.png',
      '1080×1.avif',
      '1080×1.webp',
    ]);
  });

  test('what is no lighter than something that serves as well goes', () => {
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
});

describe('what is made', () => {
  let folder: string;
  let out: string;
  const carryOut = withWorker();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'renditions-'));
  });
  beforeEach(async () => {
    out = join(folder, 'out');
    await rm(out, { recursive: true, force: true });
    await mkdir(out);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A photograph's weight on four colours that can be told apart. */
  async function photo() {
    const { data, width, height } = quadrants(UPRIGHT, 900, 600);
    for (let at = 0; at < data.length; at += 1) data[at] = (data[at] ?? 0) + ((at * 7_919) % 13) - 6;
    return drawn({ data, width, height });
  }

  test('every one shows the picture, is in the folder and weighs what is said, and less than the picture', async () => {
    const path = join(folder, 'photo.jpg');
    await (await photo()).jpeg({ quality: 90 }).toFile(path);
    const outcome = await carryOut({ what: 'renditions', path, folder: out });
    const renditions = 'renditions' in outcome ? outcome.renditions : [];
    expect(new Set(renditions.map(({ format }) => format))).toEqual(new Set(['avif', 'webp', 'jpg']));
    expect(new Set(renditions.map(({ width }) => width))).toEqual(new Set([720, 900]));
    expect((await readdir(out)).toSorted()).toEqual(renditions.map(({ file }) => file).toSorted());
    for (const { file, bytes, width, height } of renditions) {
      const [made, seen] = [join(out, file), join(folder, 'seen')];
      expect((await stat(made)).size).toBe(bytes);
      expect(bytes).toBeLessThan((await stat(path)).size);
      expect(await carryOut({ what: 'picture', path: made, made: seen, use: 'shown' }), file).toEqual({
        picture: { width, height, extension: 'jpg' },
      });
      expect(await look(seen), file).toEqual(UPRIGHT);
    }
  });

  test('what shines through a PNG shines through all of them', async () => {
    const path = join(folder, 'clear.png');
    await (await photo()).ensureAlpha(0.5).png().toFile(path);
    const outcome = await carryOut({ what: 'renditions', path, folder: out });
    const renditions = 'renditions' in outcome ? outcome.renditions : [];
    expect(renditions.length).toBeGreaterThan(1);
    for (const { file } of renditions) {
      const seen = join(folder, 'seen');
      const picture = await carryOut({ what: 'picture', path: join(out, file), made: seen, use: 'shown' });
      expect(picture, file).toMatchObject({ picture: { extension: 'png' } });
      expect((await sharp(seen).stats()).isOpaque, file).toBe(false);
    }
  });

  test('an error of the disk is none of the file', async () => {
    const path = join(folder, 'photo.jpg');
    await (await photo()).jpeg().toFile(path);
    const nowhere = { what: 'renditions', path, folder: join(folder, 'missing') } as const;
    await expect(carryOut(nowhere)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
