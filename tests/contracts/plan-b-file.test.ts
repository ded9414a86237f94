import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { HEADER_BYTES, SEALED_SEGMENT_BYTES } from '../../src/sealed/layout.ts';
import {
  aboutFileLength,
  fileLength,
  fileParts,
  pageOfFile,
} from '../../src/server/features/plan-b/plan-b.ts';
import type { OpenFile } from '../../src/server/storage/storage.ts';

/** The encrypted evening in the downloaded page: complete, of the announced length, and in a page that may load nothing. */

const PAGE = '<html><!--policy--><style>p{}</style><body>è<!--sealed--><script>go()</script></body></html>';
const hash = (text: string) => createHash('sha256').update(text).digest('base64');

/** Returns a stored file that reads at most `concurrency` bytes at a time. */
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

const BLOB = /<script type="text\/plain" data-sealed="(\d+)">([^<]*)<\/script>/g;

it.each([0, 1, 2])(
  'contains %i complete segments and has the announced length, or rejects',
  async (segments) => {
    const size = HEADER_BYTES + segments * SEALED_SEGMENT_BYTES;
    const bytes = randomBytes(size);
    for (const evening of [stored(bytes), stored(bytes, 100_003)]) {
      const text = await textOf(evening, size);
      expect(Buffer.byteLength(text)).toBe(fileLength(pageOfFile(PAGE), size));
      const blobs = [...text.matchAll(BLOB)];
      expect(blobs.map(([, count]) => Number(count))).toEqual(Array(segments + 1).fill(segments));
      const pieces = blobs.map(([, , data = '']) => Buffer.from(data, 'base64'));
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
      expect(pieces[0]).toHaveLength(HEADER_BYTES);
    }
    expect(aboutFileLength(size)).toBeGreaterThan((size * 4) / 3);
    await expect(textOf(stored(bytes.subarray(0, -1)), size)).rejects.toThrow('ends too early');
  },
);

it('is in a page that runs only its own script and styles, and loads nothing', () => {
  const { before, after } = pageOfFile(PAGE);
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(before) ?? [];
  const own = [`script-src 'sha256-${hash('go()')}' 'wasm-unsafe-eval'`, `style-src 'sha256-${hash('p{}')}'`];
  const expected = ["default-src 'none'", ...own, 'connect-src blob:'];
  expect(policy.split('; ')).toEqual(expect.arrayContaining(expected));
  expect(after).toBe('<script>go()</script></body></html>');
});

it.each([
  ['no script', '<script>go()</script>', ''],
  ['no place for the evening', '<!--sealed-->', ''],
  ['two of them', '<!--sealed-->', '<!--sealed--><!--sealed-->'],
  ['that place behind the evening', /<!--policy-->(.*)(?=<\/body>)/, '$1<!--policy-->'],
])('rejects a page with %s, because it is not as it was built', (_what, part, other) => {
  const page = PAGE.replace(part, other);
  expect(page).not.toBe(PAGE);
  expect(() => pageOfFile(page)).toThrow('not as it is built');
});
