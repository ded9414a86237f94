import { createAes, randomFill } from './aes.ts';
import type { DeriveCodeKey } from './code-key.ts';
import { type CodeLock, wrapKeyForCodes } from './code-locks.ts';
import { headerBytes, KEY, SEGMENT, segmentNonce, segmentsOf } from './layout.ts';

const SALT = 16;

type Content = { size: number; pieces: AsyncIterable<Uint8Array> };

/**
 * Seals an evening by segments, with at most two of them in memory. Throws if the content's length isn't `size`.
 * @param locks codes that open it, at most `SLOTS`
 */
export async function* sealed(
  { size, pieces }: Content,
  locks: readonly CodeLock[],
  deriveKey: DeriveCodeKey,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [key, salt] = [randomFill(KEY), randomFill(SALT)];
  yield headerBytes({ salt, slots: await wrapKeyForCodes(key, locks, salt, deriveKey) }, randomFill);
  const aes = await createAes(key);
  const count = segmentsOf(size);
  let place = 0;
  for await (const segment of inSegments(pieces, size, count)) {
    yield await aes.seal(segmentNonce(place, place === count - 1), segment);
    place += 1;
  }
}

/** Yields `count` segments of equal length; zeros fill the last ones. */
async function* inSegments(pieces: AsyncIterable<Uint8Array>, size: number, count: number) {
  let segment = new Uint8Array(SEGMENT);
  let [filled, received, yielded] = [0, 0, 0];
  for await (const piece of pieces) {
    received += piece.length;
    if (received > size) break;
    for (let from = 0; from < piece.length; ) {
      const part = piece.subarray(from, from + SEGMENT - filled);
      segment.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < SEGMENT) continue;
      yield segment;
      yielded += 1;
      segment = new Uint8Array(SEGMENT);
      filled = 0;
    }
  }
  if (received !== size) throw new Error(`The content has ${received} bytes or more in place of ${size}`);
  for (; yielded < count; yielded += 1) {
    yield segment;
    segment = new Uint8Array(SEGMENT);
  }
}
