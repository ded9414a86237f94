/** Makes `src/web/scenes/grain.png`, the touch of grain that keeps the night's long gradients from showing steps: run again after changing it here. */
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './setup.mjs';

/** Pixels of the tile's side; how much the darkest and the lightest grain cover (of 255). */
const SIDE = 96;
const STRENGTH = 14;

let seed = 20_240_607;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

const pixels = Buffer.alloc(SIDE * SIDE * 4);
for (let at = 0; at < pixels.length; at += 4) {
  // Mostly faint, seldom strong, as much darker as lighter.
  const grain = random() + random() - 1;
  pixels.fill(grain > 0 ? 255 : 0, at, at + 3);
  pixels[at + 3] = Math.round(Math.abs(grain) * STRENGTH);
}
await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 4 } })
  .png({ palette: true, colours: 16, compressionLevel: 9, effort: 10 })
  .toFile(join(root, 'src/web/scenes/grain.png'));
