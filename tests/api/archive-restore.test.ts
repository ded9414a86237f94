import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Decrypter } from 'age-encryption';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { DISK_ROOM } from '../../src/domain/limits.ts';
import { decrypt } from '../../src/server/auth/secrets.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { keptRows } from '../support/archive.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

/** The archive over the web: downloaded by the administrator, and taken back by an install that has nothing yet. */

const PASSPHRASE = 'una frase tutta nostra';
const account = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
const TOKEN = '123456789:AAEhBP0av28abcdefghijklmnopqrstuvwxyz0';

let folder: string;
let source: TestServer;
let evening: Evening;
beforeEach(async () => {
  folder = await newFolder();
  source = await startServer();
  evening = await prepareEvening(source, { frasi_pre_video: ['è «tutto»\n😀', 'riga\u2028sola'] });
  const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
  ok(await asAdmin('PATCH', '/admin/config', { versione, fields: { telegram_bot_token: TOKEN } }));
});
afterEach(async () => {
  await source.stop();
  await rm(folder, { recursive: true, force: true });
});

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(source.url, method, path, body, { cookie: evening.admin });

async function download(passphrase = PASSPHRASE): Promise<Buffer> {
  const { path } = ok(await asAdmin('POST', '/admin/archive', { passphrase })).body;
  expect(path).not.toContain(encodeURIComponent(passphrase));
  const answer = await fetch(new URL(path, source.url), { headers: { cookie: evening.admin } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="sorpresa-[\d-]+\.zip\.age"/,
  );
  return Buffer.from(await answer.arrayBuffer());
}

const begin = ({ url }: TestServer, size: number, more = {}) =>
  call(url, 'POST', '/admin/restore', { size, ...more });
const send = ({ url }: TestServer, id: string, bytes: Uint8Array<ArrayBuffer>) =>
  fetch(`${url}/api/admin/restore/${id}`, { method: 'PUT', body: bytes, headers: { origin: url } });
const open = ({ url }: TestServer, id: string, passphrase = PASSPHRASE) =>
  call(url, 'POST', `/admin/restore/${id}`, { passphrase });

async function sent(target: TestServer, bytes: Buffer): Promise<string> {
  const { id } = ok(await begin(target, Math.max(1, bytes.length))).body;
  expect((await send(target, id, new Uint8Array(bytes))).status).toBe(204);
  return id;
}

async function keysOf({ deps }: TestServer): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of deps.storage.keys()) keys.push(key);
  return keys;
}

async function expectEmpty(target: TestServer): Promise<void> {
  expect(ok(await call(target.url, 'GET', '/admin/registration')).body.restorable).toBe(true);
  const { user, tokens, media, visit_snapshots, event_logs } = await keptRows(target.deps.db);
  expect({ user, tokens, media, visit_snapshots, event_logs }).toEqual({
    user: [],
    tokens: [],
    media: [],
    visit_snapshots: [],
    event_logs: [],
  });
  expect(await readdir(target.deps.env.DATA_DIR)).not.toContain('unpacking');
}

test('what is downloaded is the archive that the command writes, sealed so that age opens it', async () => {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(PASSPHRASE);
  const zip = join(folder, 'sorpresa.zip');
  await writeFile(zip, await decrypter.decrypt(await download()));
  const DATA_DIR = join(folder, 'restored');
  const manifest = await restoreArchive(zip, { DATA_DIR, DATABASE_URL: undefined }, new Date());
  expect(manifest).toMatchObject({ counts: { media: 5 }, missing: [] });
  expect(Object.keys(manifest.entries)).toEqual(
    expect.arrayContaining(['secrets/auth', 'secrets/encryption']),
  );
  await expect
    .poll(async () => ok(await asAdmin('GET', '/admin/archive')).body.last_at)
    .toEqual(expect.any(String));
  const { eventi } = ok(await asAdmin('GET', '/admin/logs?event_type=admin')).body;
  expect(eventi[0].event_type).toBe('archive_downloaded');
});

