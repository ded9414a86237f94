import type { CSSProperties } from 'react';
import { withoutMarkers } from '../../domain/phrases.ts';

/** Maximum length in characters for each size class; longer phrases have the smallest size. */
const SIZES = [
  ['tiny', 12],
  ['brief', 24],
  ['short', 60],
  ['medium', 120],
  ['long', 220],
] as const;

/** Returns the size class: larger for short phrases, smaller for long ones, so that they fit a small phone. */
export function fontSizeFor(phrase: string): { 'data-size': (typeof SIZES)[number][0] | 'longest' } {
  const { length } = withoutMarkers(phrase);
  return { 'data-size': SIZES.find(([, maxLength]) => length <= maxLength)?.[0] ?? 'longest' };
}

/** Longest phrases cover at most 0.85² of the screen's mean side squared. Assumes letters half as wide as their line is high. */
const FILL_SHARE = 0.85;

/**
 * Returns `--longest`, the length of the longest word, so that sizes avoid breaking it while they stay readable. Returns `--dense`, the
 * font size at which the phrase fills a screen, as a share of the mean of its sides.
 */
export function longestWordLength(phrase: string): CSSProperties {
  const words = withoutMarkers(phrase);
  const longest = Math.max(...words.split(/\s+/).map((word) => word.length));
  return { '--longest': longest, '--dense': (FILL_SHARE / Math.sqrt(words.length || 1)).toFixed(4) };
}
