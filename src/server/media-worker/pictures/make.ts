import { writeFile } from 'node:fs/promises';
import { PICTURE } from '../../../domain/limits.ts';
import type { PictureResult, PictureUse } from '../door.ts';
import type { Progress } from '../progress.ts';
import { readHeif } from './heif/open.ts';
import { kindOf } from './kind.ts';
import { isTransparent, opened, type Pixels } from './pixels.ts';
import { readPlain } from './plain.ts';
import { readPreview } from './raw.ts';
import { rejectUnreadable } from './refused.ts';

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
export const MAX_SIDE = 4_096;

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
export async function makePicture(
  { path, output, use }: PictureWork,
  progress: Progress,
): Promise<PictureResult> {
  const { side, keepsPng, ...jpeg } = OPTIONS_BY_USE[use];
  const { pixels, isPng } = await rejectUnreadable(read(path, side, progress));
  progress.add(1);
  const staysPng = (isPng && keepsPng) || isTransparent(pixels);
  const picture = opened(pixels);
  const bytes = staysPng
    ? await picture.png({ compressionLevel: 9 }).toBuffer()
    : await picture
        .removeAlpha()
        .jpeg({ ...jpeg, mozjpeg: true })
        .toBuffer();
  await writeFile(output, bytes);
  return { width: pixels.width, height: pixels.height, extension: staysPng ? 'png' : 'jpg' };
}

async function read(
  path: string,
  side: number,
  progress: Progress,
): Promise<{ pixels: Pixels; isPng: boolean }> {
  const kind = await kindOf(path);
  if (kind === 'plain') return readPlain(path, side);
  const pixels = kind === 'heif' ? await readHeif(path, side, progress) : await readPreview(path, side);
  return { pixels, isPng: false };
}
