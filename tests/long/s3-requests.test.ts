import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from 'vitest';
import { isNoRoom } from '../../src/server/db/errors.ts';
import { type Bucket, openBucket, s3Name } from '../../src/server/storage/s3-bucket.ts';
import { openObject, streamOf } from '../../src/server/storage/s3-read.ts';
import { abortAbandoned, putObject } from '../../src/server/storage/s3-write.ts';
import { FileMissing, StorageUnavailable } from '../../src/server/storage/storage.ts';

/** What a server is asked, and what its answers mean. Against a real one: storage-s3.test.ts. */

const MIB = 1024 * 1024;
const PART = 16 * MIB;
const DAY = 24 * 3_600_000;

type Asked = { what: string; input: Record<string, unknown> };

/** A bucket whose server answers as it is told, by the name of what it is asked. */
function bucketWith(answers: Record<string, (input: Record<string, unknown>) => unknown>) {
  const asked: Asked[] = [];
  const send = async (command: { constructor: { name: string }; input: Record<string, unknown> }) => {
    const what = command.constructor.name.replace('Command', '');
    asked.push({ what, input: command.input });
    return answers[what]?.(command.input) ?? {};
  };
  // All that is asked of a client.
  const client = { send } as unknown as S3Client;
  const bucket: Bucket = {
    name: 'serata',
    ask: (work) => work(client, { abortSignal: new AbortController().signal }),
  };
  return { bucket, asked, names: () => asked.map(({ what }) => what) };
}

describe('a file that is stored', () => {
  const stored: number[] = [];
  let parts: ReturnType<typeof bucketWith>;
  beforeEach(() => {
    stored.splice(0);
    const size = ({ Body }: Record<string, unknown>) => stored.push((Body as Buffer).length);
    parts = bucketWith({
      PutObject: size,
      CreateMultipartUpload: () => ({ UploadId: 'one' }),
      UploadPart: (input) => ({ ETag: `etag ${input.PartNumber}`, n: size(input) }),
    });
  });
  const put = (bytes: number) => putObject(parts.bucket, 'media/a', Readable.from(pieces(bytes)));

  test.each([0, 1, PART])('of %i bytes goes as one', async (bytes) => {
    expect((await put(bytes)).size).toBe(bytes);
    expect([parts.names(), stored]).toEqual([['PutObject'], [bytes]]);
  });

  test.each([
    [PART + 1, [PART, 1]],
    [2 * PART, [PART, PART]],
    [2 * PART + 3, [PART, PART, 3]],
  ])('of %i bytes goes in equal parts, the last one smaller', async (bytes, sizes) => {
    expect((await put(bytes)).size).toBe(bytes);
    expect(stored).toEqual(sizes);
    const numbers = sizes.map((_, n) => n + 1);
    expect(parts.asked.slice(1, -1).map(({ input }) => input.PartNumber)).toEqual(numbers);
    expect(parts.asked.at(-1)).toEqual({
      what: 'CompleteMultipartUpload',
      input: {
        Bucket: 'serata',
        Key: 'media/a',
        UploadId: 'one',
        MultipartUpload: { Parts: numbers.map((PartNumber) => ({ PartNumber, ETag: `etag ${PartNumber}` })) },
      },
    });
  });

  test('and fails on its way fails as it did, though its parts can’t be thrown away', async () => {
    const failing = bucketWith({
      CreateMultipartUpload: () => ({ UploadId: 'one' }),
      UploadPart: () => Promise.reject(new Error('no line')),
      AbortMultipartUpload: () => Promise.reject(new Error('no line either')),
    });
    await expect(putObject(failing.bucket, 'media/a', Readable.from(pieces(2 * PART)))).rejects.toThrow(
      /^no line$/,
    );
    expect(failing.names()).toEqual(['CreateMultipartUpload', 'UploadPart', 'AbortMultipartUpload']);
  });
});

test('of the uploads that were begun those of a day ago are thrown away, on every page', async () => {
  const now = Date.parse('2027-02-14T19:00:00.000Z');
  const begun = (Key: string, ago: number) => ({
    Key,
    UploadId: `of ${Key}`,
    Initiated: new Date(now - ago),
  });
  const { bucket, asked } = bucketWith({
    ListMultipartUploads: ({ KeyMarker }) =>
      KeyMarker === undefined
        ? {
            Uploads: [begun('old', DAY + 1), begun('young', DAY), { Key: 'undated' }],
            IsTruncated: true,
            NextKeyMarker: 'undated',
            NextUploadIdMarker: 'x',
          }
        : { Uploads: [begun('older', 2 * DAY)] },
  });
  await abortAbandoned(bucket, 'media/', now);
  expect(asked.map(({ what, input }) => [what, input.Key ?? input.KeyMarker, input.UploadId])).toEqual([
    ['ListMultipartUploads', undefined, undefined],
    ['AbortMultipartUpload', 'old', 'of old'],
    ['ListMultipartUploads', 'undated', undefined],
    ['AbortMultipartUpload', 'older', 'of older'],
  ]);
});

