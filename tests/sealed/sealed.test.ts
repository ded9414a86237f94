import { argon2, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAes, plainAes } from '../../src/sealed/aes.ts';
import { CODE_COST, type DeriveCodeKey, deriveCodeKey } from '../../src/sealed/code-key.ts';
import { type CodeLock, unwrapKey } from '../../src/sealed/code-locks.ts';
import { type Manifest, manifestBytes } from '../../src/sealed/content.ts';
import {
  HEADER_BYTES,
  KEY_BYTES,
  MAX_SLOTS,
  NotSealed,
  readHeader,
  SEALED_SEGMENT_BYTES,
  SEGMENT_BYTES,
  sealedSize,
  segmentsOf,
} from '../../src/sealed/layout.ts';
import { openEvening } from '../../src/sealed/open.ts';
import { sealEvening } from '../../src/sealed/seal.ts';
import { snapshotOf } from '../support/evenings.ts';

/** Fast key derivation; the real cost is tested once. */
const cheap: DeriveCodeKey = async (code, salt) => {
  const key = new Uint8Array(await crypto.subtle.digest('SHA-256', Buffer.concat([salt, Buffer.from(code)])));
  return key;
};

const locks: CodeLock[] = [
  { id: randomUUID(), normalized: 'ROMAAAABBBB' },
  { id: randomUUID(), normalized: 'ROMCCCCDDDD' },
];
const film = new Uint8Array(randomBytes(SEGMENT_BYTES * 9 + 12_345));
const picture = new Uint8Array(randomBytes(700));
const manifest: Manifest = {
  opens_at: null,
  snapshot: snapshotOf(),
  files: [
    { name: 'film', type: 'video/mp4', size: film.length },
    { name: 'empty', type: 'text/plain', size: 0 },
    { name: 'picture', type: 'image/jpeg', size: picture.length },
  ],
};

let blob: Uint8Array;
beforeAll(async () => {
  blob = await sealOf(locks, cheap);
});

async function sealOf(
  codeLocks: readonly CodeLock[],
  deriveKey: DeriveCodeKey,
  claimedSize?: number,
): Promise<Uint8Array> {
  const start = manifestBytes(manifest);
  const size = claimedSize ?? start.length + film.length + picture.length;
  const pieces = async function* () {
    yield start;
    for (let from = 0; from < film.length; from += 65_536) yield film.subarray(from, from + 65_536);
    yield picture;
  };
  const parts: Uint8Array[] = [];
  for await (const part of sealEvening({ size, chunks: pieces() }, codeLocks, deriveKey)) parts.push(part);
  return Buffer.concat(parts);
}

const bytesIn = {
  whole: (parts: Uint8Array[]) => Buffer.concat(parts),
  join: (parts: Buffer[]) => Buffer.concat(parts),
};

function open(key: Uint8Array, bytes: Uint8Array) {
  const count = (bytes.length - HEADER_BYTES) / SEALED_SEGMENT_BYTES;
  const segment = async (place: number) =>
    bytes.subarray(
      HEADER_BYTES + place * SEALED_SEGMENT_BYTES,
      HEADER_BYTES + (place + 1) * SEALED_SEGMENT_BYTES,
    );
  return openEvening(key, { count, segment }, bytesIn);
}

