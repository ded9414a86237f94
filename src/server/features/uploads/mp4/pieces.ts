import { chunksIn, type Tables } from './samples.ts';

/** Samples of one track that lie one behind the other: where in the file, how many, and when the first is decoded, in seconds. */
type Piece = { from: number; bytes: number; samples: number; start: number };

/** What a track's pieces are found by: its tables, how long each sample stays (`stts`), and in which part of a second that is said. */
export type Timed = { tables: Tables; stts: Buffer; timescale: number };

/** No piece goes on longer, in seconds: who reads the film as it comes finds picture and sound side by side, however they lay before. */
const LONGEST = 1;

/** A track's pieces in order: its chunks, long ones cut. */
export function* piecesOf({ tables, stts, timescale }: Timed): Generator<Piece> {
  const stayOfNext = staysIn(stts);
  let now = 0;
  const begin = (from: number): Piece => ({ from, bytes: 0, samples: 0, start: now / timescale });
  for (const { from, first, samples } of chunksIn(tables)) {
    let piece = begin(from);
    for (let sample = first; sample < first + samples; sample += 1) {
      if (piece.samples > 0 && now / timescale - piece.start >= LONGEST) {
        yield piece;
        piece = begin(piece.from + piece.bytes);
      }
      piece.bytes += tables.sizes.of(sample);
      piece.samples += 1;
      now += stayOfNext();
    }
    if (piece.samples > 0) yield piece;
  }
}

function staysIn(stts: Buffer): () => number {
  let [run, left] = [-1, 0];
  return () => {
    while (left === 0) {
      run += 1;
      left = stts.readUInt32BE(8 + 8 * run);
    }
    left -= 1;
    return stts.readUInt32BE(12 + 8 * run);
  };
}

/** The pieces of all tracks in the order in which they are played; `track` is a track's place among them. */
export function* inTurn(tracks: readonly Timed[]): Generator<{ track: number; piece: Piece }> {
  const strands = tracks.map((timed, track) => {
    const pieces = piecesOf(timed);
    return { track, pieces, next: pieces.next() };
  });
  for (;;) {
    let first: { track: number; piece: Piece } | null = null;
    for (const { track, next } of strands)
      if (!next.done && (first === null || next.value.start < first.piece.start))
        first = { track, piece: next.value };
    const strand = first && strands[first.track];
    if (!first || !strand) return;
    yield first;
    strand.next = strand.pieces.next();
  }
}

/** A track's chunks in media that consist of all pieces in turn: where each begins, and how many samples it has. */
export type Laid = { offsets: number[]; samples: number[] };

/** Where everything will lie, counted from the first byte of the media, and how many bytes that is. */
export function layOut(tracks: readonly Timed[]): { laid: Laid[]; bytes: number } {
  const laid = tracks.map((): Laid => ({ offsets: [], samples: [] }));
  let bytes = 0;
  for (const { track, piece } of inTurn(tracks)) {
    laid[track]?.offsets.push(bytes);
    laid[track]?.samples.push(piece.samples);
    bytes += piece.bytes;
  }
  return { laid, bytes };
}
