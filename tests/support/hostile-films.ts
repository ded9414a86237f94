/** Files that look like films: boxes that lie about their sizes, counts and contents. */

/** A box around its contents; `size` lies about its length. */
export function box(type: string, contents: Buffer | Buffer[] = Buffer.alloc(0), size?: number): Buffer {
  const body = Array.isArray(contents) ? Buffer.concat(contents) : contents;
  const header = Buffer.alloc(8);
  header.writeUInt32BE((size ?? body.length + 8) >>> 0, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

/** Numbers of four bytes each. */
export function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, 4 * i);
  return bytes;
}

export const ftyp = (brand = 'isom') => box('ftyp', Buffer.from(`${brand}\0\0\0\x01${brand}mp42`, 'latin1'));

type Tables = Partial<Record<'stsd' | 'stts' | 'stsc' | 'stsz' | 'stco' | 'ctts', Buffer>>;

/** A movie of one track whose sample tables are as given, and plain otherwise: one sample of sixteen bytes at byte 48. */
export function moov(tables: Tables = {}, codec = 'avc1', handler = 'vide'): Buffer {
  const plain: Tables = {
    stsd: words(0, 1),
    stts: words(0, 1, 1, 1_000),
    stsc: words(0, 1, 1, 1, 1),
    stsz: words(0, 0, 1, 16),
    stco: words(0, 1, 48),
  };
  const entry = box(codec, Buffer.alloc(78));
  const all = Object.entries({ ...plain, stsd: Buffer.concat([words(0, 1), entry]), ...tables });
  const stbl = box(
    'stbl',
    all.map(([type, body]) => box(type, body)),
  );
  const hdlr = box('hdlr', Buffer.concat([words(0, 0), Buffer.from(handler), Buffer.alloc(13)]));
  const mdhd = box('mdhd', words(0, 0, 0, 1_000, 1_000, 0));
  const mdia = box('mdia', [mdhd, hdlr, box('minf', [stbl])]);
  return box('moov', [box('mvhd', Buffer.alloc(100)), box('trak', [box('tkhd', Buffer.alloc(84)), mdia])]);
}

export const mdat = (bytes = 64) => box('mdat', Buffer.alloc(bytes, 1));

/** A good film (its index last) whose last track is there so many times. */
export function withTracks(film: Buffer, count: number): Buffer {
  const at = film.lastIndexOf('moov') - 4;
  const trak = film.lastIndexOf('trak') - 4;
  const track = film.subarray(trak, trak + film.readUInt32BE(trak));
  const others = film.toString('latin1', at).split('trak').length - 1;
  const more = Array.from({ length: count - others }, () => track);
  return Buffer.concat([film.subarray(0, at), box('moov', [film.subarray(at + 8), ...more])]);
}

/** A film whose first chunks claim to have so many samples each. */
export function withChunksOf(film: Buffer, samples: number): Buffer {
  const bytes = Buffer.from(film);
  // Behind the type: version, count of runs, first chunk.
  bytes.writeUInt32BE(samples, bytes.indexOf('stsc', 0, 'latin1') + 16);
  return bytes;
}

/** Boxes in boxes in boxes. */
export function nested(type: string, depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth);
  for (let level = 0; level < depth; level += 1) {
    bytes.writeUInt32BE(bytes.length - 8 * level, 8 * level);
    bytes.write(type, 8 * level + 4, 'latin1');
  }
  return bytes;
}

/** A film whose box at `type` claims another size. */
export function withSize(film: Buffer, type: string, size: number): Buffer {
  const bytes = Buffer.from(film);
  bytes.writeUInt32BE(size >>> 0, bytes.indexOf(type, 0, 'latin1') - 4);
  return bytes;
}

/** A film with one of its four-letter words replaced by another. */
export function renamed(film: Buffer, from: string, to: string): Buffer {
  const bytes = Buffer.from(film);
  bytes.write(to, bytes.indexOf(from, 0, 'latin1'), 'latin1');
  return bytes;
}
