import { readFile } from 'node:fs/promises';
import { FileRejected, progress } from '../../child/task.ts';
import {
  applySteps,
  type Pixels,
  pixelsOf,
  reducedPixels,
  type Size,
  sharp,
  withColourProfile,
} from '../pixels.ts';
import { checkSize } from '../read.ts';
import {
  bytesAt,
  callForValue,
  codecOf,
  coloursOf,
  type Heif,
  hasOrientation,
  openHeif,
  stepsOf,
  type Tiles,
  tilesOf,
  withRoom,
  wordsAt,
} from './library.ts';
import { profileOf } from './profile.ts';

/**
 * Reads the primary picture of a HEIC or AVIF, upright and in sRGB. libheif's WebAssembly reads both and decodes HEVC. sharp decodes AV1,
 * because its own libheif has no HEVC.
 */
export async function readHeif(path: string, side: number): Promise<Pixels> {
  const file = await readFile(path);
  const heif = openHeif(file);
  progress.add(1);
  const codec = codecOf(heif);
  const isAvif = codec === 'av01';
  if (codec !== 'hvc1' && !isAvif) throw new FileRejected('undecodable');
  const tiles = tilesOf(heif);
  checkSize({ ...tiles, format: isAvif ? 'avif' : 'heic' });
  progress.setWorkload((tiles.width * tiles.height) / 1_000_000);
  return isAvif ? readAvif(heif, file, tiles, side) : readHeic(heif, tiles, side);
}

async function readHeic(heif: Heif, tiles: Tiles, side: number): Promise<Pixels> {
  const steps = stepsOf(heif, tiles);
  const colours = coloursOf(heif);
  const drawn = await applySteps(await drawHeic(heif, tiles, side), steps);
  const icc = colours === null ? null : 'icc' in colours ? colours.icc : profileOf(colours.nclx);
  return reducedPixels(withColourProfile(drawn, icc), side);
}

/** Position of the main brand in a file. */
const BRAND_AT = 8;

async function readAvif(heif: Heif, file: Buffer, size: Size, side: number): Promise<Pixels> {
  // Sequences and other files with a picture have another brand, and sharp checks the brand.
  file.write('avif', BRAND_AT, 'latin1');
  const drawn = await reducedPixels(sharp(file, { failOn: 'error' }), side);
  // sharp applies the file's own transformations, but never EXIF's.
  const remainingSteps = hasOrientation(heif) ? [] : stepsOf(heif, size).filter(({ how }) => how !== 'crop');
  const upright = await applySteps(drawn, remainingSteps);
  const colours = coloursOf(heif);
  const icc = colours !== null && 'nclx' in colours ? profileOf(colours.nclx) : null;
  return icc === null ? upright : pixelsOf(withColourProfile(upright, icc).toColourspace('srgb'));
}

/** Largest part of a HEIC that is decoded at once, in pixels: a grid's tile or the whole picture. */
const MAX_TILE_PIXELS = 36_000_000;
/** Maximum pixels of a HEIC in memory; a larger one is reduced while its tiles are read. */
const MAX_HELD_PIXELS = 50_000_000;

/** libheif's constants: RGB, interleaved, with or without alpha. */
const RGB = 1;
const PACKED = { 3: 10, 4: 11 } as const;
const INTERLEAVED = 10;

/**
 * Decodes a HEIC tile by tile, not yet turned upright. Halves it while two pixels remain for each requested one, or while it exceeds the
 * limit.
 * @param side longest side requested, in pixels
 */