describe('an object that is open', () => {
  const SIZE = 2 * MIB + 10;
  const bytesOf = (range: unknown) => {
    const [, start = 0, end = 0] = /^bytes=(\d+)-(\d+)$/.exec(String(range))?.map(Number) ?? [];
    return Buffer.alloc(end - start + 1, 1);
  };
  const open = async (content = (range: unknown) => [bytesOf(range)]) => {
    const place = bucketWith({
      HeadObject: () => ({ ContentLength: SIZE, ETag: '"x"' }),
      GetObject: ({ Range }) => ({ Body: Readable.from(content(Range)) }),
    });
    const file = await openObject(place.bucket, 'media/a');
    const ranges = () => place.asked.slice(1).map(({ input }) => input.Range);
    return { ...place, file, ranges };
  };

  test('is asked for exactly what is wanted, of that very object', async () => {
    const { file, asked, ranges } = await open();
    expect(await file.read(Buffer.alloc(100), 50)).toBe(100);
    expect(await file.read(Buffer.alloc(100), SIZE - 1)).toBe(1);
    expect(await file.read(Buffer.alloc(100), SIZE)).toBe(0);
    expect(await file.read(Buffer.alloc(0), 0)).toBe(0);
    expect(ranges()).toEqual(['bytes=50-149', `bytes=${SIZE - 1}-${SIZE - 1}`]);
    expect(asked[1]?.input).toMatchObject({ Bucket: 'serata', Key: 'media/a', IfMatch: '"x"' });
  });

  test('whose server sends less or more than that is an outage; in pieces it is as good', async () => {
    const length = async (...pieces: number[]) => {
      const { file } = await open(() => pieces.map((size) => Buffer.alloc(size, 7)));
      const into = Buffer.alloc(100);
      return [await file.read(into, 0), into.every((byte) => byte === 7)];
    };
    expect(await length(60, 40)).toEqual([100, true]);
    await expect(length(60, 39)).rejects.toThrow(/^Fewer bytes/);
    await expect(length(60, 41)).rejects.toThrow(/^More bytes/);
  });

  test.each([
    [undefined, ['bytes=0-1048575', 'bytes=1048576-2097151', 'bytes=2097152-2097161']],
    [{ start: 5, end: 5 }, ['bytes=5-5']],
    [{ start: MIB, end: 9 * MIB }, ['bytes=1048576-2097151', 'bytes=2097152-2097161']],
    [{ start: SIZE, end: SIZE }, []],
  ])('comes as a stream a MiB at a time: %j', async (range, wanted) => {
    const { file, ranges } = await open();
    let length = 0;
    for await (const chunk of streamOf(file, range)) length += (chunk as Buffer).length;
    expect(ranges()).toEqual(wanted);
    expect(length).toBe(Math.min(range?.end ?? SIZE, SIZE - 1) - (range?.start ?? 0) + 1);
  });
});

describe('what a server answers', () => {
  const bucket = openBucket({
    endpoint: 'http://127.0.0.1:9',
    region: 'eu',
    bucket: 'serata',
    key: 'k',
    secret: 's',
    pathStyle: true,
  });
  /** What an answer of the client's becomes. */
  async function meaning(said: unknown): Promise<unknown> {
    const answer = async () => {
      throw said;
    };
    try {
      return await bucket.ask(answer);
    } catch (reason) {
      return reason;
    }
  }
  const named = (name: string, message = 'said') => Object.assign(new Error(message), { name });

  test.each(['NoSuchKey', 'NotFound', 'NoSuchUpload', 'PreconditionFailed'])(
    '%s: it is missing',
    async (name) => {
      expect(await meaning(named(name))).toBeInstanceOf(FileMissing);
    },
  );

  test.each(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage', 'StorageFull'])(
    '%s: there is no room',
    async (name) => {
      const error = await meaning(named(name));
      expect([error instanceof StorageUnavailable, isNoRoom(error)]).toEqual([true, true]);
    },
  );

  test.each<[unknown, string]>([
    [named('AccessDenied'), '(AccessDenied, said)'],
    [named('Error'), '(said)'],
    [Object.assign(new Error(''), { code: 'ECONNREFUSED' }), '(ECONNREFUSED)'],
    ['odd', '(odd)'],
  ])('%s: it can’t be used', async (error, reason) => {
    const told = await meaning(error);
    expect(told).toBeInstanceOf(StorageUnavailable);
    expect(isNoRoom(told)).toBe(false);
    expect(String(told)).toBe(
      `StorageUnavailable: The bucket serata at http://127.0.0.1:9 can't be used ${reason}.`,
    );
  });

  test('what has a name of ours keeps it, and its own name is known', async () => {
    for (const ours of [new FileMissing('x'), new StorageUnavailable('x')])
      expect(await meaning(ours)).toBe(ours);
    expect([s3Name(await meaning(named('AccessDenied'))), s3Name(named('AccessDenied'))]).toEqual([
      'AccessDenied',
      '',
    ]);
  });
});

function* pieces(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= 3 * MIB) yield Buffer.alloc(Math.min(left, 3 * MIB), 1);
}
