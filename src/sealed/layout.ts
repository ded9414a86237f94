/**
 * Layout of a sealed evening (decision 077):
 *
 *   mark (8) · salt (16) · MAX_SLOTS slots · segments
 *
 * A slot is a nonce, then the key and the id (unread) of a code, sealed with Argon2id's key for that code. Unused slots are noise. A
 * segment is SEGMENT_BYTES bytes of the content, sealed with the key. The file's size reveals the content's size to an eighth, and nothing else
 * is readable.
 */

/** Sizes in bytes. */
export const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
export const TAG_BYTES = 16;
export const ID_BYTES = 16;
const SALT_BYTES = 16;
const SLOT_BYTES = NONCE_BYTES + KEY_BYTES + ID_BYTES + TAG_BYTES;

/** Maximum codes that open one evening. */
export const MAX_SLOTS = 32;
/** Bytes of content sealed in one piece. */
export const SEGMENT_BYTES = 2 ** 20;
/** Bytes of a sealed segment, including its tag. */
export const SEALED_SEGMENT_BYTES = SEGMENT_BYTES + TAG_BYTES;

/** `SORPRB`, and the number of this layout. */
const MAGIC = Uint8Array.of(0x53, 0x4f, 0x52, 0x50, 0x52, 0x42, 0, 1);
export const HEADER_BYTES = MAGIC.length + SALT_BYTES + MAX_SLOTS * SLOT_BYTES;

export type Header = { salt: Uint8Array; slots: readonly Uint8Array[] };

export class NotSealed extends Error {
  override name = 'NotSealed';
}

/** @param slots slots of codes; unused ones are filled with `noise` */
export function headerBytes({ salt, slots }: Header, noise: (length: number) => Uint8Array): Uint8Array {
  if (slots.length > MAX_SLOTS) throw new RangeError(`No more than ${MAX_SLOTS} codes open one evening`);
  const bytes = noise(HEADER_BYTES);
  bytes.set(MAGIC);
  bytes.set(salt, MAGIC.length);
  for (const [place, slot] of slots.entries()) bytes.set(slot, slotAt(place));
  return bytes;
}

/** Throws `NotSealed` if the bytes aren't a sealed evening, or have an unknown layout. */
export function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < HEADER_BYTES || !MAGIC.every((byte, place) => bytes[place] === byte))
    throw new NotSealed();
  return {
    salt: bytes.slice(MAGIC.length, MAGIC.length + SALT_BYTES),
    slots: Array.from({ length: MAX_SLOTS }, (_, place) =>
      bytes.slice(slotAt(place), slotAt(place) + SLOT_BYTES),
    ),
  };
}

const slotAt = (place: number) => MAGIC.length + SALT_BYTES + place * SLOT_BYTES;

/**
 * Returns the nonce of a segment. A counter is enough, because each key seals one evening only. The last segment is marked, so that a
 * truncated evening isn't accepted as complete.
 */
export function segmentNonce(place: number, last: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE_BYTES);
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
  const needed = Math.max(1, Math.ceil(bytes / SEGMENT_BYTES));
  const step = 2 ** Math.max(0, Math.floor(Math.log2(needed)) - 3);
  return Math.ceil(needed / step) * step;
}

/** Returns the size of the sealed content in bytes. */
export const sealedSize = (bytes: number): number => HEADER_BYTES + segmentsOf(bytes) * SEALED_SEGMENT_BYTES;
