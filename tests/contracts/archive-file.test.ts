import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { savedConfigurationSchema } from '../../src/contract/model.ts';
import { fillRecord, NO_QUESTIONS, PHRASE_LISTS } from '../../src/domain/configuration.ts';
import { NO_FILE_FACTS } from '../../src/domain/content.ts';
import { MAX_LENGTH } from '../../src/domain/limits.ts';
import { withRecipientName } from '../../src/domain/recipient-name.ts';
import { latestMigration } from '../../src/server/db/migrate.ts';
import { createTicket, readTicket } from '../../src/server/features/archive/archive.ts';
import { MAX_ROW_LENGTH, unpackArchive, unpackedRows } from '../../src/server/features/archive/read.ts';
import {
  createEncryptStream,
  decryptFile,
  isEncryptedFile,
} from '../../src/server/features/archive/sealed-file.ts';
import { EMPTY_CONFIGURATION } from '../../src/server/features/config/config.ts';
import { serializeSnapshot } from '../../src/server/features/visit/snapshot.ts';
import { newFolder } from '../support/server.ts';

/** Archives that are accepted or refused, and why: files made by hand, compared with a complete one. */

let folder: string;
let file: string;
let into: string;
beforeEach(async () => {
  folder = await newFolder();
  [file, into] = [join(folder, 'file'), join(folder, 'into')];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns the reason of a refusal, or null. */
const reasonOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: Error & { reason?: string }) => error.reason ?? error.message,
  );

