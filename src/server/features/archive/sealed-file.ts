import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { ArchiveRejected } from './rules.ts';

/*
 * The age format, version 1 (age-encryption.org/v1), with a passphrase; `age -d` decrypts it. Uses Node's crypto: the
 * JavaScript library takes ten times as long, in the process that serves visitors (decision 020).
 */

const VERSION = 'age-encryption.org/v1';
/**
 * Work factor of one passphrase attempt: scrypt with N = 2^16 takes 64 MiB for a fifth of a second. age's default 18
 * takes four times the memory, too much for a small server.
 */
const WORK = 16;
/** Highest work factor that is accepted: 256 MiB, the default of `age -p`. */
const MAX_WORK = 18;
/** Maximum bytes of a header; one for a single passphrase has about 150. */
const MAX_HEADER_BYTES = 1_024;
const CHUNK = 64 * 1024;
const TAG = 16;
const ALGORITHM = 'chacha20-poly1305';
const NO_NONCE = Buffer.alloc(12);

/** Returns a stream that encrypts with a passphrase. */
export async function createEncryptStream(passphrase: string): Promise<Transform> {
  const salt = randomBytes(16);
  const fileKey = randomBytes(16);
  const wrapped = seal(await keyOf(passphrase, salt, WORK), NO_NONCE, fileKey);
  const unsigned = `${VERSION}\n-> scrypt ${base64(salt)} ${WORK}\n${base64(wrapped)}\n---`;
  const nonce = randomBytes(16);
  const head = Buffer.from(`${unsigned} ${base64(macOf(fileKey, unsigned))}\n`);
  const key = payloadKey(fileKey, nonce);
  return chunked({ size: CHUNK, head: Buffer.concat([head, nonce]), each: (n, c) => seal(key, n, c) });
}

/** Returns true if the file begins like an encrypted archive. */
export async function isEncryptedFile(file: string): Promise<boolean> {
  return (await readStart(file, VERSION.length + 1)).toString('latin1') === `${VERSION}\n`;
}

/** Returns the decrypted content. Rejects, or the stream fails, with `ArchiveRejected`. */
export async function decryptFile(file: string, passphrase: string): Promise<Readable> {
  const start = await readStart(file, MAX_HEADER_BYTES);
  const { salt, work, wrapped, unsigned, mac, end } = headerIn(start);
  const fileKey = unseal(await keyOf(passphrase, salt, work), NO_NONCE, wrapped);
  if (fileKey === null || fileKey.length !== 16)
    throw new ArchiveRejected('PASSPHRASE_WRONG', 'The passphrase does not open it');
  const nonce = start.subarray(end, end + 16);
  if (nonce.length < 16 || !timingSafeEqual(mac, macOf(fileKey, unsigned))) throw damaged();
  const key = payloadKey(fileKey, nonce);
  const opened = chunked({
    size: CHUNK + TAG,
    each: (n, c) => {
      const plain = unseal(key, n, c);
      if (plain === null) throw damaged();
      return plain;
    },
  });
  // The reader receives errors from `opened`.
  pipeline(createReadStream(file, { start: end + 16 }), opened, () => undefined);
  return opened;
}

const damaged = () => new ArchiveRejected('ARCHIVE_DAMAGED', 'The sealed file is not what was written');

type AgeHeader = { salt: Buffer; work: number; wrapped: Buffer; unsigned: string; mac: Buffer; end: number };

const HEADER =
  /^(age-encryption\.org\/v1\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9]\d?)\n([A-Za-z0-9+/]{43})\n---) ([A-Za-z0-9+/]{43})\n/;

function headerIn(start: Buffer): AgeHeader {
  const [all, unsigned, salt, work, wrapped, mac] = HEADER.exec(start.toString('latin1')) ?? [];
  if (!(all && unsigned && salt && wrapped && mac) || Number(work) > MAX_WORK) throw damaged();
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return {
    salt: bytes(salt),
    work: Number(work),
    wrapped: bytes(wrapped),
    unsigned,
    mac: bytes(mac),
    end: all.length,
  };
}

/** Returns the first bytes of a file. */
export async function readStart(file: string, length: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Runs in Node's thread pool, so it does not block the event loop. */
function keyOf(passphrase: string, salt: Buffer, work: number): Promise<Buffer> {
  const salted = Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]);
  const cost = { N: 2 ** work, r: 8, p: 1, maxmem: 2 ** (work + 11) };
  return new Promise((resolve, reject) => {
    // Keyboards may encode one character in two ways.
    scrypt(passphrase.normalize('NFC'), salted, 32, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const macOf = (fileKey: Buffer, unsigned: string) =>
  createHmac('sha256', derived(fileKey, Buffer.alloc(0), 'header'))
    .update(unsigned)
    .digest();

const payloadKey = (fileKey: Buffer, nonce: Buffer) => derived(fileKey, nonce, 'payload');

const derived = (key: Buffer, salt: Buffer, label: string) =>
  Buffer.from(hkdfSync('sha256', key, salt, label, 32));

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Returns null if the data was not encrypted with this key. */
function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < TAG) return null;
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG });
  decipher.setAuthTag(sealed.subarray(-TAG));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()]);
  } catch {
    return null;
  }
}

type Chunks = { size: number; head?: Buffer; each(nonce: Buffer, chunk: Buffer): Buffer };

/**
 * The STREAM construction of age: equal chunks, each with a counter in its nonce. The last is flagged and may be
 * shorter, so that no chunk can be removed or moved.
 */
function chunked({ size, head, each }: Chunks): Transform {
  let waiting: Buffer = Buffer.alloc(0);
  let count = 0;
  const nonce = (isLast: boolean) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUIntBE(count, 5, 6);
    bytes[11] = isLast ? 1 : 0;
    count += 1;
    return bytes;
  };
  const stream = new Transform({
    transform: failing((chunk: Buffer) => {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      // The last full chunk waits, because it may be the final one.
      while (waiting.length > size) {
        stream.push(each(nonce(false), waiting.subarray(0, size)));
        waiting = waiting.subarray(size);
      }
    }),
    flush: (done) =>
      failing(() => void stream.push(each(nonce(true), waiting)))(Buffer.alloc(0), 'utf8', done),
  });
  if (head !== undefined) stream.push(head);
  return stream;
}

const failing =
  (work: (chunk: Buffer) => void) =>
  (chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void => {
    try {
      work(chunk);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
