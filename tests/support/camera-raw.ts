/** A camera's raw file (DNG): a directory that says so, and others in it that each have a JPEG. */
export function rawFile(jpegs: readonly Buffer[], orientation: number): Buffer {
  const head = Buffer.from('II*\0\x08\0\0\0', 'latin1');
  const OWN = 2 + 12 * 3 + 4;
  const EACH = 2 + 12 * 3 + 4;
  const list = head.length + OWN;
  const inner = jpegs.map((_, place) => list + 4 * jpegs.length + EACH * place);
  let at = list + (4 + EACH) * jpegs.length;
  const inside = jpegs.map((jpeg) => {
    const directory = entries([
      [259, 3, 1, 7],
      [273, 4, 1, at],
      [279, 4, 1, jpeg.length],
    ]);
    at += jpeg.length;
    return directory;
  });
  const own = entries([
    [274, 3, 1, orientation],
    [330, 4, jpegs.length, jpegs.length === 1 ? (inner[0] ?? 0) : list],
    [0xc612, 1, 4, 0x00_00_04_01],
  ]);
  const numbers = Buffer.alloc(4 * jpegs.length);
  inner.forEach((place, index) => numbers.writeUInt32LE(place, 4 * index));
  return Buffer.concat([head, own, numbers, ...inside, ...jpegs]);
}

function entries(
  rows: readonly (readonly [tag: number, type: number, count: number, value: number])[],
): Buffer {
  const bytes = Buffer.alloc(2 + 12 * rows.length + 4);
  bytes.writeUInt16LE(rows.length, 0);
  rows.forEach(([tag, type, count, value], place) => {
    const at = 2 + 12 * place;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  });
  return bytes;
}
