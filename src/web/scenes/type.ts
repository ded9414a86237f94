import type { CSSProperties } from 'react';
import { withoutMarkers } from '../../domain/emphasis.ts';

/** Up to so many characters a phrase is set in this size; the longest in the smallest. */
const SIZES = [
  ['tiny', 12],
  ['brief', 24],
  ['short', 60],
  ['medium', 120],
  ['long', 220],
] as const;

/** Short phrases are set large, long ones small, so that they fit a small phone. */
export function fontSizeFor(phrase: string): { 'data-size': (typeof SIZES)[number][0] | 'longest' } {
  const { length } = withoutMarkers(phrase);
  return { 'data-size': SIZES.find(([, most]) => length <= most)?.[0] ?? 'longest' };
}

/** As high as the longest phrases may be is 0.85² of the screen's mean side squared, where a letter is half as wide as its line is high. */
const FILLING = 0.85;

/**
 * `--longest`, the characters of the longest word: no size is so large that it would have to be broken, where a readable one is small enough.
 * `--dense`, the size at which the whole phrase fills a screen, as a share of the mean of its sides.
 */
export function longestWordLength(phrase: string): CSSProperties {
  const words = withoutMarkers(phrase);
  const longest = Math.max(...words.split(/\s+/).map((word) => word.length));
  return { '--longest': longest, '--dense': (FILLING / Math.sqrt(words.length || 1)).toFixed(4) };
}
