import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { Bucket } from './s3-bucket.ts';
import { FileMissing, type Objects, type StoredObject } from './storage.ts';

/** Timeout in ms for transferring some megabytes. */
const TRANSFER_TIMEOUT_MS = 120_000;
/** Concurrent deletions. */
const CONCURRENCY = 16;

/** Returns the objects under a prefix of a bucket, each read and written as a whole. */
export function objectsIn(bucket: Bucket, prefix: string): Objects {
  const objectOf = (key: string) => ({ Bucket: bucket.name, Key: `${prefix}${key}` });
  const remove = async (key: string) => {
    const deletion = new DeleteObjectCommand(objectOf(key));
    await bucket.send((client, options) => client.send(deletion, options)).catch(orMissing);
  };
  return {
    async put(key, bytes) {
      const write = new PutObjectCommand({ ...objectOf(key), Body: bytes });
      await bucket.send((client, options) => client.send(write, options), TRANSFER_TIMEOUT_MS);
    },
    async get(key) {
      const read = new GetObjectCommand(objectOf(key));
      const bytes = await bucket
        .send(
          async (client, options) => (await client.send(read, options)).Body?.transformToByteArray(),
          TRANSFER_TIMEOUT_MS,
        )
        .catch(orMissing);
      return bytes === undefined ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    async list(beginning = '') {
      const objects: StoredObject[] = [];
      for await (const { key, ...of } of listObjects(bucket, `${prefix}${beginning}`))
        objects.push({ key: key.slice(prefix.length), ...of });
      return objects;
    },
    async remove(keys) {
      for (let n = 0; n < keys.length; n += CONCURRENCY)
        await Promise.all(keys.slice(n, n + CONCURRENCY).map(remove));
    },
  };
}

/** Lists all objects whose key begins with `prefix`, in key order. */
export async function* listObjects(bucket: Bucket, prefix: string): AsyncIterable<StoredObject> {
  let token: string | undefined;
  do {
    const list = new ListObjectsV2Command({
      Bucket: bucket.name,
      Prefix: prefix,
      ContinuationToken: token,
    });
    const page: ListObjectsV2CommandOutput = await bucket.send((client, options) =>
      client.send(list, options),
    );
    for (const { Key = '', Size = 0, LastModified } of page.Contents ?? [])
      yield { key: Key, size: Size, modifiedAt: LastModified?.getTime() ?? 0 };
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/** Ignores a missing object. */
export function orMissing(error: unknown): undefined {
  if (!(error instanceof FileMissing)) throw error;
}
