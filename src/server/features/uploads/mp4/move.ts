import { type FileHandle, open } from 'node:fs/promises';
import type { Places } from '../checked.ts';
import type { Course } from '../jobs.ts';
import { type Bytes, box, lengthOf, words } from './bytes.ts';
import type { Film } from './film.ts';
import { readIndex } from './movie.ts';
import { FTYP, newIndex } from './new-index.ts';
import { inTurn, type Laid, layOut, type Timed } from './pieces.ts';
import { type Taken, takenFrom } from './taken.ts';

/** Copied in parts of this size, in bytes. */
const PART = 1024 * 1024;
/** From here on a box tells its length in eight bytes. */
const WORD = 2 ** 32;

/**
 * Makes an MP4 whose index comes first of a QuickTime film, or of one with its index at the end: its tables are taken over as they are, only
 * where things lie is told anew, and picture and sound are copied as bytes in the order in which they are played. Nothing else of the file
 * is. Memory holds the index as it is in the file (some 20 bytes for each frame and sound) and one part.
 * @returns false when the film isn't plain enough for this; nothing is made then
 */
export async function move(film: Film, { path, made }: Places, course: Course): Promise<boolean> {
  return opened(path, 'r', async (source) => {
    const moov = await readIndex(source);
    const ids = [film.video, film.audio].flatMap((track) => (track === null ? [] : [track.id]));
    const taken = moov && takenFrom(moov, ids);
    if (!taken) return false;
    const { laid, bytes } = layOut(taken.tracks);
    // A small file whose pieces are all the same one would fill the disk.
    if (bytes > (await source.stat()).size) throw new Error('The pieces of the film overlap.');
    await opened(made, 'w', async (target) => {
      for (const each of headOf(taken, laid, bytes)) await target.appendFile(each);
      await copy(source, target, { tracks: taken.tracks, bytes }, course);
    });
    return true;
  });
}

async function opened<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** All that comes before the media. How long it is depends on where the media begin, and that on how long it is. */
function headOf(taken: Taken, laid: readonly Laid[], bytes: number): Bytes {
  const mdat = mdatOf(bytes);
  for (let base = 0; ; ) {
    const head = [...FTYP, ...newIndex(taken, laid, base), ...mdat];
    const length = lengthOf(head);
    if (length === base) return head;
    base = length;
  }
}

/** The beginning of the box of the media. */
function mdatOf(bytes: number): Bytes {
  const [head = Buffer.alloc(0)] = box('mdat');
  if (bytes + head.length < WORD) {
    head.writeUInt32BE(bytes + head.length);
    return [head];
  }
  head.writeUInt32BE(1);
  const length = bytes + 16;
  return [head, words(Math.floor(length / WORD), length % WORD)];
}

type Media = { tracks: readonly Timed[]; bytes: number };

/** The first half of a check is this: the second is keeping what came of it. */
async function copy(
  source: FileHandle,
  target: FileHandle,
  { tracks, bytes }: Media,
  { signal, progress }: Course,
): Promise<void> {
  const part = Buffer.allocUnsafeSlow(PART);
  let [filled, copied] = [0, 0];
  const write = async () => {
    signal.throwIfAborted();
    await target.appendFile(part.subarray(0, filled));
    copied += filled;
    filled = 0;
    progress((0.5 * copied) / bytes);
  };
  for (const { from, end } of stretches(tracks))
    for (let at = from; at < end; ) {
      const { bytesRead } = await source.read(part, filled, Math.min(PART - filled, end - at), at);
      if (bytesRead === 0) throw new Error('The film has become shorter.');
      at += bytesRead;
      filled += bytesRead;
      if (filled === PART) await write();
    }
  await write();
}

/** The pieces in turn, as one where they already lie one behind the other. */
function* stretches(tracks: readonly Timed[]): Generator<{ from: number; end: number }> {
  let [from, end] = [0, 0];
  for (const { piece } of inTurn(tracks)) {
    if (piece.from !== end) {
      yield { from, end };
      from = piece.from;
    }
    end = piece.from + piece.bytes;
  }
  yield { from, end };
}
