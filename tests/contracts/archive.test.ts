import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { backup, restore as restoreCommand } from '../../src/server/commands/install.ts';
import { openDatabase, openUnmigrated } from '../../src/server/db/open.ts';
import { restoreArchive, TargetNotEmpty } from '../../src/server/features/archive/restore.ts';
import { ArchiveRejected, DATA_DIR_RULES, TABLES } from '../../src/server/features/archive/rules.ts';
import { writeArchive, writeArchiveFile } from '../../src/server/features/archive/write.ts';
import { insertKeepsake } from '../../src/server/features/visit/keepsake.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { archivedRows, archiveOf } from '../support/archive.ts';
import { prepareEvening } from '../support/http-evening.ts';
import { createRandom } from '../support/random.ts';
import { newFolder, startServer } from '../support/server.ts';
import { announce } from '../support/uploads.ts';

let folder: string;
let source: string;
let archive: string;
let whole: Buffer;
let rows: Record<string, string[]>;
/** Names in the source's folder while it was used. */
let found: string[];
const SECRETS = { auth: 'A\n', encryption: 'B\n' };

beforeAll(async () => {
  folder = await newFolder();
  source = join(folder, 'source');
  archive = join(folder, 'sorpresa.zip');
  const server = await startServer({ dataDir: source });
  const { admin } = await prepareEvening(server);
  const keepsake = { session_id: 'una', cookie_hash: 'f00', given_at: '2027-02-14T21:00:00.000Z' };
  await server.deps.inTransaction((tx) => insertKeepsake(tx, { ...keepsake, reply: 'Grazie' }));
  await announce({ url: server.url, cookie: admin }, 1_000, { slot: 'canzone', filename: 'a.mp3' });
  found = await readdir(source);
  await server.stop();
  await archiveOf({ DATA_DIR: source }, archive, { secrets: SECRETS });
  whole = await readFile(archive);
  const { db, close } = await openUnmigrated({ DATA_DIR: source, DATABASE_URL: undefined });
  rows = await archivedRows(db);
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

let count = 0;
/** Returns a new path that doesn't exist yet. */
const newTarget = () => join(folder, `target-${(count += 1)}`);
const restore = (file: string, DATA_DIR: string) =>
  restoreArchive(file, { DATA_DIR, DATABASE_URL: undefined }, new Date());
const open = (DATA_DIR: string) => openDatabase({ DATA_DIR, DATABASE_URL: undefined });
/** Lists a folder without the owner's lock. */
const left = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name !== 'sorpresa.lock');

/** Runs `sorpresa backup` or `sorpresa restore`; tests/api/commands.test.ts runs the program itself. */
async function command(run: (file: string) => Promise<number>, env: Record<string, string>, file: string) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const lines: string[] = [];
  for (const stream of ['log', 'error'] as const)
    vi.spyOn(console, stream).mockImplementation((text: string) => void lines.push(text));
  const code = await run(file);
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  return { code, output: lines.join('\n') };
}
const failed = (words: string) => ({ code: 1, output: expect.stringContaining(words) });

async function expectRestored(dataDir: string): Promise<void> {
  const { db, close } = await open(dataDir);
  expect(await archivedRows(db)).toEqual(rows);
  await close();
  const media = async (where: string) => (await readdir(join(where, 'media'))).toSorted();
  expect(await media(dataDir)).toEqual(await media(source));
  expect(await readFile(join(dataDir, 'secret-auth'), 'utf8')).toBe('A\n');
}

it('has a rule for every table and every name in the data folder', async () => {
  const { db, close } = await open(source);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  await close();
  expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(TABLES).toSorted());
  expect(found).toEqual(expect.arrayContaining(['sorpresa.db', 'media', 'uploads', 'secret-auth']));
  expect(found.filter((name) => !Object.hasOwn(DATA_DIR_RULES, name))).toEqual([]);
});

it('refuses a file that was changed or truncated, and leaves nothing', async () => {
  const random = createRandom('archive');
  const [target, damaged] = [newTarget(), join(folder, 'damaged.zip')];
  const ends = [0, 1, 100, whole.length - 1, random.int(whole.length)];
  // The directory and the manifest are at the end, which random positions seldom hit.
  const places = [random.int(whole.length), ...Array.from({ length: 8 }, () => -1 - random.int(2_500))];
  const variants = [
    ...ends.map((end) => whole.subarray(0, end)),
    ...places.map((at) => {
      const bytes = Buffer.from(whole);
      const place = (at + bytes.length) % bytes.length;
      bytes[place] = (bytes[place] ?? 0) ^ (1 << random.int(8));
      return bytes;
    }),
  ];
  let refused = 0;
  for (const bytes of variants) {
    await writeFile(damaged, bytes);
    const end = await restore(damaged, target).catch((error: unknown) => error);
    if (end instanceof ArchiveRejected) {
      expect(await left(target)).toEqual([]);
      refused += 1;
      continue;
    }
    // The change affects no content: a time or an attribute.
    expect(end).not.toBeInstanceOf(Error);
    await expectRestored(target);
    await rm(target, { recursive: true });
  }
  expect(refused).toBeGreaterThan(variants.length / 3);
});

