/** Bytes `start` to `end` of an upload, `end` excluded. */
export type Chunk = { start: number; end: number };

/** Maximum chunk size in bytes, and the memory an upload uses. A browser sends 5 MiB at a time. */
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;

/** Splits a stream into chunks. If the stream fails, yields the received rest before it throws, so that a retry continues there. */
export async function* splitChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let buffered: Buffer[] = [];
  let length = 0;
  let failure: { error: unknown } | undefined;
  try {
    for await (const chunk of content) {
      let rest = chunk;
      while (length + rest.length >= MAX_CHUNK_BYTES) {
        const fits = MAX_CHUNK_BYTES - length;
        yield Buffer.concat([...buffered, rest.subarray(0, fits)]);
        [buffered, length, rest] = [[], 0, rest.subarray(fits)];
      }
      buffered.push(rest);
      length += rest.length;
    }
  } catch (error) {
    failure = { error };
  }
  if (length > 0) yield Buffer.concat(buffered);
  if (failure !== undefined) throw failure.error;
}

/**
 * Returns the chunks of the longest beginning without a gap, in order. Chunks may overlap: a late one of another node has the same bytes.
 * Added chunks never shorten the beginning.
 */
export function contiguousChunks(pieces: readonly Chunk[]): Chunk[] {
  const waiting = pieces.toSorted((a, b) => a.start - b.start);
  const order: Chunk[] = [];
  let furthest: Chunk = { start: 0, end: 0 };
  for (let at = 0, n = 0; ; at = furthest.end) {
    for (let piece = waiting[n]; piece !== undefined && piece.start <= at; n += 1, piece = waiting[n])
      if (piece.end > furthest.end) furthest = piece;
    if (furthest.end === at) return order;
    order.push(furthest);
  }
}
