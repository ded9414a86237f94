import { expect, test } from 'vitest';
import { inOrder, piecesOf } from '../../src/server/features/uploads/pieces.ts';

const MIB = 1024 * 1024;

async function* chunks(sizes: readonly number[], error?: Error): AsyncGenerator<Buffer> {
  for (const [n, size] of sizes.entries()) yield Buffer.alloc(size, n + 1);
  if (error !== undefined) throw error;
}

async function all(stream: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const seen: Buffer[] = [];
  for await (const each of stream) seen.push(each);
  return seen;
}

test('a stream is cut into pieces of 8 MiB, and none of its bytes is lost or moved', async () => {
  const sizes = [3 * MIB, 6 * MIB, 1, 20 * MIB, 5];
  const pieces = await all(piecesOf(chunks(sizes)));
  expect(pieces.map(({ length }) => length)).toEqual([8 * MIB, 8 * MIB, 8 * MIB, 5 * MIB + 6]);
  const whole = Buffer.concat(await all(chunks(sizes)));
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
});

test('a stream of a whole piece, or of nothing, leaves no empty one', async () => {
  expect(await all(piecesOf(chunks([])))).toEqual([]);
  expect(await all(piecesOf(chunks([8 * MIB])))).toHaveLength(1);
});

test('what had come of a stream that breaks off is a piece, before it is told', async () => {
  const seen: number[] = [];
  const reading = async () => {
    for await (const { length } of piecesOf(chunks([8 * MIB, 100], new Error('cut')))) seen.push(length);
  };
  await expect(reading()).rejects.toThrow('cut');
  expect(seen).toEqual([8 * MIB, 100]);
});

test.each([
  { what: 'nothing', pieces: [], wanted: [] },
  { what: 'what doesn’t begin at the beginning', pieces: ['5-9'], wanted: [] },
  { what: 'up to a gap', pieces: ['6-9', '0-3', '3-5'], wanted: ['0-3', '3-5'] },
  {
    what: 'a piece that was written late beside another',
    pieces: ['0-4', '4-6', '4-9'],
    wanted: ['0-4', '4-9'],
  },
  { what: 'overlapping ones', pieces: ['0-4', '2-9', '7-12', '8-10'], wanted: ['0-4', '2-9', '7-12'] },
  { what: 'one that is in another', pieces: ['0-10', '2-3', '10-12'], wanted: ['0-10', '10-12'] },
])('the longest beginning without a gap: $what', ({ pieces, wanted }) => {
  const read = (texts: readonly string[]) =>
    texts.map((text) => {
      const [start, end] = text.split('-').map(Number);
      return { start: start ?? 0, end: end ?? 0 };
    });
  expect(inOrder(read(pieces))).toEqual(read(wanted));
});
