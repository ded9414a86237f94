import type { Progress } from '../../progress.ts';
import { FileRejected } from '../../refusal.ts';
import { MAX_HELD_PIXELS, MAX_TILE_PIXELS } from '../bounds.ts';
import type { Pixels } from '../pixels.ts';
import type { Heif, Tiles } from './facts.ts';
import { bytesAt, callForValue, type Library, withRoom, wordsAt } from './library.ts';
import { place, reducedBy } from './reduce.ts';

/** libheif's constants: RGB, interleaved, with or without alpha. */
const RGB = 1;
const PACKED = { 3: 10, 4: 11 } as const;
const INTERLEAVED = 10;

/**
 * Decodes a HEIC tile by tile, not yet turned upright. Halves it while two pixels remain for each requested one, or while it exceeds the
 * limit.
 * @param side longest side requested, in pixels
 */
export async function drawHeic(heif: Heif, tiles: Tiles, side: number, progress: Progress): Promise<Pixels> {
  const { columns, rows, tileWidth, tileHeight, width, height } = tiles;
  const hasAlpha = heif.library._heif_image_handle_has_alpha_channel(heif.handle) !== 0;
  // Tiles of a grid with alpha are decoded without it, so such a picture is decoded as a whole.
  const isWhole = columns * rows === 1 || (hasAlpha && width * height <= MAX_TILE_PIXELS);
  const decodedAtOnce = isWhole ? width * height : tileWidth * tileHeight;
  if (decodedAtOnce > MAX_TILE_PIXELS) throw new FileRejected('too_large');
  const by = reducedBy(tiles, side, MAX_HELD_PIXELS);
  if (!isWhole && (tileWidth % by !== 0 || tileHeight % by !== 0)) throw new FileRejected('too_large');
  const channels = hasAlpha && isWhole ? 4 : 3;
  const size = { width: Math.ceil(width / by), height: Math.ceil(height / by) };
  const drawn = { ...size, channels, data: Buffer.alloc(size.width * size.height * channels) } as const;
  const expected = isWhole ? tiles : { width: tileWidth, height: tileHeight };
  for (let row = 0; row < (isWhole ? 1 : rows); row += 1)
    for (let column = 0; column < (isWhole ? 1 : columns); column += 1) {
      const at = { left: column * tileWidth, top: row * tileHeight };
      const decode = isWhole ? wholeOf(heif, channels) : tileOf(heif, column, row);
      withImage(heif.library, decode, (tile) => {
        const hasExpectedSize = tile.width === expected.width && tile.height === expected.height;
        if (!hasExpectedSize || at.left >= width || at.top >= height) throw new FileRejected('damaged');
        place(drawn, { ...tile, channels }, at, by, tiles);
      });
      progress.add(1);
      progress.share((row * columns + column) / (rows * columns));
      await progress.yieldToEventLoop();
    }
  return drawn;
}

type Decode = (library: Library, options: number) => number;

const wholeOf =
  ({ handle }: Heif, channels: 3 | 4): Decode =>
  (library, options) =>
    callForValue(library, (error, image) =>
      library._heif_decode_image(error, handle, image, RGB, PACKED[channels], options),
    );

const tileOf =
  ({ handle }: Heif, column: number, row: number): Decode =>
  (library, options) =>
    callForValue(library, (error, image) =>
      library._heif_image_handle_decode_image_tile(
        error,
        handle,
        image,
        RGB,
        PACKED[3],
        options,
        column,
        row,
      ),
    );

export type Image = { bytes: Uint8Array; stride: number; width: number; height: number };

function withImage(library: Library, decode: Decode, use: (image: Image) => void): void {
  const options = library._heif_decoding_options_alloc();
  // The second and the 22nd byte: ignore transformations, and decode strictly.
  bytesAt(library, options + 1, 1).fill(1);
  bytesAt(library, options + 21, 1).fill(1);
  const image = decode(library, options);
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
