import sharp from 'sharp';
import { expect, test } from 'vitest';
import { inColour } from '../../src/server/media-worker/pictures/coloured.ts';
import type { Pixels } from '../../src/server/media-worker/pictures/pixels.ts';

/** Pixels that are given the colours of a profile: every one of them is where it was. */

const pixels = (width: number, height: number, channels: Pixels['channels']): Pixels => ({
  data: Buffer.from(Array.from({ length: width * height * channels }, (_, at) => (at * 31 + 7) % 256)),
  width,
  height,
  channels,
});
const profileOf = async (space: 'srgb' | 'p3') => {
  const plain = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
  const { icc } = await sharp(await plain.withIccProfile(space).png().toBuffer()).metadata();
  if (icc === undefined) throw new Error('No profile');
  return icc;
};

test.each<[number, number, Pixels['channels']]>([
  [3, 1, 3],
  [5, 63, 3],
  [5, 64, 3],
  [5, 65, 3],
  [7, 200, 3],
  [3, 65, 4],
])('%i × %i pixels of %i channels are the same as before', async (width, height, channels) => {
  const given = pixels(width, height, channels);
  const icc = await profileOf('srgb');
  const picture = inColour(given, icc);
  const { hasAlpha, ...told } = await picture.metadata();
  expect(told).toMatchObject({ format: 'tiff', width, height, channels, icc });
  expect(hasAlpha).toBe(channels === 4);
  const { data } = await picture.raw().toBuffer({ resolveWithObject: true });
  // A profile's arithmetic may move a colour by a step or two.
  const farthest = Math.max(...given.data.map((value, at) => Math.abs(value - (data[at] ?? -99))));
  expect(farthest).toBeLessThanOrEqual(2);
});

test.each<[Pixels['channels'], boolean]>([
  [1, false],
  [2, true],
])('grey of %i channels is grey', async (channels, alpha) => {
  const grey = await inColour(pixels(5, 65, channels), await profileOf('srgb')).metadata();
  expect(grey).toMatchObject({ width: 5, height: 65, channels, hasAlpha: alpha });
});

test('another profile makes other colours of them; none leaves them as they are', async () => {
  const red: Pixels = { data: Buffer.from([200, 50, 50]), width: 1, height: 1, channels: 3 };
  const shown = async (icc: Buffer | null) => [
    ...(await inColour(red, icc).toColourspace('srgb').raw().toBuffer()),
  ];
  expect(await shown(null)).toEqual([200, 50, 50]);
  const [wide = 0] = await shown(await profileOf('p3'));
  expect(wide).toBeGreaterThan(205);
});