async function drawHeic(heif: Heif, tiles: Tiles, side: number): Promise<Pixels> {
  const { library, handle } = heif;
  const { columns, rows, tileWidth, tileHeight, width, height } = tiles;
  const hasAlpha = library._heif_image_handle_has_alpha_channel(handle) !== 0;
  // Tiles of a grid with alpha are decoded without it, so such a picture is decoded as a whole.
  const isWhole = columns * rows === 1 || (hasAlpha && width * height <= MAX_TILE_PIXELS);
  const expected = isWhole ? { width, height } : { width: tileWidth, height: tileHeight };
  if (expected.width * expected.height > MAX_TILE_PIXELS) throw new FileRejected('too_large');
  const by = reducedBy(tiles, side);
  if (!isWhole && (tileWidth % by !== 0 || tileHeight % by !== 0)) throw new FileRejected('too_large');
  const channels = hasAlpha && isWhole ? 4 : 3;
  const packing = [RGB, PACKED[channels]] as const;
  const size = { width: Math.ceil(width / by), height: Math.ceil(height / by) };
  const drawn = { ...size, channels, data: Buffer.alloc(size.width * size.height * channels) } as const;
  for (let row = 0; row < (isWhole ? 1 : rows); row += 1)
    for (let column = 0; column < (isWhole ? 1 : columns); column += 1) {
      const at = { left: column * tileWidth, top: row * tileHeight };
      const cell = [column, row] as const;
      const decode: Decode = (error, image, options) =>
        isWhole
          ? library._heif_decode_image(error, handle, image, ...packing, options)
          : library._heif_image_handle_decode_image_tile(error, handle, image, ...packing, options, ...cell);
      withTile(heif, decode, (tile) => {
        const hasExpectedSize = tile.width === expected.width && tile.height === expected.height;
        if (!hasExpectedSize || at.left >= width || at.top >= height) throw new FileRejected('damaged');
        placeTile(drawn, tile, at, by, tiles);
      });
      progress.add(1);
      progress.share((row * columns + column) / (rows * columns));
      await progress.yieldToEventLoop();
    }
  return drawn;
}

/** Decodes a picture or tile and writes its address to `image`. */
type Decode = (error: number, image: number, options: number) => void;
type Tile = { bytes: Uint8Array; stride: number } & Size;

function withTile({ library }: Heif, decode: Decode, use: (tile: Tile) => void): void {
  const options = library._heif_decoding_options_alloc();
  // The second and the 22nd byte: ignore transformations, and decode strictly.
  bytesAt(library, options + 1, 1).fill(1);
  bytesAt(library, options + 21, 1).fill(1);
  const image = callForValue(library, (error, place) => decode(error, place, options));
  library._heif_decoding_options_free(options);
  try {
    const width = library._heif_image_get_width(image, INTERLEAVED);
    const height = library._heif_image_get_height(image, INTERLEAVED);
    withRoom(library, 1, (room) => {
      const at = library._heif_image_get_plane_readonly2(image, INTERLEAVED, room);
      const [stride = 0] = wordsAt(library, room, 1);
      use({ bytes: bytesAt(library, at, stride * height), stride, width, height });
    });
  } finally {
    library._heif_image_release(image);
  }
}

/** Returns the factor by which a picture is reduced while it is read: 1, 2, 4, … */
function reducedBy({ width, height }: Size, side: number): number {
  let by = 1;
  while (Math.max(width, height) / (2 * by) >= 2 * side || (width * height) / (by * by) > MAX_HELD_PIXELS)
    by *= 2;
  return by;
}

/**
 * Writes a tile into a picture reduced by `by`: each pixel is the mean of `by` × `by` pixels of the tile.
 * @param at position of the tile in the full-size picture
 * @param whole size of the full-size picture
 */
function placeTile(
  into: Pixels,
  tile: Tile,
  at: { left: number; top: number },
  by: number,
  whole: Size,
): void {
  const { channels } = into;
  const width = Math.min(tile.width, whole.width - at.left);
  const height = Math.min(tile.height, whole.height - at.top);
  for (let y = 0; y < height; y += by) {
    const line = ((at.top + y) / by) * into.width + at.left / by;
    if (by === 1) {
      into.data.set(
        tile.bytes.subarray(y * tile.stride, y * tile.stride + width * channels),
        line * channels,
      );
      continue;
    }
    for (let x = 0; x < width; x += by) {
      const box = { x, y, width: Math.min(by, width - x), height: Math.min(by, height - y) };
      for (let channel = 0; channel < channels; channel += 1)
        into.data[(line + x / by) * channels + channel] = meanOf(tile, box, channel, channels);
    }
  }
}

function meanOf(
  { bytes, stride }: Tile,
  box: { x: number; y: number } & Size,
  channel: number,
  channels: number,
): number {
  let sum = 0;
  for (let y = box.y; y < box.y + box.height; y += 1) {
    const line = y * stride + channel;
    for (let x = box.x; x < box.x + box.width; x += 1) sum += bytes[line + x * channels] ?? 0;
  }
  return Math.round(sum / (box.width * box.height));
}
