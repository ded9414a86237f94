import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ZipFile } from 'yazl';
import { DISK_SPACE } from '../../src/domain/limits.ts';
import { decrypt } from '../../src/server/auth/secrets.ts';
import { archivedRows } from '../support/archive.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

/** The archive over the web: downloaded by the administrator, restored by an empty install. */

const PASSPHRASE = 'una frase tutta nostra';
const ACCOUNT = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
const TOKEN = '123456789:AAEhBP0av28abcdefghijklmnopqrstuvwxyz0';
const FULL = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });

let folder: string;
let source: TestServer;
let read: TestServer['deps']['storage']['read'];
let evening: Evening;
/** Cookie of a visit at the film. */
let visitor: string;
/** The complete downloaded archive. */
let whole: Buffer;
beforeAll(async () => {
  folder = await newFolder();
  source = await startServer();
  ({ read } = source.deps.storage);
  evening = await prepareEvening(source, { frasi_pre_video: ['è «tutto»\n😀', 'riga\u2028sola'] });
  visitor = await enter(source, evening);
  await walkTo(source, visitor, 'video');
  const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
  ok(await asAdmin('PATCH', '/admin/config', { versione, fields: { telegram_bot_token: TOKEN } }));
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await source.stop();
  await rm(folder, { recursive: true, force: true });
});

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(source.url, method, path, body, { cookie: evening.admin });
const newLink = async (passphrase = PASSPHRASE): Promise<string> =>
  ok(await asAdmin('POST', '/admin/archive', { passphrase })).body.path;
const follow = (path: string, { cookie = evening.admin, ...more }: RequestInit & { cookie?: string } = {}) =>
  fetch(new URL(path, source.url), { headers: { cookie }, ...more });
const lastAt = async () => ok(await asAdmin('GET', '/admin/archive')).body.last_at;
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

const begin = ({ url }: TestServer, size: number, more = {}) =>
  call(url, 'POST', '/admin/restore', { size, ...more });
const send = ({ url }: TestServer, id: string, bytes: Buffer) =>
  fetch(`${url}/api/admin/restore/${id}`, {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { origin: url },
  });
const open = ({ url }: TestServer, id: string, passphrase = PASSPHRASE) =>
  call(url, 'POST', `/admin/restore/${id}`, { passphrase });
const opened = async (target: TestServer, id: string, passphrase?: string) =>
  (await open(target, id, passphrase)).body.codice;
async function sent(target: TestServer, bytes: Buffer): Promise<string> {
  const { id } = ok(await begin(target, Math.max(1, bytes.length))).body;
  expect((await send(target, id, bytes)).status).toBe(204);
  return id;
}
async function keysOf({ deps }: TestServer): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of deps.storage.keys()) keys.push(key);
  return keys;
}

describe('archive download', () => {
  /** Replaces the content of the first file. */
  async function firstFile(content: () => AsyncGenerator<Buffer>): Promise<void> {
    const [key] = await keysOf(source);
    vi.spyOn(source.deps.storage, 'read').mockImplementation(async (each) =>
      each === key ? Readable.from(content()) : read(each),
    );
  }

  test('is recorded only once it was sent completely, not after an error or an abort', async () => {
    await firstFile(async function* () {
      yield Buffer.from('half');
      throw new Error('the disk fails');
    });
    await expect(follow(await newLink()).then(bytesOf)).rejects.toThrow();
    expect(await lastAt()).toBeNull();
    const aborted = Promise.withResolvers<void>();
    await firstFile(async function* () {
      yield randomBytes(1_000_000);
      await aborted.promise;
    });
    // Two concurrent downloads are the maximum.
    for (let count = 0; count < 2; count += 1) {
      const abort = new AbortController();
      const answer = await follow(await newLink(), { signal: abort.signal });
      await answer.body?.getReader().read();
      abort.abort();
    }
    aborted.resolve();
    vi.restoreAllMocks();
    await expect
      .poll(async () => {
        const answer = await follow(await newLink());
        if (answer.status === 200) whole = await bytesOf(answer);
        else await answer.body?.cancel();
        return [answer.status, answer.headers.get('content-disposition')];
      })
      .toEqual([200, expect.stringMatching(/^attachment; filename="sorpresa-[\d-]+\.zip\.age"/)]);
    await expect.poll(lastAt).toEqual(expect.any(String));
    const { eventi } = ok(await asAdmin('GET', '/admin/logs?event_type=admin')).body;
    expect(eventi.map(({ event_type }: { event_type: string }) => event_type)).toEqual([
      'archive_downloaded',
      'admin_signed_in',
    ]);
  });

  test('requires a long passphrase, a session and its own link, which a HEAD request does not use up', async () => {
    for (const [passphrase, codice] of [
      ['undici segn', 'PASSPHRASE_SHORT'],
      ['a'.repeat(257), 'PASSPHRASE_LONG'],
    ])
      expect((await asAdmin('POST', '/admin/archive', { passphrase })).body.codice).toBe(codice);
    const path = await newLink();
    expect(path).not.toContain(encodeURIComponent(PASSPHRASE));
    expect(await (await follow(path, { cookie: '' })).json()).toMatchObject({ codice: 'SIGN_IN_REQUIRED' });
    const other = await follow(`${path.slice(0, -2)}${path.endsWith('AA') ? 'BB' : 'AA'}`);
    expect(await other.json()).toMatchObject({ codice: 'ARCHIVE_LINK_OVER' });
    for (const _ of [1, 2]) expect((await follow(path, { method: 'HEAD' })).status).toBe(200);
  });
});