test('a link is for a minute and for who is signed in, and a short passphrase seals nothing', async () => {
  expect((await asAdmin('POST', '/admin/archive', { passphrase: 'undici segn' })).body.codice).toBe(
    'PASSPHRASE_SHORT',
  );
  expect((await asAdmin('POST', '/admin/archive', { passphrase: 'a'.repeat(257) })).body.codice).toBe(
    'PASSPHRASE_LONG',
  );
  const { path } = ok(await asAdmin('POST', '/admin/archive', { passphrase: PASSPHRASE })).body;
  const ask = async (address: string, cookie = evening.admin) => {
    const answer = await fetch(new URL(address, source.url), { headers: { cookie } });
    return ((await answer.json()) as { codice: string }).codice;
  };
  expect(await ask(path, '')).toBe('SIGN_IN_REQUIRED');
  expect(await ask(`${path.slice(0, -2)}AA`)).toBe('ARCHIVE_LINK_OVER');
});

test('a look at the head makes no archive, and keeps nobody from one', async () => {
  const { path } = ok(await asAdmin('POST', '/admin/archive', { passphrase: PASSPHRASE })).body;
  const look = () => fetch(new URL(path, source.url), { method: 'HEAD', headers: { cookie: evening.admin } });
  // More than may be made at once.
  for (const { status, headers } of await Promise.all([look(), look(), look()]))
    expect([status, headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
});

test('two are sent at once, a third is asked to wait; each that has ended makes room', async () => {
  const gate = Promise.withResolvers<void>();
  const read = source.deps.storage.read;
  source.deps.storage.read = async (...asked) => {
    await gate.promise;
    return read(...asked);
  };
  const ask = async () => {
    const { path } = ok(await asAdmin('POST', '/admin/archive', { passphrase: PASSPHRASE })).body;
    return fetch(new URL(path, source.url), { headers: { cookie: evening.admin } });
  };
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual([200, 200]);
  const third = await ask();
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
  gate.resolve();
  await Promise.all([first.arrayBuffer(), second.arrayBuffer(), third.body?.cancel()]);
  await expect
    .poll(async () => {
      const again = await ask();
      await again.body?.cancel();
      return again.status;
    })
    .toBe(200);
});

test('an archive that breaks off is cut, and nobody takes it for whole', async () => {
  const key = (await keysOf(source))[0] ?? '';
  const read = source.deps.storage.read;
  source.deps.storage.read = async (each, range) =>
    each === key
      ? Readable.from(
          (async function* () {
            yield Buffer.from('half');
            throw new Error('the disk fails');
          })(),
        )
      : read(each, range);
  await expect(download()).rejects.toThrow();
  expect(ok(await asAdmin('GET', '/admin/archive')).body.last_at).toBeNull();
});

test('one that is given up is no copy that has left, and its place is free again', async () => {
  const [key] = await keysOf(source);
  const read = source.deps.storage.read;
  const gone = Promise.withResolvers<void>();
  source.deps.storage.read = async (each, range) => {
    if (each !== key) return read(each, range);
    return Readable.from(
      (async function* () {
        yield randomBytes(1_000_000);
        await gone.promise;
      })(),
    );
  };
  for (let given = 0; given < 2; given += 1) {
    const { path } = ok(await asAdmin('POST', '/admin/archive', { passphrase: PASSPHRASE })).body;
    const abort = new AbortController();
    const headers = { cookie: evening.admin };
    const answer = await fetch(new URL(path, source.url), { headers, signal: abort.signal });
    await answer.body?.getReader().read();
    abort.abort();
  }
  gone.resolve();
  source.deps.storage.read = read;
  // Two at once are all there may be: that a third is let out tells that both places are free.
  await vi.waitFor(() => download(), { timeout: 60_000 });
  await expect.poll(async () => ok(await asAdmin('GET', '/admin/archive')).body.last_at).not.toBeNull();
  const { eventi } = ok(await asAdmin('GET', '/admin/logs?event_type=admin')).body;
  expect(eventi.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
    'archive_downloaded',
    'admin_signed_in',
  ]);
});

describe('an install that has nothing yet', () => {
  let database: TestDatabase;
  let target: TestServer;
  beforeEach(async () => {
    database = await sqliteDatabase();
    await database.close();
    target = await startServer({ env: database.env, dataDir: database.env.DATA_DIR });
  });
  afterEach(async () => {
    await target.stop();
    await database.drop();
  });

  test('becomes what the archive holds, and goes on with it under its own secrets', async () => {
    const visitor = await enter(source, evening);
    await walkTo(source, visitor, 'video');
    const before = await keptRows(source.deps.db);
    const id = await sent(target, await download());
    const heard: object[] = [];
    target.deps.live.subscribe((message) => heard.push(message));
    // What an end in the middle has left is no hindrance.
    const left = join(target.deps.env.DATA_DIR, 'unpacking');
    await mkdir(left);
    await writeFile(join(left, 'sorpresa.db'), 'half');
    const restored = ok(await open(target, id)).body;
    expect(restored).toEqual({ created_at: expect.any(String), files: 5, missing: [] });
    expect(heard).toContainEqual(expect.objectContaining({ type: 'changed' }));

    const after = await keptRows(target.deps.db);
    for (const table of [
      'user',
      'account',
      'tokens',
      'media',
      'checkbox_questions',
      'visit_snapshots',
      'active_sessions',
    ])
      expect(after[table], table).toEqual(before[table]);
    const configs = await Promise.all(
      [source, target].map(({ deps: { db } }) =>
        db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow(),
      ),
    );
    const [theirs, ours] = configs.map(({ telegram_bot_token, ...rest }) => ({ telegram_bot_token, rest }));
    expect(ours?.rest).toEqual(theirs?.rest);
    expect(ours?.telegram_bot_token).not.toBe(theirs?.telegram_bot_token);
    expect(decrypt(target.deps.secret, ours?.telegram_bot_token ?? '')).toBe(TOKEN);
    for (const key of await keysOf(source)) {
      const [kept, came] = await Promise.all(
        [source, target].map(async ({ deps }) => buffer(await deps.storage.read(key))),
      );
      expect(came?.equals(kept ?? Buffer.alloc(0)), key).toBe(true);
    }
    expect((await keysOf(target)).length).toBe((await keysOf(source)).length);
    expect(await readdir(target.deps.env.DATA_DIR)).not.toContain('unpacking');

    const { event_logs } = after;
    expect(event_logs?.filter((row) => row.includes('archive_restored'))).toHaveLength(1);

    // Whoever was signed in there signs in here; her visit goes on.
    expect((await call(target.url, 'GET', '/admin/me', undefined, { cookie: evening.admin })).status).toBe(
      401,
    );
    expect((await call(target.url, 'POST', '/auth/sign-in/email', account)).status).toBe(200);
    expect((await call(target.url, 'POST', '/visit/resume', {}, { cookie: visitor })).status).toBe(200);
    expect((await open(target, id)).body.codice).toBe('REGISTRATION_CLOSED');
    expect((await begin(target, 1)).body.codice).toBe('REGISTRATION_CLOSED');
    expect((await send(target, id, new Uint8Array(1))).status).toBe(403);
  });

  test('takes nothing of what it can’t take, says why, and stays new', async () => {
    const whole = await download();
    const id = await sent(target, whole);
    expect((await open(target, id, '')).body.codice).toBe('ARCHIVE_LOCKED');
    expect((await open(target, id, 'un’altra frase, lunga')).body).toMatchObject({
      codice: 'PASSPHRASE_WRONG',
      messaggio: 'La copia non si apre con questa frase segreta. Controllala e riprova.',
    });
    await expectEmpty(target);

    const refused: [string, Buffer][] = [
      ['ARCHIVE_DAMAGED', whole.subarray(0, whole.length - 5_000)],
      ['ARCHIVE_DAMAGED', Buffer.concat([whole.subarray(0, 2_000), Buffer.alloc(10), whole.subarray(2_010)])],
      ['ARCHIVE_FOREIGN', Buffer.from('%PDF-1.7 non è una copia')],
      ['ARCHIVE_NEWER', await newerArchive()],
    ];
    for (const [codice, bytes] of refused) {
      const other = await sent(target, bytes);
      expect((await open(target, other)).body.codice).toBe(codice);
      expect((await open(target, other)).body.codice, 'it is kept no longer').toBe('ARCHIVE_GONE');
      await expectEmpty(target);
    }
    expect((await open(target, 'mai-visto')).body.codice).toBe('ARCHIVE_GONE');
    expect((await send(target, 'mai-visto', new Uint8Array(1))).status).toBe(404);
    const { folder: uploads } = target.deps.uploads;
    const { room } = uploads;
    for (const [free, status] of [
      [-1, 507],
      [0, 200],
    ] as const) {
      uploads.room = async () => DISK_ROOM.files + 3 * 1_000 + free;
      expect((await begin(target, 1_000)).status, `${free}`).toBe(status);
    }
    uploads.room = room;
    expect((await begin(target, 65 * 1024 ** 3)).body.codice).toBe('ARCHIVE_TOO_LARGE');
    expect((await begin(target, 64 * 1024 ** 3)).body.codice).toBe('STORAGE_FULL');
    // The one that was sent first is still there for who types better.
    expect((await open(target, id)).status).toBe(200);
  });

  test('a file that can’t be kept, or somebody who registers meanwhile, leaves it as it was', async () => {
    const id = await sent(target, await download());
    const { storage } = target.deps;
    const put = storage.put;
    let stored = 0;
    storage.put = async () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    };
    const full = await send(target, ok(await begin(target, 1)).body.id, new Uint8Array(1));
    expect([full.status, full.headers.get('connection')]).toEqual([507, 'close']);
    storage.put = async (key, content) => {
      stored += 1;
      if (stored === 3) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
      return put(key, content);
    };
    expect((await open(target, id)).body.codice).toBe('STORAGE_FULL');
    await expectEmpty(target);
    expect(await keysOf(target)).toEqual([]);

    const again = await sent(target, await download());
    const meanwhile: string[] = [];
    storage.put = async (key, content) => {
      meanwhile.push((await open(target, again)).body.codice);
      await call(target.url, 'POST', '/auth/sign-up/email', { ...account, email: 'altra@example.org' });
      return put(key, content);
    };
    expect((await open(target, again)).body.codice).toBe('REGISTRATION_CLOSED');
    expect(meanwhile[0]).toBe('RESTORE_BUSY');
    expect((await keptRows(target.deps.db)).user).toHaveLength(1);
    expect((await keptRows(target.deps.db)).tokens).toEqual([]);
    expect(await keysOf(target)).toEqual([]);
  });
});

/** One that says of itself what only a newer version can. */
function newerArchive(): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(JSON.stringify({ format: 99, schema: '999-later' })), 'manifest.json');
  zip.end();
  return buffer(zip.outputStream);
}

test('what a server that ended has left of one is gone when it starts again', async () => {
  const dataDir = join(folder, 'begun');
  await mkdir(join(dataDir, 'unpacking'), { recursive: true });
  const target = await startServer({ dataDir });
  expect(await readdir(dataDir)).not.toContain('unpacking');
  await target.stop();
});

test('with a setup code only who knows it announces an archive; what is prepared is never written over', async () => {
  const target = await startServer({ env: { SETUP_CODE: 'apriti' } });
  expect((await begin(target, 10)).body.codice).toBe('SETUP_CODE_WRONG');
  expect((await begin(target, 10, { setup_code: 'apriti' })).status).toBe(200);
  await target.stop();

  ok(
    await asAdmin('POST', '/admin/erase', {
      keep: { codes: true, configuration: false, account: false },
      word: 'CANCELLA',
    }),
  );
  expect((await begin(source, 10)).body.codice).toBe('INSTALL_IN_USE');
  expect(ok(await call(source.url, 'GET', '/admin/registration')).body.restorable).toBe(false);
});
