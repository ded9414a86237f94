import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import type { PictureFormat } from '../../../domain/pictures.ts';
import type { RenditionResult } from '../door.ts';
import { lighter, renditionsOf } from '../plan/renditions.ts';
import type { Progress } from '../progress.ts';
import { MAX_SIDE } from './make.ts';
import { opened } from './pixels.ts';
import { readPlain } from './plain.ts';
import { rejectUnreadable } from './refused.ts';

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
export async function makeRenditions(
  { path, folder }: { path: string; folder: string },
  progress: Progress,
): Promise<RenditionResult[]> {
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
