import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { PICTURE } from '../../../domain/limits.ts';
import { PICTURE_FORMATS, PICTURE_WIDTHS, type PictureFormat } from '../../../domain/pictures.ts';
import { progress } from '../child/task.ts';
import type { PictureResult, PictureUse, RenditionResult } from '../door.ts';
import { readHeif } from './heif/open.ts';
import { isTransparent, opened, type Pixels, type Size } from './pixels.ts';
import { kindOf, readPlain, readPreview, rejectUnreadable } from './read.ts';

type PictureOptions = {
  /** Longest side of the result, in pixels. */
  side: number;
  /** JPEG quality, 1 to 100, and whether each pixel keeps a separate colour (4:4:4). */
  quality: number;
  chromaSubsampling: '4:2:0' | '4:4:4';
  /** True if a PNG stays a PNG even without transparency. */
  keepsPng: boolean;
};

/** Longest side of any written picture, in pixels. */
const MAX_SIDE = 4_096;

const OPTIONS_BY_USE: Record<PictureUse, PictureOptions> = {
  shown: { side: PICTURE.side, quality: 84, chromaSubsampling: '4:2:0', keepsPng: false },
  tickets: { side: MAX_SIDE, quality: 94, chromaSubsampling: '4:4:4', keepsPng: true },
};

type PictureWork = { path: string; output: string; use: PictureUse };

/**
 * Writes a picture from its pixels only: upright, in sRGB, no larger than needed, without other data (position, names, the film of a
 * moving photo, appended files). A transparent one becomes a PNG, any other a JPEG. Rejects with `FileRejected`, or with an error of the
 * machine if writing fails.
 */
export async function makePicture({ path, output, use }: PictureWork): Promise<PictureResult> {
  const { side, keepsPng, ...jpeg } = OPTIONS_BY_USE[use];
  const { pixels, isPng } = await rejectUnreadable(read(path, side));
  progress.add(1);
  const staysPng = (isPng && keepsPng) || isTransparent(pixels);
  const picture = staysPng
    ? opened(pixels).png({ compressionLevel: 9 })
    : opened(pixels)
        .removeAlpha()
        .jpeg({ ...jpeg, mozjpeg: true });
  await writeFile(output, await picture.toBuffer());
  return { width: pixels.width, height: pixels.height, extension: staysPng ? 'png' : 'jpg' };
}

async function read(path: string, side: number): Promise<{ pixels: Pixels; isPng: boolean }> {
  const kind = await kindOf(path);
  if (kind === 'plain') return readPlain(path, side);
  return { pixels: await (kind === 'heif' ? readHeif : readPreview)(path, side), isPng: false };
}

/** Longest side in pixels; the result is discarded, so a small one is enough. */
const DECODED_SIDE = 512;

/** Decodes a stored picture to its last pixel. Rejects if that fails. */
export async function decodePicture(path: string): Promise<void> {
  const kind = await kindOf(path);
  await rejectUnreadable<unknown>((kind === 'heif' ? readHeif : readPlain)(path, DECODED_SIDE));
  progress.add(1);
}

/** Encoder settings, chosen by size and time. AVIF's effort 2 takes half the time of 3 and makes files 2 % larger. */
const WRITTEN: Record<PictureFormat, (picture: Sharp) => Sharp> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 2, chromaSubsampling: '4:2:0' }),
  webp: (picture) => picture.webp({ quality: 80, effort: 4 }),
  jpg: (picture) => picture.jpeg({ quality: 80, chromaSubsampling: '4:2:0', mozjpeg: true }),
  png: (picture) => picture.png({ compressionLevel: 9 }),
};

/**
 * Writes the sizes and formats of a stored picture (`makePicture`) into a folder, as `width.format`. Removes files that are no smaller
 * than an equivalent one.
 */
export async function makeRenditions({
  path,
  folder,
}: {
  path: string;
  folder: string;
}): Promise<RenditionResult[]> {
  const { size: bytes } = await stat(path);
  const { pixels, isPng } = await rejectUnreadable(readPlain(path, MAX_SIDE));
  const plan = renditionsOf(pixels, isPng ? 'png' : 'jpg');
  progress.setWorkload(plan.reduce((sum, { width, height }) => sum + (width * height) / 1_000_000, 0));
  const made: RenditionResult[] = [];
  for (const each of plan) {
    const { width, height, format } = each;
    const file = `${width}.${format}`;
    const written = await WRITTEN[format](opened(pixels).resize(width, height, { fit: 'fill' })).toBuffer();
    await writeFile(join(folder, file), written);
    made.push({ ...each, file, bytes: written.length });
    progress.add(1);
    progress.share(made.length / plan.length);
  }
  const kept = lighter(made, bytes);
  await Promise.all(made.filter((each) => !kept.includes(each)).map(({ file }) => rm(join(folder, file))));
  return kept;
}

type Rendition = Size & { format: PictureFormat };

/** Smallest share of the next width that a narrower file must save. */
const WORTH = 0.15;

/**
 * Returns the sizes and formats of a picture to write: narrower widths and its own. Its own format, which every browser reads, already
 * exists in its own size.
 */
export function renditionsOf({ width, height }: Size, own: 'jpg' | 'png'): Rendition[] {
  const narrower = PICTURE_WIDTHS.filter((each) => each <= (1 - WORTH) * width);
  return [...narrower, width].flatMap((each) =>
    (['avif', 'webp', own] as const)
      .filter((format) => format !== own || each < width)
      .map((format) => ({ width: each, height: Math.max(1, Math.round((height * each) / width)), format })),
  );
}

/**
 * Returns the files worth storing: smaller than the source picture, and than the same size in a more widely supported format.
 * @param bytes of the source picture
 */
export function lighter<T extends Rendition & { bytes: number }>(made: readonly T[], bytes: number): T[] {
  const support = ({ format }: Rendition) => PICTURE_FORMATS.indexOf(format);
  const isBetter = (other: T, one: T) =>
    other.width === one.width && support(other) > support(one) && other.bytes <= one.bytes;
  return made.filter((one) => one.bytes < bytes && !made.some((other) => isBetter(other, one)));
}
