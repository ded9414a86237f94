import type { SlotName } from '../../../../../domain/media-slots.ts';

/** So many bytes are looked at in each of three places. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * What an unfinished upload is known by when its file is chosen again. By its bytes, not its name and time: a phone gives the
 * same video another time whenever it is picked.
 */
export async function fingerprintOf(file: File, slot: SlotName): Promise<string> {
  const places = [0, Math.floor(file.size / 2), Math.max(0, file.size - SAMPLE_BYTES)];
  const samples = places.map((start) => file.slice(start, start + SAMPLE_BYTES));
  return `sorpresa-${slot}-${file.size}-${await digest(new Blob(samples), file)}`;
}

async function digest(samples: Blob, file: File): Promise<string> {
  // Only a page that came by https (or from this machine) may compute one.
  if (!('subtle' in crypto)) return `${file.name}-${file.lastModified}`;
  const hash = await crypto.subtle.digest('SHA-256', await samples.arrayBuffer());
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
