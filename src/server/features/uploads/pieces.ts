/** Bytes `start` to `end` of an upload, the last one not included. */
export type Chunk = { start: number; end: number };

/** The largest piece, in bytes: so much of an upload is in memory. A browser sends 5 MiB at a time. */
const PIECE = 8 * 1024 * 1024;

/**
 * Cuts a stream into pieces. Where it breaks off what has come is a piece, too, before its error is thrown: whoever goes on begins there.
 */
export async function* splitChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let length = 0;
  let broken: { error: unknown } | undefined;
  try {
    for await (const chunk of content) {
      let rest = chunk;
      while (length + rest.length >= PIECE) {
        const fits = PIECE - length;
        yield Buffer.concat([...gathered, rest.subarray(0, fits)]);
        [gathered, length, rest] = [[], 0, rest.subarray(fits)];
      }
      gathered.push(rest);
      length += rest.length;
    }
  } catch (error) {
    broken = { error };
  }
  if (length > 0) yield Buffer.concat(gathered);
  if (broken !== undefined) throw broken.error;
}

/**
 * The pieces that make the longest beginning of an upload without a gap, in their order. Pieces may overlap: one that a node wrote late, after
 * another had gone on, holds the same bytes. So what was there once stays there, whatever is added.
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
