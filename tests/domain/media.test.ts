import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  bitrateOf,
  isHeavySong,
  isHeavyVideo,
  isLightAlready,
  isWorthKeeping,
  loudnessWarning,
  startsAfter,
  storedLight,
} from '../../src/domain/media.ts';
import {
  bestRendition,
  type PictureFormat,
  type RenditionName,
  renditionName,
  sizedAddress,
  textPosition,
  toCssPosition,
  visiblePart,
} from '../../src/domain/pictures.ts';

test('counts a film as heavy above 150 MB or 6 Mbit/s, a song above 20 MB', () => {
  const film = (bytes: number, seconds: number) => isHeavyVideo({ bytes, seconds });
  expect([film(157_286_400, 3_600), film(157_286_401, 3_600)]).toEqual([false, true]);
  expect([film(750_000, 1), film(750_001, 1)]).toEqual([false, true]);
  expect([film(45_000_000, 60), film(45_000_001, 60)]).toEqual([false, true]);
  expect([20_971_520, 20_971_521].map(isHeavySong)).toEqual([false, true]);
});

describe('loudness', () => {
  test('warns about a film that is too quiet or too loud', () => {
    const of = (loudness: number | null) => loudnessWarning('video', loudness, -16);
    expect([-27.1, -27, -16, -11, -10.9].map(of)).toEqual(['TOO_QUIET', null, null, null, 'TOO_LOUD']);
    expect(of(null)).toBeNull();
  });

  test('compares a song with the film that it follows', () => {
    const of = (loudness: number) => loudnessWarning('song', loudness, -20);
    expect([-24.1, -24, -16, -15.9].map(of)).toEqual(['QUIETER_THAN_FILM', null, null, 'LOUDER_THAN_FILM']);
  });

  test('judges a song alone if the film is unknown', () => {
    const of = (loudness: number) => loudnessWarning('song', loudness, null);
    expect([-30, -16, -8].map(of)).toEqual(['TOO_QUIET', null, 'TOO_LOUD']);
  });

  test('compares a song after a very quiet or very loud film with the range of songs', () => {
    const of = (loudness: number, film: number) => loudnessWarning('song', loudness, film);
    expect([of(-27, -40), of(-27.1, -40)]).toEqual([null, 'QUIETER_THAN_FILM']);
    expect([of(-8, -5), of(-7.9, -5)]).toEqual([null, 'LOUDER_THAN_FILM']);
  });
});

describe('light version', () => {
  const MEGABIT = 125_000;
  const film = (megabits: number, seconds: number) => ({ bytes: megabits * MEGABIT * seconds, seconds });

  it('starts on 4G after its first seconds, or after the missing rest, never in less than a second', () => {
    expect([1, 4, 8].map((megabits) => startsAfter(film(megabits, 120)))).toEqual([1, 2, 3]);
    expect([film(18, 60), film(40, 600)].map(startsAfter)).toEqual([60, 2_067]);
    const small = [film(0.1, 5), film(1, 0.04), { bytes: 0, seconds: 0 }, { bytes: 10, seconds: 0 }];
    expect(small.map(startsAfter)).toEqual([1, 1, 1, 1]);
  });

  describe('storedLight', () => {
    const url = '/api/media/1.mp4';
    const light_url = '/api/media/2.mp4';
    const row = { url, light_url: null, light_of: null, light_state: null, light_on: true, seconds: null };
    const made = { ...row, light_url, light_of: url, light_state: 'made', seconds: 60 };

    it.each([
      ['not tried yet', row, { state: 'waiting', url: null }],
      ['made', made, { state: 'made', url: light_url }],
      ['made of another file', { ...made, url: '/api/media/3.mp4' }, { state: 'again', url: null }],
      ['not made by this machine', { ...row, light_state: 'failed' }, { state: 'failed', url: null }],
      ['a state of another time', { ...made, light_state: 'odd' }, { state: 'again', url: light_url }],
    ])('returns the state: %s', (_, stored, expected) => {
      expect(storedLight(stored)).toMatchObject({ on: true, ...expected });
    });

    it('returns the state of a disabled one too', () => {
      expect(storedLight({ ...made, light_on: false })).toEqual({
        on: false,
        state: 'made',
        url: light_url,
        seconds: 60,
      });
    });
  });

  it('decides by size if a film is light and if a light version is worth storing', () => {
    expect([film(1.25, 60), film(1.26, 60)].map(isLightAlready)).toEqual([true, false]);
    expect([isWorthKeeping(80, 100), isWorthKeeping(81, 100)]).toEqual([true, false]);
    expect([bitrateOf(film(4, 60)), bitrateOf({ bytes: 9, seconds: 0 })]).toEqual([4_000_000, null]);
  });
});

