import { createAes, randomFill } from './aes.ts';
import type { DeriveCodeKey } from './code-key.ts';
import { type CodeLock, wrapKeyForCodes } from './code-locks.ts';
import { headerBytes, KEY_BYTES, SEGMENT_BYTES, segmentNonce, segmentsOf } from './layout.ts';

const SALT_BYTES = 16;

type Content = { size: number; chunks: AsyncIterable<Uint8Array> };

/**
 * Encrypts an evening's content, with at most two segments in memory. Throws if the content's length isn't `size`; the output so far is
 * then unusable.
 * @param locks codes that open it, at most `MAX_SLOTS` (layout.ts)
 */
export async function* sealEvening(
  { size, chunks }: Content,
  locks: readonly CodeLock[],
  deriveKey: DeriveCodeKey,
): AsyncGenerator<Uint8Array, void, undefined> {
  const [key, salt] = [randomFill(KEY_BYTES), randomFill(SALT_BYTES)];
  yield headerBytes({ salt, slots: await wrapKeyForCodes(key, locks, salt, deriveKey) }, randomFill);
  const aes = await createAes(key);
  const count = segmentsOf(size);
  let index = 0;
  for await (const segment of inSegments(chunks, size, count)) {
    yield await aes.seal(segmentNonce(index, index === count - 1), segment);
    index += 1;
  }
}

/** Yields `count` segments of equal length; zeros fill the rest. More segments than the content needs hide its exact size. */
async function* inSegments(chunks: AsyncIterable<Uint8Array>, size: number, count: number) {
  let segment = new Uint8Array(SEGMENT_BYTES);
  let [filled, received, yielded] = [0, 0, 0];
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > size) break;
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + SEGMENT_BYTES - filled);
      segment.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < SEGMENT_BYTES) continue;
      yield segment;
      yielded += 1;
      segment = new Uint8Array(SEGMENT_BYTES);
      filled = 0;
    }
  }
  if (received !== size) throw new Error(`The content has ${received} bytes or more instead of ${size}`);
  for (; yielded < count; yielded += 1) {
    yield segment;
    segment = new Uint8Array(SEGMENT_BYTES);
  }
}
