import { crc32 } from 'node:zlib';
import type { SmallFile } from './small-media.ts';

/** Files that are right but for one number. */

const LIES = [0, 1, 0x7f_ff_ff_ff, 0xff_ff_ff_ff];

/** What a film's boxes say, by how many bytes behind the box's name. */
const IN_BOXES: Record<string, Record<string, number>> = {
  mvhd: { 'ticks a second': 12, length: 16 },
  tkhd: { number: 12, length: 20, width: 76, height: 80 },
  mdhd: { 'ticks a second': 12, length: 16 },
  elst: { edits: 4, length: 8, 'first moment': 12, speed: 16 },
  stsd: { descriptions: 4, 'size of the first': 8 },
  avc1: { 'width and height': 24 },
  avcC: { profile: 0, 'size of its parts': 4 },
  stts: { runs: 4, 'samples of a run': 8, 'ticks of a sample': 12 },
  ctts: { runs: 4, 'samples of a run': 8, shift: 12 },
  stss: { pictures: 4, 'the first': 8 },
  stsc: { runs: 4, 'first chunk': 8, 'samples of a chunk': 12, description: 16 },
  stsz: { 'size of all': 4, samples: 8, 'size of the first': 12 },
  stco: { chunks: 4, 'the first’s place': 8 },
};
/** Boxes of which the size may lie. */
const SIZED = ['ftyp', 'mdat', 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'stts', 'stsz', 'stco'];

export type Lying = { name: string; bytes: Buffer };

function lying(source: SmallFile, what: string, at: number, lie: number, little = false): Lying {
  const bytes = Buffer.from(source.bytes);
  if (little) bytes.writeUInt32LE(lie, at);
  else bytes.writeUInt32BE(lie, at);
  return { name: `${source.name}: ${what} is ${lie}`, bytes };
}

/** @param film an MP4 */
export function lyingFilms(film: SmallFile): Lying[] {
  const placeOf = (box: string) => film.bytes.indexOf(box, 0, 'latin1');
  const said = Object.entries(IN_BOXES).flatMap(([box, numbers]) =>
    Object.entries(numbers).map(([what, behind]): [string, number] => [
      `${box}, ${what}`,
      placeOf(box) + 4 + behind,
    ]),
  );
  const sizes = SIZED.map((box): [string, number] => [`size of ${box}`, placeOf(box) - 4]);
  const places = [...said, ...sizes].filter(([, at]) => at > 8);
  return places.flatMap(([what, at]) => LIES.map((lie) => lying(film, what, at, lie)));
}

const IN_WAV = {
  size: 4,
  'size of its head': 16,
  'rate of its bytes': 28,
  rate: 24,
  'size of its sound': 40,
};

/** @param song a WAV */
export const lyingSongs = (song: SmallFile): Lying[] =>
  Object.entries(IN_WAV).flatMap(([what, at]) => LIES.map((lie) => lying(song, what, at, lie, true)));

/** @param picture a PNG; its checksum is right all the same */
export const lyingPictures = (picture: SmallFile): Lying[] =>
  [16, 20].flatMap((at) =>
    LIES.map((lie) => {
      const one = lying(picture, at === 16 ? 'width' : 'height', at, lie);
      one.bytes.writeUInt32BE(crc32(one.bytes.subarray(12, 29)), 29);
      return one;
    }),
  );

/** @param tickets a PDF whose objects aren't packed */
export function lyingTickets({ name, bytes }: SmallFile): Lying[] {
  const text = bytes.toString('latin1');
  const places = [...text.matchAll(/\/(Length|Count|Size|Prev|First|N|Root|Kids)\s+\[?\s*(\d+)/g)];
  return places.flatMap((found) =>
    LIES.map((lie) => {
      const [whole, word = '', number = ''] = found;
      const lied = `${whole.slice(0, whole.length - number.length)}${lie}`;
      const changed = text.slice(0, found.index) + lied + text.slice(found.index + whole.length);
      return { name: `${name}: ${word} is ${lie}`, bytes: Buffer.from(changed, 'latin1') };
    }),
  );
}
