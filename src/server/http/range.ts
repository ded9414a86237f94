import type { ByteRange } from '../storage/storage.ts';

export type RangeResult = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' };

const WHOLE: RangeResult = { kind: 'whole' };

/**
 * What a `Range` header asks of a file of `size` bytes: `a-b`, `a-` or `-n` is a part; past the end is unsatisfiable; several ranges, other
 * units and what can't be read are answered with the whole file (RFC 9110, 14.2: a server may ignore the header).
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

/** Does an `If-None-Match` list name this file? */
export function etagMatches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((given) => given.trim() === '*' || given.trim().replace(/^W\//, '') === etag);
}

/** A range counts only if the file is still the one it was asked of: the very same strong tag, or no `If-Range` at all. */
export function ifRangeMatches(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}
