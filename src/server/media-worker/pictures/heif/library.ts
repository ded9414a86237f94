import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { FileRejected } from '../../child/task.ts';
import { readDirectories } from '../directories.ts';
import { type OrientationStep, orientationSteps, type Size } from '../pixels.ts';
import type { Nclx } from './profile.ts';

/** libheif as WebAssembly: functions that take numbers, and the memory that these point to. */
export type Library = MainModule;

const require = createRequire(import.meta.url);
const FOLDER = 'libheif-js/libheif-wasm';
const start = require(`${FOLDER}/libheif.js`) as (settings: { wasmBinary: Uint8Array }) => Library;

/** Starts a separate instance for every file, so that no file can damage the memory of another. */
const startLibrary = (): Library =>
  start({ wasmBinary: readFileSync(require.resolve(`${FOLDER}/libheif.wasm`)) });

/** libheif's error codes for unknown kinds of files and missing decoders. */
const UNKNOWN = new Set([3, 4, 11]);

export class HeifError extends Error {
  /** True if the file isn't faulty but can't be read here. */
  readonly isUnknown: boolean;

  constructor(code: number, message: string) {
    super(message);
    this.isUnknown = UNKNOWN.has(code);
  }
}

const WORD = 4;
export const bytesAt = ({ HEAPU8 }: Library, at: number, length: number): Uint8Array =>
  (HEAPU8 as Uint8Array).subarray(at, at + length);

/** Reads unsigned numbers of four bytes in libheif's layout. */
export function wordsAt({ HEAPU8 }: Library, at: number, count: number): number[] {
  // A new view each time, because the memory moves when it grows.
  const view = new DataView((HEAPU8 as Uint8Array).buffer);
  return Array.from({ length: count }, (_, place) => view.getUint32(at + WORD * place, true));
}

/** Allocates zeroed memory of `words` numbers for the time of `use`. */
export function withRoom<T>(library: Library, words: number, use: (at: number) => T): T {
  const at = library._malloc(WORD * words);
  if (at === 0) throw new FileRejected('memory');
  bytesAt(library, at, WORD * words).fill(0);
  try {
    return use(at);
  } finally {
    library._free(at);
  }
}

/** Calls a function that writes its error to the given address. Throws `HeifError`. */
function callChecked(library: Library, call: (error: number) => void): void {
  withRoom(library, 3, (error) => {
    call(error);
    const [code = 0, , text = 0] = wordsAt(library, error, 3);
    if (code !== 0) throw new HeifError(code, textAt(library, text));
  });
}

/** Returns the value that such a call writes to `place`. */
export const callForValue = (library: Library, call: (error: number, place: number) => void): number =>
  withRoom(library, 1, (place) => {
    callChecked(library, (error) => call(error, place));
    return wordsAt(library, place, 1)[0] ?? 0;
  });

/** Returns a copy of the `size` bytes that such a call writes to `place`. */
const copyOf = (library: Library, size: number, call: (error: number, place: number) => void): Buffer =>
  withRoom(library, Math.ceil(size / WORD), (place) => {
    callChecked(library, (error) => call(error, place));
    return Buffer.from(bytesAt(library, place, size));
  });

function textAt(library: Library, at: number): string {
  if (at === 0) return '';
  const bytes = bytesAt(library, at, 500);
  const end = bytes.indexOf(0);
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8');
}

/** An open HEIC or AVIF; numbers are addresses in libheif's memory. */
export type Heif = { library: Library; context: number; handle: number };

