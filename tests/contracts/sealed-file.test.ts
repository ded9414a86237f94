import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSealed, openSealed, sealing } from '../../src/server/features/archive/sealed-file.ts';
import { newFolder } from '../support/server.ts';

/** The age format, held against the library of who made it: what one seals the other opens. */

const PASSPHRASE = 'perché no, una frase tutta mia';
const CHUNK = 64 * 1024;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await newFolder();
  file = join(folder, 'sealed');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function sealed(content: Buffer): Promise<Buffer> {
  const stream = await sealing(PASSPHRASE);
  const [bytes] = await Promise.all([buffer(stream), pipeline(Readable.from([content]), stream)]);
  return bytes;
}

async function opened(bytes: Uint8Array, passphrase = PASSPHRASE): Promise<Buffer> {
  await writeFile(file, bytes);
  return buffer(await openSealed(file, passphrase));
}

const reason = (promise: Promise<unknown>) =>
  promise.then(
    () => 'opened',
    (error: { reason?: string }) => error.reason,
  );

describe.each([0, CHUNK, 3 * CHUNK + 7])('%d bytes', (size) => {
  const content = randomBytes(size);

  test('are opened by age', async () => {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(PASSPHRASE);
    expect(content.equals(await decrypter.decrypt(await sealed(content)))).toBe(true);
  });

  test('are opened here where age has sealed them', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(PASSPHRASE);
    encrypter.setScryptWorkFactor(10);
    expect(content.equals(await opened(await encrypter.encrypt(content)))).toBe(true);
  });
});

test('another passphrase, a cut or a changed file opens nothing', { timeout: 60_000 }, async () => {
  const whole = await sealed(randomBytes(2 * CHUNK + 100));
  expect(await reason(opened(whole, 'un’altra frase, lunga lunga'))).toBe('passphrase');
  const header = whole.indexOf('---') + 48;
  const ends = [22, header, header + 15, header + 16, header + 16 + CHUNK + 16, whole.length - 1];
  for (const end of ends)
    expect(await reason(opened(whole.subarray(0, end))), `cut at ${end}`).toBe('damaged');
  for (const place of [header - 10, header + 5, header + 30, header + CHUNK + 40, whole.length - 1]) {
    const changed = Buffer.from(whole);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(await reason(opened(changed)), `changed at ${place}`).toBe('damaged');
  }
  // Chunks in another order.
  const chunk = (n: number) =>
    whole.subarray(header + 16 + n * (CHUNK + 16), header + 16 + (n + 1) * (CHUNK + 16));
  const swapped = Buffer.concat([whole.subarray(0, header + 16), chunk(1), chunk(0), chunk(2)]);
  expect(await reason(opened(swapped))).toBe('damaged');
});

test('work that would take all memory is refused unread, and signs written in two ways are one passphrase', async () => {
  const whole = await sealed(Buffer.from('ciao'));
  for (const work of [19, 22]) {
    const heavy = Buffer.from(whole.toString('latin1').replace(/ 16\n/, ` ${work}\n`), 'latin1');
    expect(await reason(opened(heavy)), `2^${work}`).toBe('damaged');
  }
  expect((await opened(whole, PASSPHRASE.normalize('NFD'))).toString()).toBe('ciao');
});

test('what is sealed is known by its beginning', async () => {
  await pipeline(Readable.from([await sealed(Buffer.from('ciao'))]), createWriteStream(file));
  expect(await isSealed(file)).toBe(true);
  for (const other of ['', 'PK', 'age-encryption.org/v10']) {
    await writeFile(file, other);
    expect(await isSealed(file), other).toBe(false);
  }
});