describe('sealed evening', () => {
  test('opens with each of its codes', async () => {
    for (const { normalized } of locks) {
      const key = await unwrapKey(readHeader(blob), normalized, cheap);
      const { manifest: read, files } = await open(key ?? new Uint8Array(), blob);
      expect(read).toEqual(manifest);
      expect(files.get('film')?.equals(film)).toBe(true);
      expect(files.get('picture')?.equals(picture)).toBe(true);
      expect(files.get('empty')?.length).toBe(0);
    }
  });

  test('opens with no other code', async () => {
    for (const wrong of ['ROMAAAABBBC', '', 'ROM'])
      expect(await unwrapKey(readHeader(blob), wrong, cheap)).toBeNull();
    await expect(open(new Uint8Array(KEY_BYTES), blob)).rejects.toThrow();
  });

  test('is compatible with the implementation without WebCrypto', async () => {
    const key = randomBytes(KEY_BYTES);
    const nonce = randomBytes(12);
    const machine = await createAes(key);
    const plain = plainAes(key);
    expect(await plain.open(nonce, await machine.seal(nonce, picture))).toEqual(picture);
    expect(await machine.open(nonce, await plain.seal(nonce, picture))).toEqual(picture);
  });

  test('rejects changed, cut or reordered content', async () => {
    const key = (await unwrapKey(readHeader(blob), 'ROMAAAABBBB', cheap)) ?? new Uint8Array();
    const changed = blob.slice();
    changed[HEADER_BYTES + 5 * SEALED_SEGMENT_BYTES] =
      (changed[HEADER_BYTES + 5 * SEALED_SEGMENT_BYTES] ?? 0) ^ 1;
    await expect(open(key, changed)).rejects.toThrow();
    await expect(open(key, blob.subarray(0, blob.length - SEALED_SEGMENT_BYTES))).rejects.toThrow();
    const swapped = blob.slice();
    swapped.copyWithin(
      HEADER_BYTES,
      HEADER_BYTES + SEALED_SEGMENT_BYTES,
      HEADER_BYTES + 2 * SEALED_SEGMENT_BYTES,
    );
    await expect(open(key, swapped)).rejects.toThrow();
    expect(() => readHeader(blob.subarray(1))).toThrow(NotSealed);
    expect(() => readHeader(new Uint8Array(10))).toThrow(NotSealed);
  });

  test('has the same size for one code as for the maximum, and refuses more', async () => {
    const many = Array.from({ length: MAX_SLOTS }, (_, place) => ({
      id: randomUUID(),
      normalized: `ROM${place}`,
    }));
    const full = await sealOf(many, cheap);
    expect(full.length).toBe(blob.length);
    expect(await unwrapKey(readHeader(full), `ROM${MAX_SLOTS - 1}`, cheap)).toHaveLength(KEY_BYTES);
    const tooMany = [...many, { id: randomUUID(), normalized: 'ROMX' }];
    await expect(sealOf(tooMany, cheap)).rejects.toThrow(RangeError);
  });

  test('is never the same twice', async () => {
    const again = await sealOf(locks, cheap);
    const same = again.filter((byte, place) => byte === blob[place]).length;
    // One of 256 bytes is equal by chance.
    expect(same / again.length).toBeLessThan(1 / 200);
  });

  test('rejects content whose length differs from its size', async () => {
    await expect(sealOf(locks, cheap, film.length)).rejects.toThrow(/instead of/);
    await expect(sealOf(locks, cheap, 20 * SEGMENT_BYTES)).rejects.toThrow(/instead of/);
  });
});

describe('sealed size', () => {
  test('reveals the content’s size to an eighth', () => {
    const sizes = new Set<number>();
    for (let segments = 1; segments <= 256; segments += 1) {
      const padded = segmentsOf(segments * SEGMENT_BYTES);
      expect(padded).toBeGreaterThanOrEqual(segments);
      expect(padded).toBeLessThanOrEqual(Math.ceil(segments * 1.125));
      sizes.add(padded);
    }
    expect(sizes.size).toBeLessThan(60);
    expect(segmentsOf(0)).toBe(1);
    expect(segmentsOf(17 * SEGMENT_BYTES + 1)).toBe(segmentsOf(18 * SEGMENT_BYTES));
  });

  test('is known in advance', () => {
    const content = manifestBytes(manifest).length + film.length + picture.length;
    expect(sealedSize(content)).toBe(blob.length);
  });
});

describe('key of a code', () => {
  test('costs at least 64 MiB, and equals Argon2id of Node’s OpenSSL', async () => {
    expect(CODE_COST.memoryKiB).toBeGreaterThanOrEqual(65_536);
    const salt = new Uint8Array(randomBytes(16));
    const expected = await promisify(argon2)('argon2id', {
      message: 'ROM7KX2M9QD',
      nonce: salt,
      parallelism: CODE_COST.lanes,
      passes: CODE_COST.passes,
      memory: CODE_COST.memoryKiB,
      tagLength: KEY_BYTES,
    });
    expect(Buffer.from(await deriveCodeKey('ROM7KX2M9QD', salt)).equals(expected)).toBe(true);
  });
});