describe('restore on an empty install', () => {
  let target: TestServer;
  const dataDir = () => join(folder, 'target');
  beforeAll(async () => {
    // Leftovers of another restore by a server that ended.
    await mkdir(join(dataDir(), 'unpacking'), { recursive: true, mode: 0o700 });
    target = await startServer({ dataDir: dataDir() });
    expect(await readdir(dataDir())).not.toContain('unpacking');
  });
  afterAll(() => target.stop());

  async function expectEmpty(): Promise<void> {
    expect(ok(await call(target.url, 'GET', '/admin/registration')).body.restorable).toBe(true);
    const { user, tokens, media, visit_snapshots, event_logs } = await archivedRows(target.deps.db);
    expect([user, tokens, media, visit_snapshots, event_logs]).toEqual([[], [], [], [], []]);
    expect(await readdir(dataDir())).not.toContain('unpacking');
    expect(await keysOf(target)).toEqual([]);
  }

  test('refuses archives it cannot restore, states the reason, and leaves the install empty', async () => {
    const newer = new ZipFile();
    newer.addBuffer(Buffer.from(JSON.stringify({ format: 99, schema: '999-later' })), 'manifest.json');
    newer.end();
    for (const [codice, bytes] of [
      ['ARCHIVE_DAMAGED', whole.subarray(0, whole.length - 5_000)],
      ['ARCHIVE_FOREIGN', Buffer.from('%PDF-1.7 non è una copia')],
      ['ARCHIVE_NEWER', await buffer(newer.outputStream)],
    ] as const) {
      const id = await sent(target, bytes);
      // A refused archive is deleted.
      expect([await opened(target, id), await opened(target, id)]).toEqual([codice, 'ARCHIVE_GONE']);
      await expectEmpty();
    }
    expect(await opened(target, 'mai-visto')).toBe('ARCHIVE_GONE');
    expect((await send(target, 'mai-visto', Buffer.alloc(1))).status).toBe(404);
    const room = vi.spyOn(target.deps.uploads.folder, 'freeBytes');
    room.mockResolvedValue(DISK_SPACE.files + 3 * 1_000);
    expect([(await begin(target, 1_001)).status, (await begin(target, 1_000)).status]).toEqual([507, 200]);
    expect((await begin(target, 65 * 1024 ** 3)).body.codice).toBe('ARCHIVE_TOO_LARGE');
    expect((await begin(target, 64 * 1024 ** 3)).body.codice).toBe('STORAGE_FULL');
  });

  test('changes nothing if a file cannot be stored', async () => {
    const id = await sent(target, whole);
    const { put } = target.deps.storage;
    const storing = vi.spyOn(target.deps.storage, 'put').mockRejectedValueOnce(FULL);
    const full = await send(target, ok(await begin(target, 1)).body.id, Buffer.alloc(1));
    expect([full.status, full.headers.get('connection')]).toEqual([507, 'close']);
    storing.mockImplementationOnce(put).mockImplementationOnce(put).mockRejectedValueOnce(FULL);
    expect(await opened(target, id)).toBe('STORAGE_FULL');
    await expectEmpty();
  });

  test('restores the archive and continues under its own secrets', async () => {
    const before = await archivedRows(source.deps.db);
    const id = await sent(target, whole);
    expect(await opened(target, id, '')).toBe('ARCHIVE_LOCKED');
    expect((await open(target, id, 'un’altra frase, lunga')).body).toMatchObject({
      codice: 'PASSPHRASE_WRONG',
      messaggio: 'La copia non si apre con questa frase segreta. Controllala e riprova.',
    });
    const messages: object[] = [];
    target.deps.live.subscribe((message) => messages.push(message));
    const restored = ok(await open(target, id)).body;
    expect(restored).toEqual({ created_at: expect.any(String), files: 5, missing: [] });
    expect(messages).toContainEqual(expect.objectContaining({ type: 'changed' }));
    const after = await archivedRows(target.deps.db);
    const same = ['user', 'account', 'tokens', 'media', 'checkbox_questions', 'visit_snapshots'];
    for (const table of [...same, 'active_sessions']) expect(after[table], table).toEqual(before[table]);
    expect(after.event_logs?.filter((row) => row.includes('archive_restored'))).toHaveLength(1);
    const configOf = ({ deps: { db } }: TestServer) =>
      db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
    const { telegram_bot_token, ...config } = await configOf(target);
    expect(await configOf(source)).toMatchObject(config);
    expect(decrypt(target.deps.secret, telegram_bot_token ?? '')).toBe(TOKEN);
    const keys = await keysOf(source);
    expect((await keysOf(target)).toSorted()).toEqual(keys.toSorted());
    for (const key of keys)
      expect(await buffer(await target.deps.storage.read(key))).toEqual(await buffer(await read(key)));
    expect(await readdir(dataDir())).not.toContain('unpacking');
    // The administrator signs in here with the same account; the visit continues.
    const { url } = target;
    expect((await call(url, 'GET', '/admin/me', undefined, { cookie: evening.admin })).status).toBe(401);
    expect((await call(url, 'POST', '/auth/sign-in/email', ACCOUNT)).status).toBe(200);
    expect((await call(url, 'POST', '/visit/resume', {}, { cookie: visitor })).status).toBe(200);
    expect([await opened(target, id), (await begin(target, 1)).body.codice]).toEqual([
      'REGISTRATION_CLOSED',
      'REGISTRATION_CLOSED',
    ]);
    expect((await send(target, id, Buffer.alloc(1))).status).toBe(403);
  });
});

