/** Bytes that will stand one behind the other in a file; large tables stay where they are until they are written. */
export type Bytes = readonly Buffer[];

export const lengthOf = (bytes: Bytes): number => bytes.reduce((sum, { length }) => sum + length, 0);

/** A box around its contents. */
export function box(type: string, ...contents: Bytes[]): Bytes {
  const inner = contents.flat();
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + lengthOf(inner));
  head.write(type, 4, 'latin1');
  return [head, ...inner];
}

export const words = (...numbers: number[]): Buffer => wordsOf(numbers);

/** Numbers of four bytes each. */
export function wordsOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i);
  return bytes;
}
