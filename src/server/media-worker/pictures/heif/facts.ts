import { readDirectories } from '../directories.ts';
import { type OrientationStep, orientationSteps } from '../turns.ts';
import { bytesAt, callChecked, callForValue, HeifError, type Library, withRoom, wordsAt } from './library.ts';
import type { Nclx } from './profile.ts';

/** An open HEIC or AVIF; numbers are addresses in libheif's memory. */
export type Heif = { library: Library; context: number; handle: number };

/** Tiles of a picture as stored, before rotation; one if it is no grid. */
export type Tiles = {
  columns: number;
  rows: number;
  tileWidth: number;
  tileHeight: number;
  width: number;
  height: number;
};

/** Colour space: an ICC profile or code points; null if none is stated. */
export type Colours = { icc: Buffer } | { nclx: Nclx } | null;

const typeOf = (library: Library, context: number, item: number) =>
  String.fromCharCode(...numberToBytes(library._heif_item_get_item_type(context, item)));

function numberToBytes(type: number): number[] {
  return [24, 16, 8, 0].map((shift) => (type >>> shift) & 0xff);
}

/** Returns the four-letter codec of the picture or of its first tile: `hvc1`, `av01`, … */
export function codecOf({ library, context, handle }: Heif): string {
  const item = library._heif_image_handle_get_item_id(handle);
  const type = typeOf(library, context, item);
  if (type !== 'grid') return type;
  const tile = callForValue(library, (error, place) =>
    library._heif_image_handle_get_grid_image_tile_id(error, handle, 0, 0, 0, place),
  );
  return typeOf(library, context, tile);
}

const WITHOUT_TRANSFORMATION = 0;

export function tilesOf({ library, handle }: Heif): Tiles {
  return withRoom(library, 32, (place) => {
    callChecked(library, (error) =>
      library._heif_image_handle_get_image_tiling(error, handle, WITHOUT_TRANSFORMATION, place),
    );
    const [, columns = 1, rows = 1, tileWidth = 0, tileHeight = 0, width = 0, height = 0] = wordsAt(
      library,
      place,
      7,
    );
    return { columns, rows, tileWidth, tileHeight, width, height };
  });
}

const EXIF = 'Exif\0';
const MAX_EXIF_BYTES = 1_000_000;

/** Returns the transformations of the file's own boxes, and EXIF's orientation if these contain only crops. */
export function stepsOf(heif: Heif, size: { width: number; height: number }): readonly OrientationStep[] {
  const own = ownSteps(heif, size);
  return own.some(({ how }) => how !== 'crop') ? own : [...own, ...orientationSteps(orientationOf(heif))];
}

/** Returns true if the file's own boxes rotate or mirror the picture. */
export const hasOrientation = (heif: Heif) =>
  ownSteps(heif, { width: 1, height: 1 }).some(({ how }) => how !== 'crop');

function ownSteps(
  { library, context, handle }: Heif,
  size: { width: number; height: number },
): OrientationStep[] {
  const item = library._heif_image_handle_get_item_id(handle);
  const properties = withRoom(library, MAX_STEPS, (place) =>
    wordsAt(
      library,
      place,
      library._heif_item_get_transformation_properties(context, item, place, MAX_STEPS),
    ),
  );
  let { width, height } = size;
  return properties.map((property) => {
    const type = String.fromCharCode(
      ...numberToBytes(library._heif_item_get_property_type(context, item, property)),
    );
    if (type === 'irot') {
      const degrees =
        (360 - library._heif_item_get_property_transform_rotation_ccw(context, item, property)) % 360;
      if (degrees % 180 !== 0) [width, height] = [height, width];
      return { how: 'turn', degrees };
    }
    if (type === 'imir') {
      const direction = library._heif_item_get_property_transform_mirror(context, item, property);
      return { how: 'mirror', over: direction === 0 ? 'top' : 'left' };
    }
    const of = { width, height };
    const crop = cropOf(library, [context, item, property], of);
    ({ width, height } = crop);
    return { how: 'crop', ...crop, of };
  });
}

const MAX_STEPS = 8;

function cropOf(
  library: Library,
  [context, item, property]: [number, number, number],
  { width, height }: { width: number; height: number },
) {
  return withRoom(library, 4, (at) => {
    library._heif_item_get_property_transform_crop_borders(
      context,
      item,
      property,
      width,
      height,
      at,
      at + 4,
      at + 8,
      at + 12,
    );
    const [left = 0, top = 0, right = 0, bottom = 0] = wordsAt(library, at, 4);
    const kept = { left, top, width: width - left - right, height: height - top - bottom };
    if (kept.width < 1 || kept.height < 1) throw new HeifError(2, 'A crop that leaves nothing.');
    return kept;
  });
}

function orientationOf({ library, handle }: Heif): number {
  const id = withRoom(library, 2, (name) => {
    bytesAt(library, name, EXIF.length).set(Buffer.from(EXIF, 'latin1'));
    return withRoom(library, 1, (place) => {
      const count = library._heif_image_handle_get_list_of_metadata_block_IDs(handle, name, place, 1);
      return count < 1 ? null : (wordsAt(library, place, 1)[0] ?? null);
    });
  });
  const size = id === null ? 0 : library._heif_image_handle_get_metadata_size(handle, id);
  if (id === null || size <= 4 || size > MAX_EXIF_BYTES) return 1;
  return withRoom(library, Math.ceil(size / 4), (place) => {
    callChecked(library, (error) => library._heif_image_handle_get_metadata(error, handle, id, place));
    const exif = Buffer.from(bytesAt(library, place, size));
    // The first four bytes are the distance from there to the directories.
    return readDirectories(exif.subarray(4 + exif.readUInt32BE(0))).orientation;
  });
}

const MAX_PROFILE_BYTES = 4_000_000;

export function coloursOf({ library, handle }: Heif): Colours {
  const size = library._heif_image_handle_get_raw_color_profile_size(handle);
  if (size > 0 && size <= MAX_PROFILE_BYTES)
    return withRoom(library, Math.ceil(size / 4), (place) => {
      callChecked(library, (error) => library._heif_image_handle_get_raw_color_profile(error, handle, place));
      return { icc: Buffer.from(bytesAt(library, place, size)) };
    });
  try {
    const at = callForValue(library, (error, place) =>
      library._heif_image_handle_get_nclx_color_profile(error, handle, place),
    );
    const [, primaries = 2, transfer = 2] = wordsAt(library, at, 3);
    return { nclx: { primaries, transfer } };
  } catch (error) {
    // The file has no colour profile, so sRGB is assumed.
    if (error instanceof HeifError) return null;
    throw error;
  }
}