test('requires the setup code to restore, and never replaces an account registered during the restore', async () => {
  const target = await startServer({ env: { SETUP_CODE: 'apriti' } });
  expect((await begin(target, 10)).body.codice).toBe('SETUP_CODE_WRONG');
  const { id } = ok(await begin(target, whole.length, { setup_code: 'apriti' })).body;
  expect((await send(target, id, whole)).status).toBe(204);
  const { put } = target.deps.storage;
  const meanwhile: string[] = [];
  vi.spyOn(target.deps.storage, 'put').mockImplementation(async (key, content) => {
    meanwhile.push(await opened(target, id));
    await call(target.url, 'POST', '/auth/sign-up/email', { ...ACCOUNT, setup_code: 'apriti' });
    return put(key, content);
  });
  expect(await opened(target, id)).toBe('REGISTRATION_CLOSED');
  expect(meanwhile[0]).toBe('RESTORE_BUSY');
  const { user, tokens } = await archivedRows(target.deps.db);
  expect([user?.length, tokens, await keysOf(target)]).toEqual([1, [], []]);
  await target.stop();
});

test('refuses to restore over a prepared surprise', async () => {
  const keep = { codes: true, configuration: false, account: false };
  ok(await asAdmin('POST', '/admin/erase', { keep, word: 'CANCELLA' }));
  expect((await begin(source, 10)).body.codice).toBe('INSTALL_IN_USE');
  expect(ok(await call(source.url, 'GET', '/admin/registration')).body.restorable).toBe(false);
});