export function openHeif(file: Buffer): Heif {
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

/** Converts a type to its four letters. */
const lettersOf = (type: number) =>
  String.fromCharCode(...[24, 16, 8, 0].map((shift) => (type >>> shift) & 0xff));

/** Returns the four-letter codec of the picture or of its first tile: `hvc1`, `av01`, … */
export function codecOf({ library, context, handle }: Heif): string {
  const item = library._heif_image_handle_get_item_id(handle);
  const type = lettersOf(library._heif_item_get_item_type(context, item));
  if (type !== 'grid') return type;
  const tile = callForValue(library, (error, place) =>
    library._heif_image_handle_get_grid_image_tile_id(error, handle, 0, 0, 0, place),
  );
  return lettersOf(library._heif_item_get_item_type(context, tile));
}

/** Tiles of a picture as stored, before rotation; one if it is no grid. */
export type Tiles = { columns: number; rows: number; tileWidth: number; tileHeight: number } & Size;

const WITHOUT_TRANSFORMATION = 0;

export function tilesOf({ library, handle }: Heif): Tiles {
  return withRoom(library, 32, (place) => {
    callChecked(library, (error) =>
      library._heif_image_handle_get_image_tiling(error, handle, WITHOUT_TRANSFORMATION, place),
    );
    const [columns = 1, rows = 1, ...sizes] = wordsAt(library, place + WORD, 6);
    const [tileWidth = 0, tileHeight = 0, width = 0, height = 0] = sizes;
    return { columns, rows, tileWidth, tileHeight, width, height };
  });
}

/** Returns the transformations of the file's own boxes, and EXIF's orientation if these contain only crops. */
export function stepsOf(heif: Heif, size: Size): readonly OrientationStep[] {
  const own = ownSteps(heif, size);
  return own.some(({ how }) => how !== 'crop') ? own : [...own, ...orientationSteps(orientationOf(heif))];
}

/** Returns true if the file's own boxes rotate or mirror the picture. */
export const hasOrientation = (heif: Heif) =>
  ownSteps(heif, { width: 1, height: 1 }).some(({ how }) => how !== 'crop');

const MAX_STEPS = 8;

function ownSteps({ library, context, handle }: Heif, size: Size): OrientationStep[] {
  const item = library._heif_image_handle_get_item_id(handle);
  const properties = withRoom(library, MAX_STEPS, (place) => {
    const count = library._heif_item_get_transformation_properties(context, item, place, MAX_STEPS);
    return wordsAt(library, place, count);
  });
  let of = size;
  return properties.map((property): OrientationStep => {
    const place = [context, item, property] as const;
    const type = lettersOf(library._heif_item_get_property_type(...place));
    if (type === 'irot') {
      const degrees = (360 - library._heif_item_get_property_transform_rotation_ccw(...place)) % 360;
      if (degrees % 180 !== 0) of = { width: of.height, height: of.width };
      return { how: 'turn', degrees };
    }
    if (type === 'imir') {
      const direction = library._heif_item_get_property_transform_mirror(...place);
      return { how: 'mirror', over: direction === 0 ? 'top' : 'left' };
    }
    const crop = { how: 'crop', ...cropOf(library, place, of), of } as const;
    of = { width: crop.width, height: crop.height };
    return crop;
  });
}

function cropOf(library: Library, place: readonly [number, number, number], { width, height }: Size) {
  return withRoom(library, 4, (at) => {
    const borders = [at, at + WORD, at + 2 * WORD, at + 3 * WORD] as const;
    library._heif_item_get_property_transform_crop_borders(...place, width, height, ...borders);
    const [left = 0, top = 0, right = 0, bottom = 0] = wordsAt(library, at, 4);
    const kept = { left, top, width: width - left - right, height: height - top - bottom };
    if (kept.width < 1 || kept.height < 1) throw new HeifError(2, 'A crop that leaves nothing.');
    return kept;
  });
}

const EXIF = Buffer.from('Exif\0', 'latin1');
const MAX_EXIF_BYTES = 1_000_000;

function orientationOf({ library, handle }: Heif): number {
  const id = withRoom(library, 3, (place) => {
    const name = place + WORD;
    bytesAt(library, name, EXIF.length).set(EXIF);
    const count = library._heif_image_handle_get_list_of_metadata_block_IDs(handle, name, place, 1);
    return count < 1 ? null : (wordsAt(library, place, 1)[0] ?? null);
  });
  const size = id === null ? 0 : library._heif_image_handle_get_metadata_size(handle, id);
  if (id === null || size <= 4 || size > MAX_EXIF_BYTES) return 1;
  const exif = copyOf(library, size, (error, place) =>
    library._heif_image_handle_get_metadata(error, handle, id, place),
  );
  // The first four bytes are the distance from there to the directories.
  return readDirectories(exif.subarray(4 + exif.readUInt32BE(0))).orientation;
}

const MAX_PROFILE_BYTES = 4_000_000;

/** Returns the colour space: an ICC profile or code points; null if none is stated. */
export function coloursOf({ library, handle }: Heif): { icc: Buffer } | { nclx: Nclx } | null {
  const size = library._heif_image_handle_get_raw_color_profile_size(handle);
  if (size > 0 && size <= MAX_PROFILE_BYTES) {
    const icc = copyOf(library, size, (error, place) =>
      library._heif_image_handle_get_raw_color_profile(error, handle, place),
    );
    return { icc };
  }
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
