import { describe, expect, test } from 'vitest';
import {
  bestRendition,
  type PictureFormat,
  RENDITION_NAMES,
  type RenditionName,
  renditionName,
  sizedAddress,
} from '../../src/domain/renditions.ts';

const every = () => true;
const only =
  (...formats: PictureFormat[]) =>
  (format: PictureFormat) =>
    formats.includes(format);

describe('what one is called', () => {
  test('by its width, or as wide as the picture itself, also where that is a width of the list', () => {
    expect(renditionName({ width: 720, format: 'avif' }, 2_160)).toBe('w720.avif');
    expect(renditionName({ width: 1_620, format: 'webp' }, 1_620)).toBe('full.webp');
    expect(renditionName({ width: 333, format: 'jpg' }, 333)).toBe('full.jpg');
  });
});

describe('which one answers best', () => {
  const some: RenditionName[] = ['full.avif', 'w1080.jpg', 'w1080.webp', 'w720.avif', 'w720.jpg'];
  const table: [number, (format: PictureFormat) => boolean, RenditionName | null][] = [
    [1, every, 'w720.avif'],
    [720, every, 'w720.avif'],
    [721, every, 'w1080.webp'],
    [1_080, only('jpg'), 'w1080.jpg'],
    [1_081, every, 'full.avif'],
    [9_999, every, 'full.avif'],
    [9_999, only('webp', 'jpg'), null],
    [720, only(), null],
  ];
  test.each(table)('for %i pixels', (wanted, reads, expected) => {
    expect(bestRendition(some, wanted, reads)).toBe(expected);
  });

  test('of none there is none; of all there is one for every width', () => {
    expect(bestRendition([], 720, every)).toBeNull();
    for (const wanted of [1, 800, 1_200, 3_000])
      expect(bestRendition(RENDITION_NAMES, wanted, every)).toMatch(/\.avif$/);
  });
});

test('only a stored file is asked for by its width', () => {
  const stored = `/api/media/${'a'.repeat(32)}.jpg`;
  expect(sizedAddress(stored, 720)).toBe(`${stored}?w=720`);
  expect(sizedAddress('blob:https://example.org/1', 720)).toBe('blob:https://example.org/1');
});
