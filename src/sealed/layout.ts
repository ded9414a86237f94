/**
 * How a sealed evening lies in its bytes (decision 077):
 *
 *   mark (8) · salt (16) · SLOTS slots · segments
 *
 * A slot is a nonce, and the key and the id (unread) of a code, sealed with what Argon2id makes of that code; the slots of no code are noise. A segment is
 * SEGMENT bytes of the content, sealed with the key. So the size says how large it is to an eighth, and nothing says anything else.
 */

/** Bytes. */
export const KEY = 32;
export const NONCE = 12;
export const TAG = 16;
export const ID = 16;
const SALT = 16;
const SLOT = NONCE + KEY + ID + TAG;

/** So many codes may open one evening. */
export const SLOTS = 32;
/** Content that is sealed in one piece, in bytes. */
export const SEGMENT = 2 ** 20;
/** The same with its tag. */
export const SEALED_SEGMENT = SEGMENT + TAG;

/** `SORPRB`, and the number of this layout. */
const MARK = Uint8Array.of(0x53, 0x4f, 0x52, 0x50, 0x52, 0x42, 0, 1);
export const HEADER = MARK.length + SALT + SLOTS * SLOT;

export type Header = { salt: Uint8Array; slots: readonly Uint8Array[] };

export class NotSealed extends Error {
  override name = 'NotSealed';
}

/** @param slots of codes; what is missing to all of them is filled with `noise` */
export function headerBytes({ salt, slots }: Header, noise: (length: number) => Uint8Array): Uint8Array {
  if (slots.length > SLOTS) throw new RangeError(`No more than ${SLOTS} codes open one evening`);
  const bytes = noise(HEADER);
  bytes.set(MARK);
  bytes.set(salt, MARK.length);
  for (const [place, slot] of slots.entries()) bytes.set(slot, slotAt(place));
  return bytes;
}

/** Throws `NotSealed` where these bytes are none of ours, or of a layout that isn't known here. */
export function readHeader(bytes: Uint8Array): Header {
  if (bytes.length < HEADER || !MARK.every((byte, place) => bytes[place] === byte)) throw new NotSealed();
  return {
    salt: bytes.slice(MARK.length, MARK.length + SALT),
    slots: Array.from({ length: SLOTS }, (_, place) => bytes.slice(slotAt(place), slotAt(place) + SLOT)),
  };
}

const slotAt = (place: number) => MARK.length + SALT + place * SLOT;

/**
 * The nonce of a segment. Its key is used for one evening alone, so that counting is enough; the last one is marked, so that an evening that was
 * cut short is not taken for a whole one.
 */
export function segmentNonce(place: number, last: boolean): Uint8Array {
  const nonce = new Uint8Array(NONCE);
  const view = new DataView(nonce.buffer);
  view.setUint32(0, place);
  view.setUint8(4, last ? 1 : 0);
  return nonce;
}

/** How many segments content of so many bytes becomes: rounded up to one of eight steps between two powers of two, so that the size tells little. */
export function segmentsOf(bytes: number): number {
  const least = Math.max(1, Math.ceil(bytes / SEGMENT));
  const step = 2 ** Math.max(0, Math.floor(Math.log2(least)) - 3);
  return Math.ceil(least / step) * step;
}

/** What content of so many bytes takes sealed, in bytes. */
export const sealedSize = (bytes: number): number => HEADER + segmentsOf(bytes) * SEALED_SEGMENT;
