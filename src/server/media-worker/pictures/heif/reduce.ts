import type { Pixels } from '../pixels.ts';

type Size = { width: number; height: number };
type Tile = { bytes: Uint8Array; stride: number; channels: number } & Size;

/** Returns the factor by which a picture is reduced while it is read: 1, 2, 4, … */
export function reducedBy({ width, height }: Size, side: number, mostPixels: number): number {
  let by = 1;
  while (Math.max(width, height) / (2 * by) >= 2 * side || (width * height) / (by * by) > mostPixels) by *= 2;
  return by;
}

/**
 * Writes a tile into a picture reduced by `by`: each pixel is the mean of `by` × `by` pixels of the tile.
 * @param at position of the tile in the full-size picture
 * @param whole size of the full-size picture
 */
export function place(
  into: Pixels,
  tile: Tile,
  at: { left: number; top: number },
  by: number,
  whole: Size,
): void {
  const width = Math.min(tile.width, whole.width - at.left);
  const height = Math.min(tile.height, whole.height - at.top);
  const [left, top] = [at.left / by, at.top / by];
  const { channels } = tile;
  for (let y = 0; y < height; y += by) {
    const line = ((top + y / by) * into.width + left) * channels;
    if (by === 1) {
      into.data.set(tile.bytes.subarray(y * tile.stride, y * tile.stride + width * channels), line);
      continue;
    }
    for (let x = 0; x < width; x += by) {
      const box = { x, y, width: Math.min(by, width - x), height: Math.min(by, height - y) };
      for (let channel = 0; channel < channels; channel += 1)
        into.data[line + (x / by) * channels + channel] = meanOf(tile, box, channel);
    }
  }
}

function meanOf(tile: Tile, box: { x: number; y: number } & Size, channel: number): number {
  const { bytes, stride, channels } = tile;
  let sum = 0;
  for (let y = box.y; y < box.y + box.height; y += 1) {
    const line = y * stride + channel;
    for (let x = box.x; x < box.x + box.width; x += 1) sum += bytes[line + x * channels] ?? 0;
  }
  return Math.round(sum / (box.width * box.height));
}