describe('renditions', () => {
  const every = () => true;
  const only =
    (...formats: PictureFormat[]) =>
    (format: PictureFormat) =>
      formats.includes(format);

  describe('renditionName', () => {
    test('uses the width, or full for the picture’s own width', () => {
      expect(renditionName({ width: 720, format: 'avif' }, 2_160)).toBe('w720.avif');
      expect(renditionName({ width: 1_620, format: 'webp' }, 1_620)).toBe('full.webp');
    });
  });

  describe('bestRendition', () => {
    const some: RenditionName[] = ['full.avif', 'w1080.jpg', 'w1080.webp', 'w720.avif', 'w720.jpg'];
    const table: [number, (format: PictureFormat) => boolean, RenditionName | null][] = [
      [1, every, 'w720.avif'],
      [721, every, 'w1080.webp'],
      [1_080, only('jpg'), 'w1080.jpg'],
      [9_999, every, 'full.avif'],
      [9_999, only('webp', 'jpg'), null],
      [720, only(), null],
    ];
    test.each(table)('selects the best size for %i pixels', (requested, reads, expected) => {
      expect(bestRendition(some, requested, reads)).toBe(expected);
    });
  });

  test('adds the width only to a stored file’s address', () => {
    const stored = `/api/media/${'a'.repeat(32)}.jpg`;
    expect(sizedAddress(stored, 720)).toBe(`${stored}?w=720`);
    expect(sizedAddress('blob:https://example.org/1', 720)).toBe('blob:https://example.org/1');
  });
});

describe('focus', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const side = fc.integer({ min: 1, max: 5_000 });
  const size = fc.record({ width: side, height: side });

  test('keeps the point visible, and the visible part inside the picture, for any picture and screen', () => {
    fc.assert(
      fc.property(size, size, fc.record({ x: share, y: share }), (picture, box, fuoco) => {
        const { left, top, width, height } = visiblePart(picture, box, fuoco);
        const within = (low: number, value: number, high: number) =>
          low - 1e-9 <= value && value <= high + 1e-9;
        expect(within(left, fuoco.x, left + width) && within(top, fuoco.y, top + height)).toBe(true);
        expect(within(0, left, 1 - width) && within(0, top, 1 - height)).toBe(true);
      }),
    );
  });

  test('crops a wide picture at its sides around the point on an upright phone', () => {
    const visible = visiblePart(
      { width: 2_000, height: 1_000 },
      { width: 500, height: 1_000 },
      { x: 1, y: 0.5 },
    );
    expect(visible).toEqual({ left: 0.75, top: 0, width: 0.25, height: 1 });
  });

  test.each([
    [null, '50% 50%'],
    [{ x: 1 / 3, y: 0.125 }, '33.33% 12.5%'],
  ])('positions %j at %s', (fuoco, expected) => {
    expect(toCssPosition(fuoco)).toBe(expected);
  });

  test.each([
    [null, 'bottom'],
    [{ x: 0.9, y: 0.6 }, 'bottom'],
    [{ x: 0.9, y: 0.7 }, 'top'],
  ])('puts text for %j at the %s', (fuoco, side) => {
    expect(textPosition(fuoco)).toBe(side);
  });
});
