import type { SlotName } from '../../../../../domain/media-slots.ts';

/** Bytes read at each of three positions. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * Identifies an unfinished upload when its file is chosen again. Uses content instead of name and time, because a phone reports a
 * new time each time the same video is picked.
 */
export async function fingerprintOf(file: File, slot: SlotName): Promise<string> {
  const offsets = [0, Math.floor(file.size / 2), Math.max(0, file.size - SAMPLE_BYTES)];
  const samples = offsets.map((start) => file.slice(start, start + SAMPLE_BYTES));
  return `sorpresa-${slot}-${file.size}-${await digest(new Blob(samples), file)}`;
}

async function digest(samples: Blob, file: File): Promise<string> {
  // `crypto.subtle` requires https or localhost.
  if (!('subtle' in crypto)) return `${file.name}-${file.lastModified}`;
  const hash = await crypto.subtle.digest('SHA-256', await samples.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
