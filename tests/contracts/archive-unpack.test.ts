import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { savedConfigurationSchema } from '../../src/contract/records.ts';
import { NO_QUESTIONS, PHRASE_LISTS, same } from '../../src/domain/configuration.ts';
import { NO_FILE_FACTS } from '../../src/domain/content.ts';
import { named } from '../../src/domain/her-name.ts';
import { MAX_LENGTH } from '../../src/domain/limits.ts';
import { latestMigration } from '../../src/server/db/migrate.ts';
import { LONGEST_ROW, unpackArchive, unpackedRows } from '../../src/server/features/archive/read.ts';
import {
  downloadTicket,
  incomingKey,
  incomingTicket,
  passphraseIn,
} from '../../src/server/features/archive/ticket.ts';
import { EMPTY_CONFIGURATION } from '../../src/server/features/config/config-row.ts';
import { storedForm } from '../../src/server/features/visit/snapshot.ts';
import { newFolder } from '../support/server.ts';

/** What is taken for an archive, and what is refused as which: files made by hand, against one that is whole. */

type Entry = [name: string, content: string | Buffer];
const ENTRIES: Entry[] = [
  ['tables/tokens.jsonl', '{"id":"a"}\n'],
  ['secrets/auth', 'A\n'],
  [`media/${'0'.repeat(32)}.mp4`, 'film'],
];
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

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function zipOf(
  entries: readonly Entry[],
  manifest: object | string = manifestOf(entries),
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name);
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  zip.addBuffer(Buffer.from(text), 'manifest.json');
  zip.end();
  return buffer(zip.outputStream);
}

/** Unpacks it into a new folder; why it was refused, or null. */
async function refusal(bytes: Buffer): Promise<string | null> {
  const into = join(folder, 'into');
  await rm(into, { recursive: true, force: true });
  await mkdir(into);
  await writeFile(join(folder, 'file.zip'), bytes);
  return unpackArchive(join(folder, 'file.zip'), into).then(
    () => null,
    (error: Error & { reason?: string }) => error.reason ?? error.message,
  );
}

async function rowsIn(into: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const page of unpackedRows(into, 'tokens')) rows.push(...page);
  return rows;
}

/** The same bytes with one of them changed, where `mark` is found for the nth time. */
function spoilt(bytes: Buffer, mark: string, nth = 1): Buffer {
  let at = -1;
  for (let n = 0; n < nth; n += 1) at = bytes.indexOf(mark, at + 1, 'latin1');
  expect(at).toBeGreaterThan(-1);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test('what is whole is laid out in the folder, for its owner alone', async () => {
  expect(await refusal(await zipOf(ENTRIES))).toBeNull();
  const into = join(folder, 'into');
  expect((await readdir(into)).toSorted()).toEqual(['media', 'secret-auth', 'tables']);
  expect(await readdir(join(into, 'media'))).toEqual([`${'0'.repeat(32)}.mp4`]);
  expect(await rowsIn(into)).toEqual([{ id: 'a' }]);
});

test('rows come back whole wherever the file is cut while it is read', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => ({ id: `${n}`, nome: 'è'.repeat(n % 97) }));
  const tokens = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const entries: Entry[] = [['tables/tokens.jsonl', tokens]];
  expect(tokens.length).toBeGreaterThan(2 * 64 * 1024);
  expect(await refusal(await zipOf(entries))).toBeNull();
  expect(await rowsIn(join(folder, 'into'))).toEqual(rows);
});

/** The rows of a table that lies unpacked, made of pieces. */
async function readTable(...pieces: (string | Buffer)[]): Promise<unknown[]> {
  const into = join(folder, 'into');
  await mkdir(join(into, 'tables'), { recursive: true });
  await writeFile(join(into, 'tables', 'tokens.jsonl'), pieces);
  return rowsIn(into);
}

test('reads the longest row that can be stored', async () => {
  const phrase = '{nome}'.repeat(333);
  const list = Array.from({ length: MAX_LENGTH.phrases }, () => phrase);
  const config = { ...EMPTY_CONFIGURATION, ...same(PHRASE_LISTS, list), recipient_name: '💛'.repeat(60) };
  expect(savedConfigurationSchema.safeParse(config).error).toBeUndefined();
  const row = storedForm(named({ config, questions: NO_QUESTIONS, ...NO_FILE_FACTS }));
  const line = Buffer.from(`${JSON.stringify(row)}\n`);
  expect(line.length).toBeGreaterThan(79_000_000);
  const [read] = (await readTable(line)) as (typeof row)[];
  // A matcher would print what differs.
  expect([read?.hash, read?.body === row.body]).toEqual([row.hash, true]);
});

test.each([
  ['longer', ['{"id":"', Buffer.alloc(LONGEST_ROW, 'a')]],
  ['with more values', [`[${'[],'.repeat(30_000)}[]]\n`]],
])('refuses a row %s than any that is stored', async (_what, pieces) => {
  await expect(readTable(...pieces)).rejects.toMatchObject({ name: 'ArchiveRefused', reason: 'damaged' });
});

