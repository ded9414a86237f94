import { at, treeOf } from './boxes.ts';
import { type Bytes, box, words } from './bytes.ts';

/** The fields before the boxes of a sample description, in bytes; QuickTime has four more numbers for a sound. */
const PICTURE = 78;
const SOUND = 28;
const SOUND_IN_QUICKTIME = 44;
/** What says how pictures are to be shown, beside `colr`. */
const SHOWN = ['avcC', 'pasp', 'clap', 'btrt'];

/**
 * A track's sample description (`stsd`) as an MP4 has it. QuickTime names colours and wraps the sound's configuration in another way; what is
 * its own (names of programs, gamma) is left behind. Null when there are several descriptions or one that isn't known whole.
 */
export function descriptionOf(stsd: Buffer | undefined): Bytes | null {
  if (stsd === undefined || stsd.length < 16 || stsd.readUInt32BE(0) !== 0 || stsd.readUInt32BE(4) !== 1)
    return null;
  const end = 8 + stsd.readUInt32BE(8);
  if (end < 16 || end > stsd.length) return null;
  const body = stsd.subarray(16, end);
  const type = stsd.toString('latin1', 12, 16);
  const entry = type === 'avc1' ? pictureOf(body) : type === 'mp4a' ? soundOf(body) : null;
  return entry && box('stsd', [words(0, 1)], box(type, entry));
}

function pictureOf(body: Buffer): Bytes | null {
  const tree = body.length < PICTURE ? null : treeOf('avc1', body.subarray(PICTURE));
  if (tree === null || at(tree, 'avcC') === undefined) return null;
  const fields = Buffer.alloc(PICTURE);
  fields.writeUInt16BE(1, 6);
  body.copy(fields, 24, 24, 28);
  // 72 dots an inch, one frame a sample, 24 bits, no colour table: what every MP4 says.
  fields.writeUInt32BE(72 << 16, 28);
  fields.writeUInt32BE(72 << 16, 32);
  fields.writeUInt16BE(1, 40);
  fields.writeUInt16BE(24, 74);
  fields.writeInt16BE(-1, 76);
  const shown = SHOWN.flatMap((type) => {
    const found = at(tree, type);
    return found === undefined ? [] : box(type, [found.body]);
  });
  return [fields, ...shown, ...coloursOf(at(tree, 'colr')?.body)];
}

function coloursOf(colr: Buffer | undefined): Bytes {
  if (colr === undefined || colr.length < 10) return [];
  if (colr.toString('latin1', 0, 4) !== 'nclc') return box('colr', [colr]);
  return box('colr', [Buffer.from('nclx'), colr.subarray(4, 10), Buffer.alloc(1)]);
}

function soundOf(body: Buffer): Bytes | null {
  const version = body.length < SOUND ? -1 : body.readUInt16BE(8);
  if (version !== 0 && version !== 1) return null;
  const tree = treeOf('mp4a', body.subarray(version === 0 ? SOUND : SOUND_IN_QUICKTIME));
  if (tree === null) return null;
  const wave = at(tree, 'wave');
  const esds = at(tree, 'esds') ?? at((wave && treeOf('wave', wave.body)) ?? tree, 'esds');
  if (esds === undefined) return null;
  const fields = Buffer.alloc(SOUND);
  fields.writeUInt16BE(1, 6);
  body.copy(fields, 16, 16, 18);
  fields.writeUInt16BE(16, 18);
  body.copy(fields, 24, 24, 28);
  return [fields, ...box('esds', [esds.body])];
}