it('contains files that are deleted while the rows are written', async () => {
  const [dataDir, file, target] = [newTarget(), join(folder, 'swept.zip'), newTarget()];
  await restore(archive, dataDir);
  const storage = await diskStorage(join(dataDir, 'media'));
  const sink = new PassThrough();
  const written = (async () => {
    const pieces: Buffer[] = [];
    for await (const piece of sink) {
      if (pieces.push(piece as Buffer) > 1) continue;
      for await (const key of storage.keys()) await storage.remove(key);
    }
    return Buffer.concat(pieces);
  })();
  const database = await openUnmigrated({ DATA_DIR: dataDir, DATABASE_URL: undefined });
  await writeArchive({ ...database, storage, secrets: SECRETS }, sink, new Date());
  await database.close();
  expect(await readdir(join(dataDir, 'media'))).toEqual([]);
  await writeFile(file, await written);
  await restore(file, target);
  await expectRestored(target);
  // Files without bytes are reported, and the others are stored.
  const withoutBytes = join(folder, 'gone.zip');
  const backedUp = await command(backup, { DATA_DIR: dataDir }, withoutBytes);
  expect(backedUp).toEqual({ code: 0, output: expect.stringContaining('video-3s.mp4') });
  expect((await restore(withoutBytes, newTarget())).missing).toHaveLength(5);
});

it('gets its name when complete: replaces a partial file of a killed run, and keeps the old one on failure', async () => {
  const file = join(folder, 'again.zip');
  await writeFile(`${file}.part`, 'half');
  await writeFile(file, 'the one before');
  const database = await openUnmigrated({ DATA_DIR: source, DATABASE_URL: undefined });
  const env = { DATA_DIR: source, DATABASE_URL: undefined } as Parameters<typeof writeArchiveFile>[1];
  const broken = { ...database, db: database.db.withSchema('nowhere') };
  await expect(writeArchiveFile(broken, env, file)).rejects.toThrow();
  expect(await readFile(file, 'utf8')).toBe('the one before');
  expect(await readdir(folder)).not.toContain('again.zip.part');
  const { counts } = await writeArchiveFile(database, env, file);
  await database.close();
  expect([counts.media, (await stat(file)).mode & 0o777]).toEqual([5, 0o600]);
  expect(await readdir(folder)).not.toContain('again.zip.part');
  expect((await restore(file, newTarget())).counts).toEqual(counts);
});

it('overwrites no file, and no folder or installation with content', async () => {
  const target = newTarget();
  await mkdir(target);
  await writeFile(join(target, 'lettera.txt'), 'cara');
  await expect(restore(archive, target)).rejects.toBeInstanceOf(TargetNotEmpty);
  expect(await command(restoreCommand, { DATA_DIR: target }, archive)).toEqual(failed('lettera.txt'));
  expect(await readdir(target)).toEqual(['lettera.txt']);
  const running = newTarget();
  const { close } = await open(running);
  expect(await command(restoreCommand, { DATA_DIR: running }, archive)).toEqual(failed('non è vuota'));
  await close();
  expect(await command(backup, { DATA_DIR: source }, archive)).toEqual(failed('esiste già'));
  expect(await readFile(archive)).toEqual(whole);
});

it('is encrypted with the passphrase in ARCHIVE_PASSPHRASE, and opens only with it', async () => {
  const [file, target] = [join(folder, 'sealed.zip'), newTarget()];
  const ARCHIVE_PASSPHRASE = 'una frase tutta nostra';
  const short = await command(backup, { DATA_DIR: source, ARCHIVE_PASSPHRASE: 'breve' }, file);
  expect(short).toEqual({ code: 1, output: errorSentences.PASSPHRASE_SHORT });
  const made = await command(backup, { DATA_DIR: source, ARCHIVE_PASSPHRASE }, file);
  expect(made).toEqual({ code: 0, output: expect.stringContaining('soltanto con la frase') });
  expect((await readFile(file)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  const restored = (env: object) => command(restoreCommand, { DATA_DIR: target, ...env }, file);
  expect(await restored({})).toEqual(failed('chiusa da una frase segreta'));
  expect(await restored({ ARCHIVE_PASSPHRASE: 'un’altra frase, lunga' })).toEqual(failed('non si apre'));
  expect(await left(target)).toEqual([]);
  expect(await restored({ ARCHIVE_PASSPHRASE })).toMatchObject({ code: 0 });
  const { db, close } = await open(target);
  expect(await archivedRows(db)).toEqual(rows);
  await close();
});

it('reports that there is nothing to archive, and why a file can’t be restored', async () => {
  const nowhere = { DATA_DIR: join(folder, 'nowhere') };
  const text = join(folder, 'text.zip');
  await writeFile(text, 'not a zip');
  expect(await command(backup, nowhere, join(folder, 'none.zip'))).toEqual(failed('niente da salvare'));
  for (const [file, words] of [
    [join(folder, 'no.zip'), 'non c’è'],
    [text, 'non è una copia fatta da'],
    // A folder can't be read as a file. The failed restore must leave nothing, because an incomplete restore blocks every start.
    [folder, 'non ne resta niente'],
  ] as const)
    expect(await command(restoreCommand, nowhere, file)).toEqual(failed(words));
  expect(await left(nowhere.DATA_DIR)).toEqual([]);
});
