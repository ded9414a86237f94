import { readFile } from 'node:fs/promises';
import { FileRejected } from '../refusal.ts';
import { sizeProblem } from './bounds.ts';
import { readDirectories } from './directories.ts';
import { sharp } from './library.ts';
import { readPictureInfo } from './measure.ts';
import { applySteps, type Pixels, pixelsOf } from './pixels.ts';
import { reduced } from './reduced.ts';
import { orientationSteps } from './turns.ts';

/** Reads the largest JPEG in a camera's raw file, upright; in a DNG it is the preview. Sensor data isn't read. */
export async function readPreview(path: string, side: number): Promise<Pixels> {
  const file = await readFile(path);
  const { jpegs, orientation } = readDirectories(file);
  const previews = await Promise.all(
    jpegs.map(async ({ offset, length }) => {
      const bytes = file.subarray(offset, offset + length);
      const metadata = await sharp(bytes, { limitInputPixels: false })
        .metadata()
        .catch(() => null);
      // Sensor data may also be packed as a JPEG, of a kind that can't be displayed.
      return metadata === null ? [] : [{ bytes, metadata }];
    }),
  );
  const [largest] = previews.flat().toSorted((one, other) => other.metadata.width - one.metadata.width);
  if (largest === undefined) throw new FileRejected('undecodable');
  const problem = sizeProblem(readPictureInfo(largest.metadata));
  if (problem !== null) throw new FileRejected(problem);
  const drawn = await pixelsOf(reduced(sharp(largest.bytes, { limitInputPixels: false }), side));
  return applySteps(drawn, orientationSteps(largest.metadata.orientation ?? orientation));
}