describe('is damaged', () => {
  const [table, ...others] = ENTRIES as [Entry, ...Entry[]];
  test.each<[string, () => Promise<Buffer>]>([
    [
      'with an entry that nobody wrote',
      () => zipOf([...ENTRIES, ['secrets/encryption', 'B']], manifestOf(ENTRIES)),
    ],
    ['without one that was written', () => zipOf(others, manifestOf(ENTRIES))],
    [
      'with one in another’s place',
      () => zipOf([...others, ['tables/media.jsonl', '']], manifestOf(ENTRIES)),
    ],
    [
      'with one twice',
      () => zipOf([...ENTRIES, table], manifestOf([...ENTRIES, ['secrets/encryption', 'B']])),
    ],
    [
      'with another content of the same length',
      () => zipOf([[table[0], '{"id":"b"}\n'], ...others], manifestOf(ENTRIES)),
    ],
    [
      'with a content of another length than is said',
      () =>
        zipOf(
          ENTRIES,
          manifestOf(ENTRIES, {
            entries: { ...manifestOf(ENTRIES).entries, [table[0]]: { ...hashOf(table[1]), size: 7 } },
          }),
        ),
    ],
    ['with a manifest that is no JSON', () => zipOf(ENTRIES, '{')],
    [
      'with a manifest that says no version',
      () => zipOf(ENTRIES, manifestOf(ENTRIES, { schema: undefined })),
    ],
    ['with a manifest that says more than it may', () => zipOf(ENTRIES, manifestOf(ENTRIES, { more: 1 }))],
    ['with a manifest that was changed', async () => spoilt(await zipOfStored(), '"version"')],
    ['with a directory that breaks off', async () => spoilt(await zipOf(ENTRIES), 'PK\u0001\u0002', 3)],
  ])('%s', async (_what, made) => {
    expect(await refusal(await made())).toBe('damaged');
  });

  test.each([
    'tables/rate_limits.jsonl',
    'tables/tokens.json',
    'secrets/other',
    'media/film.mp4.part',
    'lettera.txt',
  ])('with «%s», which belongs nowhere, and nothing of it is written', async (name) => {
    expect(await refusal(await zipOf([[name, 'x']]))).toBe('damaged');
    expect(await readdir(join(folder, 'into', 'tables'))).toEqual([]);
    expect(await readdir(join(folder, 'into', 'media'))).toEqual([]);
  });
});

/** Its manifest lies open in it. */
function zipOfStored(): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of ENTRIES) zip.addBuffer(Buffer.from(content), name);
  zip.addBuffer(Buffer.from(JSON.stringify(manifestOf(ENTRIES))), 'manifest.json', { compress: false });
  zip.end();
  return buffer(zip.outputStream);
}

describe('is not ours', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['without a manifest', async () => spoilt(spoilt(await zipOf([]), 'manifest.json'), 'manifest.json')],
    [
      'where it doesn’t begin as a ZIP file',
      async () => Buffer.concat([Buffer.from('-'), await zipOf(ENTRIES)]),
    ],
    ['where it is empty', async () => Buffer.alloc(0)],
  ])('%s', async (_what, made) => {
    expect(await refusal(await made())).toBe('foreign');
  });

  test('with a manifest of more than 16 MB', async () => {
    const padded = (length: number) => JSON.stringify(manifestOf(ENTRIES)).padEnd(length);
    expect(await refusal(await zipOf(ENTRIES, padded(16 * 1024 ** 2)))).toBeNull();
    expect(await refusal(await zipOf(ENTRIES, padded(16 * 1024 ** 2 + 1)))).toBe('foreign');
  });
});

test.each([
  ['format', { format: 2 }],
  ['schema', { schema: '999-later' }],
])('is newer by its %s', async (_what, change) => {
  expect(await refusal(await zipOf(ENTRIES, manifestOf(ENTRIES, change)))).toBe('newer');
});

test('what the disk refuses is told as that, and not as the archive’s fault', async () => {
  const into = join(folder, 'taken');
  await mkdir(into);
  await writeFile(join(into, 'secret-auth'), '');
  await writeFile(join(folder, 'file.zip'), await zipOf(ENTRIES));
  await expect(unpackArchive(join(folder, 'file.zip'), into)).rejects.toMatchObject({ code: 'EEXIST' });
});

test('a ticket is good until its end, for its own use, and under the secret that made it', () => {
  const secret = Buffer.alloc(32, 1);
  const ends = new Date('2027-02-14T19:01:00.000Z');
  const before = new Date(ends.getTime() - 1);
  const download = downloadTicket(secret, 'una frase', ends);
  const incoming = incomingTicket(secret, 'archive-1', ends);
  expect([passphraseIn(secret, download, before), passphraseIn(secret, download, ends)]).toEqual([
    'una frase',
    null,
  ]);
  expect([incomingKey(secret, incoming, before), incomingKey(secret, incoming, ends)]).toEqual([
    'archive-1',
    null,
  ]);
  expect([passphraseIn(secret, incoming, before), incomingKey(secret, download, before)]).toEqual([
    null,
    null,
  ]);
  expect(passphraseIn(Buffer.alloc(32, 2), download, before)).toBeNull();
  expect(passphraseIn(secret, 'nessuno', before)).toBeNull();
});
