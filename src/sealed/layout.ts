/**
 * Layout of a sealed evening (decision 077):
 *
 *   mark (8) · salt (16) · SLOTS slots · segments
 *
 * A slot is a nonce, then the key and the id (unread) of a code, sealed with Argon2id's key for that code. Unused slots are noise. A
 * segment is SEGMENT bytes of the content, sealed with the key. The file's size reveals the content's size to an eighth, and nothing else
 * is readable.
 */

/** Sizes in bytes. */
export const KEY = 32;
export const NONCE = 12;
export const TAG = 16;
export const ID = 16;
const SALT = 16;
const SLOT = NONCE + KEY + ID + TAG;

/** Maximum codes that open one evening. */
export const SLOTS = 32;
/** Bytes of content sealed in one piece. */
export const SEGMENT = 2 ** 20;
/** Bytes of a sealed segment, including its tag. */
export const SEALED_SEGMENT = SEGMENT + TAG;

/** `SORPRB`, and the number of this layout. */
const MARK = Uint8Array.of(0x53, 0x4f, 0x52, 0x50, 0x52, 0x42, 0, 1);
export const HEADER = MARK.length + SALT + SLOTS * SLOT;

export type Header = { salt: Uint8Array; slots: readonly Uint8Array[] };

export class NotSealed extends Error {
  override name = 'NotSealed';
}

/** @param slots slots of codes; unused ones are filled with `noise` */
export function headerBytes({ salt, slots }: Header, noise: (length: number) => Uint8Array): Uint8Array {
  if (slots.length > SLOTS) throw new RangeError(`No more than ${SLOTS} codes open one evening`);
  const bytes = noise(HEADER);
  bytes.set(MARK);
  bytes.set(salt, MARK.length);
  for (const [place, slot] of slots.entries()) bytes.set(slot, slotAt(place));
  return bytes;
}

/** Throws `NotSealed` if the bytes aren't a sealed evening, or have an unknown layout. */
export function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < HEADER || !MARK.every((byte, place) => bytes[place] === byte)) throw new NotSealed();
  return {
    salt: bytes.slice(MARK.length, MARK.length + SALT),
    slots: Array.from({ length: SLOTS }, (_, place) => bytes.slice(slotAt(place), slotAt(place) + SLOT)),
  };
}

const slotAt = (place: number) => MARK.length + SALT + place * SLOT;

/**
 * Returns the nonce of a segment. A counter is enough, because each key seals one evening only. The last segment is marked, so that a
 * truncated evening isn't accepted as complete.
 */
export function segmentNonce(place: number, last: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE);
  const view = new DataView(nonce.buffer);
  view.setUint32(0, place);
  view.setUint8(4, last ? 1 : 0);
  return nonce;
}

/**
 * Returns the number of segments for this many bytes of content. It is rounded up to one of eight steps between two powers of two, so that
 * the size reveals little.
 */
export function segmentsOf(bytes: number): number {
  const needed = Math.max(1, Math.ceil(bytes / SEGMENT));
  const step = 2 ** Math.max(0, Math.floor(Math.log2(needed)) - 3);
  return Math.ceil(needed / step) * step;
}

/** Returns the size of the sealed content in bytes. */
export const sealedSize = (bytes: number): number => HEADER + segmentsOf(bytes) * SEALED_SEGMENT;
