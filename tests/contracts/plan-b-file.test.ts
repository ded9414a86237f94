import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HEADER, SEALED_SEGMENT } from '../../src/sealed/layout.ts';
import { aboutFileLength, fileLength, fileParts, pageOfFile } from '../../src/server/features/plan-b/file.ts';
import type { OpenFile } from '../../src/server/storage/storage.ts';

/** The sealed evening in the page that is downloaded: whole, as long as it was said, and in a page that may load nothing. */

const PAGE = '<html><!--policy--><style>p{}</style><body>è<!--sealed--><script>go()</script></body></html>';
const hash = (text: string) => createHash('sha256').update(text).digest('base64');

/** A stored file of which no more than so many bytes are read at once. */
const stored = (bytes: Buffer, atOnce = Infinity): OpenFile => ({
  read: async (into, position) => {
    const length = Math.min(into.length, atOnce);
    return bytes.copy(into, 0, position, Math.min(bytes.length, position + length));
  },
  close: () => undefined,
});

async function textOf(evening: OpenFile, size: number): Promise<string> {
  let text = '';
  for await (const part of fileParts(pageOfFile(PAGE), evening, size)) text += part;
  return text;
}

const blobsIn = (text: string) =>
  [...text.matchAll(/<script type="text\/plain" data-sealed="(\d+)">([^<]*)<\/script>/g)].map(
    ([, count, data]) => ({
      count: Number(count),
      bytes: Buffer.from(data ?? '', 'base64'),
    }),
  );

describe.each([0, 1, 2])('an evening of %i segments', (segments) => {
  const size = HEADER + segments * SEALED_SEGMENT;
  const bytes = randomBytes(size);

  test('stands in the page piece by piece, however few bytes are read at once', async () => {
    for (const evening of [stored(bytes), stored(bytes, 100_003)]) {
      const blobs = blobsIn(await textOf(evening, size));
      expect(blobs.map(({ count }) => count)).toEqual(Array(segments + 1).fill(segments));
      expect(Buffer.concat(blobs.map((blob) => blob.bytes)).equals(bytes)).toBe(true);
      expect(blobs[0]?.bytes).toHaveLength(HEADER);
    }
  });

  test('is as long as it is said to be', async () => {
    expect(Buffer.byteLength(await textOf(stored(bytes), size))).toBe(fileLength(pageOfFile(PAGE), size));
    expect(aboutFileLength(size)).toBeGreaterThan((size * 4) / 3);
  });

  test('that is cut short on the disk breaks off', async () => {
    await expect(textOf(stored(bytes.subarray(0, -1)), size)).rejects.toThrow('ends too early');
  });
});

test('the page runs its own script and styles alone, and asks nobody', () => {
  const { before, after } = pageOfFile(PAGE);
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(before) ?? [];
  expect(policy.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `script-src 'sha256-${hash('go()')}' 'wasm-unsafe-eval'`,
      `style-src 'sha256-${hash('p{}')}'`,
      'connect-src blob:',
    ]),
  );
  expect(after).toBe('<script>go()</script></body></html>');
});

test.each([
  ['no script', PAGE.replace('<script>go()</script>', '')],
  ['no styles', PAGE.replace('<style>p{}</style>', '')],
  ['no place for the evening', PAGE.replace('<!--sealed-->', '')],
  ['two of them', PAGE.replace('<!--sealed-->', '<!--sealed--><!--sealed-->')],
  ['no place for its policy', PAGE.replace('<!--policy-->', '')],
  [
    'that place behind the evening',
    PAGE.replace('<!--policy-->', '').replace('</body>', '<!--policy--></body>'),
  ],
])('a page with %s is not the one that was built', (_what, page) => {
  expect(() => pageOfFile(page)).toThrow('not as it is built');
});
