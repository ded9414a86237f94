import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { openUnmigrated } from '../../src/server/db/beside.ts';
import { migrate } from '../../src/server/db/migrate.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { NewerDatabase } from '../../src/server/db/upgrade.ts';
import { writeArchiveFile } from '../../src/server/features/archive/archive-file.ts';
import { ArchiveRefused } from '../../src/server/features/archive/refused-archive.ts';
import { NotEmpty, restoreArchive } from '../../src/server/features/archive/restore.ts';
import { writeArchive } from '../../src/server/features/archive/write.ts';
import { insertKeepsake } from '../../src/server/features/visit/keepsake.repo.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { archiveOf, command, keptRows } from '../support/archive.ts';
import { prepareEvening } from '../support/http-evening.ts';
import { createRandom } from '../support/random.ts';
import { tokenRow } from '../support/rows.ts';
import { newFolder, startServer } from '../support/server.ts';

let folder: string;
let source: string;
let archive: string;
let whole: Buffer;
let rows: Record<string, string[]>;

beforeAll(async () => {
  folder = await newFolder();
  source = join(folder, 'source');
  archive = join(folder, 'sorpresa.zip');
  const server = await startServer({ dataDir: source });
  await prepareEvening(server);
  const kept = {
    session_id: 'una',
    cookie_hash: 'f00',
    given_at: '2027-02-14T21:00:00.000Z',
    reply: 'Grazie',
  };
  await server.deps.inTransaction((tx) => insertKeepsake(tx, kept));
  await server.stop();
  await archiveOf({ DATA_DIR: source }, archive, { secrets: { auth: 'A\n', encryption: 'B\n' } });
  whole = await readFile(archive);
  const { db, close } = await openUnmigrated({ DATA_DIR: source, DATABASE_URL: undefined });
  rows = await keptRows(db);
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
/** A folder of its own that isn't there yet. */
const newTarget = () => join(folder, `target-${(count += 1)}`);
const restore = (file: string, DATA_DIR: string) =>
  restoreArchive(file, { DATA_DIR, DATABASE_URL: undefined }, new Date());
const open = (DATA_DIR: string) => openDatabase({ DATA_DIR, DATABASE_URL: undefined });
/** What is in a folder, but for the owner's lock. */
const left = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name !== 'sorpresa.lock');

async function expectRestored(dataDir: string): Promise<void> {
  const { db, close } = await open(dataDir);
  expect(await keptRows(db)).toEqual(rows);
  await close();
  expect((await readdir(join(dataDir, 'media'))).toSorted()).toEqual(
    (await readdir(join(source, 'media'))).toSorted(),
  );
  expect(await readFile(join(dataDir, 'secret-auth'), 'utf8')).toBe('A\n');
}

test('a file that was changed or cut anywhere is refused whole, and leaves nothing', {
  timeout: 60_000,
}, async () => {
  const random = createRandom('archive');
  const target = newTarget();
  const damaged = join(folder, 'damaged.zip');
  const ends = [0, 1, 100, whole.length - 1, ...Array.from({ length: 3 }, () => random.int(whole.length))];
  const places = Array.from({ length: 20 }, () => random.int(whole.length));
  const tries = [
    ...ends.map((end) => whole.subarray(0, end)),
    // The directory and the manifest are at the end, where chance seldom hits.
    ...[...places, ...Array.from({ length: 20 }, () => whole.length - 1 - random.int(2_500))].map((at) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8));
      return bytes;
    }),
  ];
  let refused = 0;
  for (const bytes of tries) {
    await writeFile(damaged, bytes);
    const end = await restore(damaged, target).catch((error: unknown) => error);
    if (end instanceof ArchiveRefused) {
      expect(await left(target)).toEqual([]);
      refused += 1;
      continue;
    }
    // What was changed carries no content: a time, an attribute.
    expect(end).not.toBeInstanceOf(Error);
    await expectRestored(target);
    await rm(target, { recursive: true });
  }
  expect(refused).toBeGreaterThan(tries.length / 2);
});

test.each([
  ['format', { format: 2, schema: '004-rehearsal' }],
  ['schema', { format: 1, schema: '999-later' }],
])('an archive of a newer %s is refused as such', async (name, manifest) => {
  const [file, target] = [join(folder, `${name}.zip`), newTarget()];
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify({ ...manifest, more: true })), 'manifest.json');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
  await expect(restore(file, target)).rejects.toMatchObject({ name: 'ArchiveRefused', reason: 'newer' });
  expect(await left(target)).toEqual([]);
});

test('an older archive is restored at its schema and brought up to date', async () => {
  const [old, target] = [join(folder, 'old'), newTarget()];
  await mkdir(old);
  const { db, close } = await openUnmigrated({ DATA_DIR: old, DATABASE_URL: undefined });
  await migrate(db, '002-sign-in');
  await db.insertInto('tokens').values(tokenRow('a')).execute();
  await sql`insert into checkbox_questions (id, domanda_1) values (1, 'Uno?')`.execute(db);
  await close();
  const { schema, counts } = await archiveOf({ DATA_DIR: old }, join(folder, 'old.zip'));
  expect([schema, counts.tables.rehearsal_pass]).toEqual(['002-sign-in', undefined]);
  await restore(join(folder, 'old.zip'), target);
  const after = await open(target);
  expect(await after.db.selectFrom('tokens').select('id').execute()).toEqual([{ id: 'a' }]);
  expect(await after.db.selectFrom('checkbox_questions').select(['domanda_1', 'versione']).execute()).toEqual(
    [{ domanda_1: 'Uno?', versione: 0 }],
  );
  expect(await after.db.selectFrom('rehearsal_pass').selectAll().execute()).toEqual([]);
  await after.close();
});

