import type { ByteRange } from '../storage/storage.ts';

export type RangeResult = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' };

const WHOLE: RangeResult = { kind: 'whole' };

/**
 * Parses a `Range` header for a file of `size` bytes. `a-b`, `a-` and `-n` are a part; a start past the end is unsatisfiable. Several
 * ranges, other units and invalid values get the whole file (RFC 9110, 14.2: a server may ignore the header).
 */
export function parseRange(header: string | undefined, size: number): RangeResult {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec((header ?? '').replaceAll(' ', '')) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return WHOLE;
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return WHOLE;
  return start >= size ? { kind: 'unsatisfiable' } : { kind: 'part', range: { start, end } };
}

function suffix(length: number, size: number): RangeResult {
  if (length === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 } };
}

/** Returns true if an `If-None-Match` list contains this tag. */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Returns true if a range applies: `If-Range` is missing or equals the strong tag. */
export function ifRangeMatches(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
