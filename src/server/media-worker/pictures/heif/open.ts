import { readFile } from 'node:fs/promises';
import type { Progress } from '../../progress.ts';
import { FileRejected } from '../../refusal.ts';
import { sizeProblem } from '../bounds.ts';
import { withColourProfile } from '../coloured.ts';
import { sharp } from '../library.ts';
import { applySteps, type Pixels, pixelsOf } from '../pixels.ts';
import { reduced } from '../reduced.ts';
import { drawHeic } from './draw.ts';
import { codecOf, coloursOf, type Heif, hasOrientation, stepsOf, type Tiles, tilesOf } from './facts.ts';
import { bytesAt, callChecked, callForValue, startLibrary } from './library.ts';
import { profileOf } from './profile.ts';

/**
 * Reads the primary picture of a HEIC or AVIF, upright and in sRGB. libheif's WebAssembly reads both and decodes HEVC. sharp decodes AV1,
 * because its own libheif has no HEVC.
 */
export async function readHeif(path: string, side: number, progress: Progress): Promise<Pixels> {
  const file = await readFile(path);
  const heif = openHeif(file);
  progress.add(1);
  const codec = codecOf(heif);
  const isAvif = codec === 'av01';
  if (codec !== 'hvc1' && !isAvif) throw new FileRejected('undecodable');
  const tiles = tilesOf(heif);
  const problem = sizeProblem({ ...MEASURED, ...tiles, format: isAvif ? 'avif' : 'heic' });
  if (problem !== null) throw new FileRejected(problem);
  progress.setWorkload((tiles.width * tiles.height) / 1_000_000);
  return isAvif ? readAvif(heif, file, tiles, side) : readHeic(heif, tiles, side, progress);
}

async function readHeic(heif: Heif, tiles: Tiles, side: number, progress: Progress): Promise<Pixels> {
  const steps = stepsOf(heif, tiles);
  const colours = coloursOf(heif);
  const drawn = await applySteps(await drawHeic(heif, tiles, side, progress), steps);
  const icc = colours === null ? null : 'icc' in colours ? colours.icc : profileOf(colours.nclx);
  return pixelsOf(reduced(withColourProfile(drawn, icc), side));
}

const MEASURED = { channels: 3, bytes: 1, inRounds: false, colours: '' } as const;

function openHeif(file: Buffer): Heif {
  const library = startLibrary();
  const at = library._malloc(file.length);
  if (at === 0) throw new FileRejected('memory');
  bytesAt(library, at, file.length).set(file);
  const context = library._heif_context_alloc();
  callChecked(library, (error) =>
    library._heif_context_read_from_memory_without_copy(error, context, at, file.length, 0),
  );
  const handle = callForValue(library, (error, place) =>
    library._heif_context_get_primary_image_handle(error, context, place),
  );
  return { library, context, handle };
}

async function readAvif(heif: Heif, file: Buffer, size: Tiles, side: number): Promise<Pixels> {
  // Sequences and other files with a picture have another brand, and sharp checks the brand.
  file.write('avif', BRAND_AT, 'latin1');
  const drawn = await pixelsOf(reduced(sharp(file, { failOn: 'error' }), side));
  // sharp applies the file's own transformations, but never EXIF's.
  const remainingSteps = hasOrientation(heif) ? [] : stepsOf(heif, size).filter(({ how }) => how !== 'crop');
  const upright = await applySteps(drawn, remainingSteps);
  const colours = coloursOf(heif);
  const icc = colours !== null && 'nclx' in colours ? profileOf(colours.nclx) : null;
  return icc === null ? upright : pixelsOf(withColourProfile(upright, icc).toColourspace('srgb'));
}

const BRAND_AT = 8;