test('a database that a newer product has made is not backed up by an older one', async () => {
  const newer = join(folder, 'newer');
  const { db, close } = await open(newer);
  await sql`insert into kysely_migration values ('999-later', '2030')`.execute(db);
  await close();
  await expect(archiveOf({ DATA_DIR: newer }, join(folder, 'newer.zip'))).rejects.toBeInstanceOf(
    NewerDatabase,
  );
  const file = join(folder, 'newer-too.zip');
  expect(await command('backup', { DATA_DIR: newer }, [file])).toMatchObject({ code: 1 });
  expect(await readdir(folder)).not.toContain('newer-too.zip.part');
});

test('files that are swept while the rows are written are in it all the same', async () => {
  const dataDir = newTarget();
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
  const secrets = { auth: 'A\n', encryption: 'B\n' };
  await writeArchive({ ...database, storage, secrets }, sink, new Date());
  await database.close();
  expect(await readdir(join(dataDir, 'media'))).toEqual([]);
  const [file, target] = [join(folder, 'swept.zip'), newTarget()];
  await writeFile(file, await written);
  await restore(file, target);
  await expectRestored(target);
});

test('a file whose bytes are gone is named, and the rest is kept', async () => {
  const [dataDir, file] = [newTarget(), join(folder, 'gone.zip')];
  await restore(archive, dataDir);
  await rm(join(dataDir, 'media'), { recursive: true });
  const told = await command('backup', { DATA_DIR: dataDir }, [file]);
  expect(told).toMatchObject({ code: 0, output: expect.stringContaining('video-3s.mp4') });
  expect((await restore(file, newTarget())).missing).toHaveLength(5);
});

test('when a file can’t be read those before it are closed again', async () => {
  const storage = await diskStorage(join(source, 'media'));
  const opened: Readable[] = [];
  const failing = {
    ...storage,
    async read(key: string) {
      if (opened.length === 2) throw new StorageUnavailable('The disk is gone.');
      const content = await storage.read(key);
      opened.push(content);
      return content;
    },
  };
  const made = archiveOf({ DATA_DIR: source }, join(folder, 'half.zip'), { storage: failing });
  await expect(made).rejects.toThrow(StorageUnavailable);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

test('an archive has its name once it is whole: what a killed one has left is no hindrance, and one that fails takes nothing', async () => {
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

test('nothing is written over: neither a file, nor a folder that holds something', async () => {
  const target = newTarget();
  await mkdir(target);
  await writeFile(join(target, 'lettera.txt'), 'cara');
  await expect(restore(archive, target)).rejects.toBeInstanceOf(NotEmpty);
  const told = await command('restore', { DATA_DIR: target }, [archive]);
  expect(told).toMatchObject({ code: 1, output: expect.stringContaining('lettera.txt') });
  expect(await readdir(target)).toEqual(['lettera.txt']);
  const running = await startServer({ dataDir: newTarget() });
  const busy = await command('restore', { DATA_DIR: running.deps.env.DATA_DIR }, [archive]);
  expect(busy).toMatchObject({ code: 1, output: expect.stringContaining('non è vuota') });
  await running.stop();
  const again = await command('backup', { DATA_DIR: source }, [archive]);
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('esiste già') });
  expect(await readFile(archive)).toEqual(whole);
});

test('with a passphrase in ARCHIVE_PASSPHRASE the file is sealed, and opens with that one alone', async () => {
  const file = join(folder, 'sealed.zip');
  const ARCHIVE_PASSPHRASE = 'una frase tutta nostra';
  const short = await command('backup', { DATA_DIR: source, ARCHIVE_PASSPHRASE: 'breve' }, [file]);
  expect(short).toEqual({ code: 1, output: 'Frase segreta troppo corta: usa almeno 12 caratteri.\n' });
  const made = await command('backup', { DATA_DIR: source, ARCHIVE_PASSPHRASE }, [file]);
  expect(made, made.output).toMatchObject({
    code: 0,
    output: expect.stringContaining('soltanto con la frase'),
  });
  expect((await readFile(file)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  const target = newTarget();
  for (const [said, wrong] of [
    ['chiusa da una frase segreta', {}],
    ['non si apre', { ARCHIVE_PASSPHRASE: 'un’altra frase, lunga' }],
  ] as const) {
    const refused = await command('restore', { DATA_DIR: target, ...wrong }, [file]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(said) });
    expect(await left(target)).toEqual([]);
  }
  const restored = await command('restore', { DATA_DIR: target, ARCHIVE_PASSPHRASE }, [file]);
  expect(restored, restored.output).toMatchObject({ code: 0 });
  const { db, close } = await open(target);
  expect(await keptRows(db)).toEqual(rows);
  await close();
});

test('says what it needs, and that there is nothing to keep yet', async () => {
  const empty = { DATA_DIR: join(folder, 'nowhere') };
  expect((await command('backup', empty, [])).code).toBe(2);
  expect((await command('restore', empty, [])).code).toBe(2);
  expect((await command('restore', empty, [join(folder, 'no.zip')])).output).toContain('non c’è');
  const none = await command('backup', empty, [join(folder, 'none.zip')]);
  expect(none).toMatchObject({ code: 1, output: expect.stringContaining('niente da salvare') });
  const text = join(folder, 'text.zip');
  await pipeline(Readable.from(['not a zip']), createWriteStream(text));
  const refused = await command('restore', empty, [text]);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('non è una copia fatta da') });
  // A folder can't be read like a file. What is said to leave nothing must be no restore that was cut short, which no start gets past.
  const unreadable = await command('restore', empty, [folder]);
  expect(unreadable).toMatchObject({ code: 1, output: expect.stringContaining('non ne resta niente') });
  expect(await left(empty.DATA_DIR)).toEqual([]);
});