describe('archive file', () => {
  type Entry = [name: string, content: string | Buffer];
  const TABLE: Entry = ['tables/tokens.jsonl', '{"id":"a"}\n'];
  const OTHERS: Entry[] = [
    ['secrets/auth', 'A\n'],
    [`media/${'0'.repeat(32)}.mp4`, 'film'],
  ];
  const ENTRIES = [TABLE, ...OTHERS];
  const B: Entry = ['secrets/encryption', 'B'];
  const hashOf = (content: string | Buffer) => ({
    size: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  });
  const manifestOf = (entries: readonly Entry[], change: object = {}) => ({
    format: 1,
    schema: latestMigration(),
    version: '0.1.0',
    created_at: '2027-02-14T19:00:00.000Z',
    counts: { tables: { tokens: 1 }, media: 1 },
    entries: Object.fromEntries(entries.map(([name, content]) => [name, hashOf(content)])),
    missing: [],
    ...change,
  });

  type Options = Parameters<ZipFile['addBuffer']>[2];
  async function zipOf(entries: readonly Entry[], manifest: object | string = {}, options?: Options) {
    const zip = new ZipFile();
    for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name);
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifestOf(entries, manifest));
    zip.addBuffer(Buffer.from(text), 'manifest.json', options);
    zip.end();
    return buffer(zip.outputStream);
  }

  /** Unpacks an archive into a new folder. Returns the reason of a refusal, or null. */
  async function refusal(bytes: Buffer): Promise<string | null> {
    await rm(into, { recursive: true, force: true });
    await mkdir(into);
    await writeFile(file, bytes);
    return reasonOf(unpackArchive(file, into));
  }

  async function rowsIn(): Promise<unknown[]> {
    const rows: unknown[] = [];
    for await (const page of unpackedRows(into, 'tokens')) rows.push(...page);
    return rows;
  }
  /** Writes an unpacked table from pieces and returns its rows. */
  async function readTable(...pieces: (string | Buffer)[]): Promise<unknown[]> {
    await mkdir(join(into, 'tables'), { recursive: true });
    await writeFile(join(into, 'tables', 'tokens.jsonl'), pieces);
    return rowsIn();
  }

  /** Returns a copy with one bit changed at the nth occurrence of `mark`. */
  function spoilt(bytes: Buffer, mark: string, nth = 1): Buffer {
    let at = -1;
    for (let n = 0; n < nth; n += 1) at = bytes.indexOf(mark, at + 1, 'latin1');
    expect(at).toBeGreaterThan(-1);
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  }

  it('returns complete rows across the borders of chunks', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => ({ id: `${n}`, nome: 'è\u2028"'.repeat(n % 97) }));
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    expect(lines.length).toBeGreaterThan(2 * 64 * 1024);
    expect(await readTable(lines)).toEqual(rows);
  });

  it('may have the longest row that can be stored, and none longer', async () => {
    const list = Array.from({ length: MAX_LENGTH.phrases }, () => '{nome}'.repeat(333));
    const config = {
      ...EMPTY_CONFIGURATION,
      ...fillRecord(PHRASE_LISTS, list),
      recipient_name: '💛'.repeat(60),
    };
    // All phrases are equal, so it is enough to validate one.
    const one = { ...config, ...fillRecord(PHRASE_LISTS, list.slice(0, 1)) };
    expect(savedConfigurationSchema.safeParse(one).error).toBeUndefined();
    const row = serializeSnapshot(withRecipientName({ config, questions: NO_QUESTIONS, ...NO_FILE_FACTS }));
    const line = Buffer.from(`${JSON.stringify(row)}\n`);
    expect(line.length).toBeGreaterThan(79_000_000);
    const [read] = (await readTable(line)) as (typeof row)[];
    // A matcher would print the whole difference.
    expect([read?.hash, read?.body === row.body]).toEqual([row.hash, true]);
    const longer = readTable('{"id":"', Buffer.alloc(MAX_ROW_LENGTH, 'a'));
    await expect(longer).rejects.toMatchObject({ name: 'ArchiveRejected', reason: 'ARCHIVE_DAMAGED' });
    expect(await reasonOf(readTable(`[${'[],'.repeat(30_000)}[]]\n`))).toBe('ARCHIVE_DAMAGED');
  });

  const manifest = JSON.stringify(manifestOf(ENTRIES));
  const shorter = { ...manifestOf(ENTRIES).entries, [TABLE[0]]: { ...hashOf(TABLE[1]), size: 7 } };
  it.each<[string, () => Promise<Buffer>]>([
    ['an entry that nobody wrote', () => zipOf([...ENTRIES, B], manifest)],
    ['an entry missing', () => zipOf(OTHERS, manifest)],
    ['an entry twice', () => zipOf([...ENTRIES, TABLE], { entries: manifestOf([...ENTRIES, B]).entries })],
    ['another content of the same length', () => zipOf([[TABLE[0], '{"id":"b"}\n'], ...OTHERS], manifest)],
    ['a content of another length than is said', () => zipOf(ENTRIES, { entries: shorter })],
    ['a manifest that is no JSON', () => zipOf(ENTRIES, '{')],
    ['a manifest that says no version', () => zipOf(ENTRIES, { schema: undefined })],
    ['a manifest that says more than it may', () => zipOf(ENTRIES, { more: 1 })],
    [
      'a manifest that was changed',
      async () => spoilt(await zipOf(ENTRIES, {}, { compress: false }), '"version"'),
    ],
    ['a directory that breaks off', async () => spoilt(await zipOf(ENTRIES), 'PK\u0001\u0002', 3)],
  ])('is damaged with %s', async (_what, made) => {
    expect(await refusal(await made())).toBe('ARCHIVE_DAMAGED');
  });

  it('is damaged with an entry of another name, of which nothing is written', async () => {
    const tables = ['tables/rate_limits.jsonl', 'tables/tokens.json'];
    for (const name of [...tables, 'secrets/other', 'media/film.mp4.part', 'lettera.txt']) {
      expect(await refusal(await zipOf([[name, 'x']])), name).toBe('ARCHIVE_DAMAGED');
      for (const place of ['tables', 'media']) expect(await readdir(join(into, place))).toEqual([]);
    }
  });

  it('is foreign without a manifest, with one over 16 MB, or if it is no ZIP file', async () => {
    const noManifest = spoilt(spoilt(await zipOf([]), 'manifest.json'), 'manifest.json');
    const later = Buffer.concat([Buffer.from('-'), await zipOf(ENTRIES)]);
    const large = await zipOf(ENTRIES, manifest.padEnd(16 * 1024 ** 2 + 1));
    for (const bytes of [noManifest, later, Buffer.alloc(0), large])
      expect(await refusal(bytes)).toBe('ARCHIVE_FOREIGN');
    expect(await refusal(await zipOf(ENTRIES, manifest.padEnd(16 * 1024 ** 2)))).toBeNull();
  });

  it('is newer by its format or schema, regardless of other fields', async () => {
    for (const change of [{ format: 2 }, { schema: '999-later' }])
      expect(await refusal(await zipOf(ENTRIES, { ...change, more: true }))).toBe('ARCHIVE_NEWER');
  });

  it('is not refused for an error of the disk', async () => {
    await mkdir(into);
    await writeFile(join(into, 'secret-auth'), '');
    await writeFile(file, await zipOf(ENTRIES));
    await expect(unpackArchive(file, into)).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

it('issues tickets that are valid until they expire, for one use and under one secret', () => {
  const secret = Buffer.alloc(32, 1);
  const ends = new Date('2027-02-14T19:01:00.000Z');
  const before = new Date(ends.getTime() - 1);
  const download = createTicket(secret, 'download', 'una frase', ends);
  const incoming = createTicket(secret, 'incoming', 'archive-1', ends);
  expect(readTicket(secret, 'download', download, before)).toBe('una frase');
  expect(readTicket(secret, 'incoming', incoming, before)).toBe('archive-1');
  for (const refused of [
    readTicket(secret, 'download', download, ends),
    readTicket(secret, 'incoming', incoming, ends),
    readTicket(secret, 'download', incoming, before),
    readTicket(secret, 'incoming', download, before),
    readTicket(Buffer.alloc(32, 2), 'download', download, before),
    readTicket(secret, 'download', 'nessuno', before),
  ])
    expect(refused).toBeNull();
});

/** Compares the age format with its author's library: each opens what the other encrypted. */
describe('encrypted file', () => {
  const PASSPHRASE = 'perché no, una frase tutta mia';
  const CHUNK = 64 * 1024;

  async function sealed(content: Buffer): Promise<Buffer> {
    const stream = await createEncryptStream(PASSPHRASE);
    const [bytes] = await Promise.all([buffer(stream), pipeline(Readable.from([content]), stream)]);
    return bytes;
  }
  /** Encrypts with age and a low work factor, so that decryption is fast. */
  async function sealedByAge(content: Buffer): Promise<Buffer> {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(PASSPHRASE);
    encrypter.setScryptWorkFactor(4);
    return Buffer.from(await encrypter.encrypt(content));
  }
  async function opened(bytes: Uint8Array, passphrase = PASSPHRASE): Promise<Buffer> {
    await writeFile(file, bytes);
    return buffer(await decryptFile(file, passphrase));
  }

  it('is opened by age', async () => {
    const content = randomBytes(3 * CHUNK + 7);
    const decrypter = new Decrypter();
    decrypter.addPassphrase(PASSPHRASE);
    const bytes = await sealed(content);
    expect(content.equals(await decrypter.decrypt(bytes))).toBe(true);
    expect(content.equals(await opened(bytes))).toBe(true);
  });

  it('is opened if age encrypted it, at any size', async () => {
    for (const size of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
      const content = randomBytes(size);
      expect(content.equals(await opened(await sealedByAge(content))), `${size}`).toBe(true);
    }
  });

  it('is not opened with another passphrase, or if truncated or changed', async () => {
    const whole = await sealedByAge(randomBytes(2 * CHUNK + 100));
    expect(await reasonOf(opened(whole, 'un’altra frase, lunga lunga'))).toBe('PASSPHRASE_WRONG');
    expect(await reasonOf(opened(whole, PASSPHRASE.normalize('NFD')))).toBeNull();
    const header = whole.indexOf('---') + 48;
    const ends = [22, header, header + 15, header + 16, header + 16 + CHUNK + 16, whole.length - 1];
    for (const end of ends)
      expect(await reasonOf(opened(whole.subarray(0, end))), `cut at ${end}`).toBe('ARCHIVE_DAMAGED');
    for (const place of [header - 10, header + 5, header + 30, header + CHUNK + 40, whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(await reasonOf(opened(changed)), `changed at ${place}`).toBe('ARCHIVE_DAMAGED');
    }
    const chunk = (n: number) =>
      whole.subarray(header + 16 + n * (CHUNK + 16), header + 16 + (n + 1) * (CHUNK + 16));
    const swapped = Buffer.concat([whole.subarray(0, header + 16), chunk(1), chunk(0), chunk(2)]);
    expect(await reasonOf(opened(swapped))).toBe('ARCHIVE_DAMAGED');
  });

  it('is recognized by its beginning', async () => {
    for (const [content, isOne] of [
      [await sealedByAge(Buffer.from('ciao')), true],
      ['', false],
      ['PK', false],
      ['age-encryption.org/v10', false],
    ] as const) {
      await writeFile(file, content);
      expect(await isEncryptedFile(file)).toBe(isOne);
    }
  });
});
