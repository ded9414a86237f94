import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PLAN_B_BYTES } from '../../src/contract/admin/rehearsal.ts';
import { normalizeCode } from '../../src/domain/codes.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/limits.ts';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media.ts';
import * as bin from '../../src/server/bin/bin.repo.ts';
import * as config from '../../src/server/features/config/config.ts';
import { songSeconds } from '../../src/server/features/config/settings.ts';
import { listUndrawn, setHues } from '../../src/server/features/hues/hues.ts';
import * as light from '../../src/server/features/light/light.ts';
import * as library from '../../src/server/features/media/library.repo.ts';
import { activateFile, deleteFile, listMedia } from '../../src/server/features/media/library.ts';
import * as media from '../../src/server/features/media/media.ts';
import { forgetOrphans, noteOrphans } from '../../src/server/features/media/sweep.ts';
import * as planB from '../../src/server/features/plan-b/plan-b.maker.ts';
import * as checks from '../../src/server/features/ready/checks.ts';
import * as watch from '../../src/server/features/ready/ready.ts';
import { LeaseLost, LeaseRequested, sharedLeases } from '../../src/server/features/uploads/leases.ts';
import { storeConverted } from '../../src/server/features/uploads/make.ts';
import { eachDatabase, postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { mediaUrl } from '../support/evenings.ts';
import { useRepositories } from '../support/repositories.ts';
import { mediaRow } from '../support/rows.ts';
import { enterOrThrow, makeCode } from '../support/visits.ts';

const FILM = { id: 'film', nome: 'film.mp4', url: mediaUrl('a', 'mp4'), poster_url: null };
const FILM_UNMADE = { id: FILM.id, url: FILM.url, seconds: null };
const PICTURE = { id: 'picture', nome: 'mare.jpg', url: mediaUrl('c', 'jpg'), tipo: null };

describe.each(eachDatabase)('repositories of prepared content on %s', (_name, open) => {
  const server = useRepositories('content', open);

  const inMs = (ms: number) => new Date(server.clock.now().getTime() + ms);
  const at = (ms: number) => inMs(ms).toISOString();
  const idsOf = (rows: readonly { id: string }[]) =>
    rows.map(({ id }) => id).toSorted((a, b) => a.localeCompare(b));

  it('save the configuration and the questions at the version that was read', async () => {
    const { db } = server.deps;
    await config.ensureRow(db, 'admin_config', inMs(0));
    const before = await config.findConfig(db);
    const versione = before?.versione ?? 0;
    const save = async (table: 'admin_config' | 'checkbox_questions', version: number, fields: object) =>
      config.saveVersioned(server.ctx, table, version, () => ({ ...fields }));
    const change = { contatto: '@anna', durata_frase_secondi: 1.5, footer_text: '' };
    const row = { ...before, ...change, versione: versione + 1, updated_at: at(0) };
    expect(await save('admin_config', versione, change)).toEqual({ row, bin: [] });
    // A version that was never read may be as large as the column allows.
    const stale = { refused: 'STALE_VERSION' };
    for (const other of [versione, 2 ** 31 - 1])
      expect(await save('admin_config', other, { contatto: null })).toEqual(stale);
    await config.setConfig(db, { data_laurea: '2027-03-01' }, inMs(3));
    const saved = { ...change, data_laurea: '2027-03-01', versione: versione + 2, updated_at: at(3) };
    expect(await config.lockRow(db, 'admin_config')).toEqual({ ...before, ...saved });
    expect(await config.findSiteSettings(db)).toMatchObject({ data_laurea: '2027-03-01', dress: 'notte' });
    const current = await config.readVersionedQuestions(db);
    const changed = { ...current, domanda_1: 'Andiamo?', versione: current.versione + 1 };
    expect(await save('checkbox_questions', current.versione, { domanda_1: 'Andiamo?' })).toMatchObject({
      row: changed,
    });
    for (const other of [current.versione, 2 ** 31 - 1])
      expect(await save('checkbox_questions', other, { domanda_1: 'No?' })).toEqual(stale);
    expect(await config.readVersionedQuestions(db)).toEqual(changed);
    expect(await config.readQuestions(db)).toMatchObject({ domanda_1: 'Andiamo?' });
    await db.deleteFrom('checkbox_questions').execute();
    expect(await save('checkbox_questions', changed.versione, { domanda_1: 'No?' })).toBeNull();
    expect(await save('checkbox_questions', 0, { domanda_1: 'Sì?' })).toMatchObject({ row: { versione: 1 } });
  });

  it('find stored files, deleted or not', async () => {
    const { db } = server.deps;
    const [kept, removed] = [mediaRow('kept', { size: 5_000_000_001 }), mediaRow('gone')];
    const again = mediaRow('again');
    for (const row of [kept, removed, again]) await media.insertMedia(db, row);
    expect(await media.findMedia(db, 'kept')).toEqual(kept);
    expect(await media.findMedia(db, 'other')).toBeNull();
    expect(idsOf(await media.findMedias(db, ['kept', 'gone', 'other']))).toEqual(['gone', 'kept']);
    for (const id of ['gone', 'again']) expect(await media.deleteMedia(db, id, inMs(1))).toEqual([id]);
    for (const id of ['gone', 'other']) expect(await media.deleteMedia(db, id, inMs(2))).toEqual([]);
    await media.unmarkDeleted(db, ['again']);
    expect(await media.listDeleted(db)).toEqual([{ ...removed, deleted_at: at(1) }]);
    expect(await media.forgetMedia(db, { id: 'gone', deleted_at: at(2) })).toBe(false);
    expect(await media.forgetMedia(db, { id: 'gone', deleted_at: at(1) })).toBe(true);
    await media.setPages(db, 'kept', '[]');
    expect(idsOf(await media.listMedia(db))).toEqual(['again', 'kept']);
    expect(await media.findMedia(db, 'kept')).toEqual({ ...kept, pages: '[]' });
  });

  it('return the duration of a song', async () => {
    const { db } = server.deps;
    await media.insertMedia(db, mediaRow('b'.repeat(32), { extension: 'mp3', seconds: 181.25 }));
    expect(await songSeconds(db, mediaUrl('b', 'mp3'))).toBe(181.25);
    expect(await songSeconds(db, null)).toBeNull();
  });

  it('record stored files without a row, and since when', async () => {
    const { db } = server.deps;
    const note = (keys: string[], ms: number) =>
      noteOrphans(db, keys, { now: inMs(ms), before: inMs(ms - 10) });
    expect(await note(['a', 'b', 'c'], 0)).toEqual([]);
    expect(await note(['a', 'b'], 10)).toEqual(['a', 'b']);
    await forgetOrphans(db, ['a']);
    expect(await note(['a', 'b', 'c'], 20)).toEqual(['b']);
  });

  it('list films with their poster, captions and light version', async () => {
    const { db } = server.deps;
    await library.insertVideo(db, { ...FILM, created_at: at(0) });
    expect(await light.listUnmade(db)).toEqual([{ id: 'film', url: FILM.url, seconds: null }]);
    await library.setPoster(db, 'film', mediaUrl('9', 'jpg'));
    await library.setCaptions(db, 'film', { url: mediaUrl('8', 'vtt'), mode: 'always', end: 90.5 });
    await light.markLightFailed(db, FILM_UNMADE);
    const [failed] = await library.listFiles(db, MEDIA_SLOTS.video);
    expect(failed?.light).toEqual({ on: true, state: 'failed', url: null, seconds: null });
    const made = { light_state: 'made', light_url: mediaUrl('7', 'mp4'), seconds: 60.25 } as const;
    expect(await light.saveLightResult(db, { ...FILM_UNMADE, url: 'another' }, made)).toBe(false);
    expect(await light.saveLightResult(db, FILM_UNMADE, made)).toBe(true);
    expect(await light.listUnmade(db)).toEqual([]);
    await light.setLightOn(db, 'film', false);
    expect(await light.saveLightResult(db, FILM_UNMADE, made)).toBe(false);
    const listed = { ...FILM, poster_url: mediaUrl('9', 'jpg'), tipo: null, created_at: at(0) };
    const captions = { captions: { url: mediaUrl('8', 'vtt'), mode: 'always' }, captionsLate: true };
    const kept = { on: false, state: 'made', url: made.light_url, seconds: 60.25 };
    expect(await library.listFiles(db, MEDIA_SLOTS.video)).toEqual([
      { ...listed, ...library.NO_PICTURE, ...captions, light: kept },
    ]);
    await library.setCaptions(db, 'film', null);
    const without = { captions_url: null, captions_mode: 'device' };
    expect(await library.findVideo(db, 'film')).toMatchObject(without);
    expect(await library.findVideo(db, 'other')).toBeNull();
  });

  it('list pictures and tickets by trip, and restore deleted ones', async () => {
    const { db } = server.deps;
    await library.insertImage(db, { ...PICTURE, fuoco_x: null, fuoco_y: null, created_at: at(0) });
    const tickets = { nome: 'volo.pdf', url: mediaUrl('e', 'pdf'), created_at: at(0) };
    await library.insertTickets(db, { ...tickets, id: 'first', tipo: 'pdf' });
    await library.insertTickets(db, { ...tickets, id: 'second', tipo: 'secondo_viaggio' });
    const listed = (slot: keyof typeof MEDIA_SLOTS) => library.listFiles(db, MEDIA_SLOTS[slot]);
    expect(idsOf(await listed('biglietti'))).toEqual(['first']);
    expect(idsOf(await listed('biglietti_2'))).toEqual(['second']);
    expect(await listUndrawn(db)).toEqual([{ id: 'picture', url: PICTURE.url }]);
    await setHues(db, 'picture', ['#102030']);
    await library.setFocus(db, 'picture', { x: 0.25, y: 1 / 3 });
    expect(await listUndrawn(db)).toEqual([]);
    const before = await listed('immagine');
    expect(before).toMatchObject([{ ...PICTURE, fuoco: { x: 0.25, y: 1 / 3 }, hues: ['#102030'] }]);
    expect(await listed('immagine_2')).toEqual([]);
    const results = await library.removeListedRow(db, 'image', 'picture');
    expect(await library.removeListedRow(db, 'image', 'picture')).toBeUndefined();
    expect(await listed('immagine')).toEqual([]);
    await library.insertListedRow(db, 'image', { ...results });
    expect(await listed('immagine')).toEqual(before);
  });

  it('store deleted content until it is restored or too old', async () => {
    const { db } = server.deps;
    const deleted = { kind: 'phrase', place: 'frasi', payload: { testo: 'è «tutto»' } } as const;
    const old = await bin.putInBin(db, { ...deleted, name: 'uno' }, inMs(0));
    const young = await bin.putInBin(db, { ...deleted, name: 'due', media: ['a', 'b'] }, inMs(1));
    await bin.putInBin(db, { ...deleted, name: 'tre' }, inMs(2));
    expect((await bin.listBin(db)).map(({ name }) => name)).toEqual(['tre', 'due', 'uno']);
    expect(await bin.binnedMediaIds(db)).toEqual(new Set(['a', 'b']));
    const row = await bin.lockBinned(db, young);
    expect(row).toMatchObject({ id: young, kind: 'phrase', place: 'frasi', deleted_at: at(1) });
    expect(row && bin.mediaIdsIn(row)).toEqual(['a', 'b']);
    expect(JSON.parse(row?.payload ?? '')).toEqual(deleted.payload);
    await bin.forgetTexts(db, 'phrase', 'frasi', ['tre', 'quattro']);
    await bin.forgetBinned(db, [old]);
    expect(await bin.lockBinned(db, old)).toBeUndefined();
    expect(idsOf(await bin.listBin(db))).toEqual([young]);
    await bin.forgetBinned(db, [young]);
    expect(await bin.listBin(db)).toEqual([]);
    await bin.putInBin(db, { ...deleted, name: 'uno' }, inMs(3));
    await bin.emptyBin(db);
    expect(await bin.listBin(db)).toEqual([]);
  });

  it('store the latest Piano B that was made and the one that is requested', async () => {
    const { db } = server.deps;
    const made = (n: number) => ({
      made_at: at(n),
      made_of: `hash ${n}`,
      file: `file ${n}`,
      size: PLAN_B_BYTES,
    });
    expect(await planB.hasOpenVisit(db)).toBe(false);
    const { id, token } = await makeCode(server);
    await makeCode(server, { giorni: 1 });
    await enterOrThrow(server, token);
    expect(await planB.hasOpenVisit(db)).toBe(true);
    expect(await planB.validCodeLocks(db, inMs(0))).toHaveLength(2);
    expect(await planB.validCodeLocks(db, inMs(2 * DAY_MS))).toEqual([
      { id, normalized: normalizeCode(token) },
    ]);
    await planB.requestPlan(db, 'never', inMs(0));
    await planB.requestPlan(db, 'first', inMs(1));
    expect(await planB.savePlan(db, 'never', made(1))).toBeNull();
    expect(await planB.savePlan(db, 'first', made(1))).toEqual([]);
    await planB.requestPlan(db, 'second', inMs(2));
    await planB.savePlanFailure(db, 'second', 'no_room');
    expect(await planB.listPlans(db)).toMatchObject([
      { id: 'second', made_at: null, failed: 'no_room' },
      { id: 'first', ...made(1) },
    ]);
    expect(await planB.savePlan(db, 'second', made(3))).toEqual(['file 1']);
    expect(await planB.listPlans(db)).toMatchObject([{ id: 'second', ...made(3) }]);
  });

  it('store the checks of the evening, and let one of several callers run them', async () => {
    const { db, inTransaction } = server.deps;
    for (const found of ['{}', '{"ok":true}'])
      for (const id of ['film', 'song']) await checks.saveCheck(db, { id, found, at: at(0) });
    expect((await checks.readChecks(db))('film')).toEqual({ ok: true });
    await checks.deleteOtherChecks(db, ['song', 'other']);
    const result = await checks.readChecks(db);
    expect([result('film'), result('song')]).toEqual([null, { ok: true }]);
    await watch.ensureSchedule(db, inMs(0));
    await watch.ensureSchedule(db, inMs(1));
    const take = () => inTransaction((tx) => watch.claimRun(tx, inMs(0).getTime(), inMs(0)));
    expect(await take()).toBe(false);
    await watch.updateSchedule(db, { wanted_at: at(0) });
    const results = await Promise.all([take(), take(), take()]);
    expect(results.filter(Boolean)).toHaveLength(1);
    await watch.updateSchedule(db, { done: 1, total: 3 });
    expect(await watch.findSchedule(db)).toMatchObject({ watched_at: at(0), done: 1, total: 3 });
    expect(await watch.findSchedule(db)).toMatchObject({ asking_until: at(15 * 60_000) });
  });

  it('lease an upload to one holder at a time', async () => {
    const { db, inTransaction, log } = server.deps;
    let ms = 0;
    const leases = sharedLeases({ db, inTransaction, log, now: () => inMs(ms) });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const take = async () => (await leases.acquire('work:a')) ?? expect.unreachable();
    expect(await leases.requestRelease('work:a')).toBe(false);
    const first = await take();
    ms = 9_999;
    expect(await leases.acquire('work:a')).toBeNull();
    first.reportProgress(0.25);
    await first.requireRenewal();
    ms = 19_998;
    expect(await leases.held()).toEqual([{ key: 'work:a', progress: 0.25 }]);
    expect(await leases.acquire('work:a')).toBeNull();
    ms = 19_999;
    const other = await take();
    await expect(first.requireRenewal()).rejects.toBeInstanceOf(LeaseLost);
    await first.release();
    expect(await leases.held()).toEqual([{ key: 'work:a', progress: null }]);
    expect(await leases.requestRelease('work:a')).toBe(true);
    await expect(other.requireRenewal()).rejects.toBeInstanceOf(LeaseRequested);
    const rows = async () => (await db.selectFrom('upload_leases').select('key').execute()).length;
    ms += 10_000 + HOUR_MS;
    await leases.sweep();
    expect([await leases.held(), await rows()]).toEqual([[], 1]);
    ms += 1;
    await leases.sweep();
    expect(await rows()).toBe(0);
    await other.release();
  });
});

const FILE = join(import.meta.dirname, '../fixtures/picture.jpg');
const COURSE = { signal: new AbortController().signal, progress: () => undefined };
const MANY = 8;

/** On PostgreSQL, where transactions run concurrently; SQLite runs one at a time. */
describe('concurrent changes of files', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(postgresDatabase);
  });
  afterEach(() => server.close());

  /** Stores a converted file in its slot. */
  async function arrive(slot: SlotName): Promise<void> {
    const id = randomBytes(16).toString('hex');
    const arriving = { id, size: 1, offset: 1, slot, filename: `${id}.jpg`, touched: 0 };
    const good = { path: FILE, extension: 'jpg', content_type: 'image/jpeg', warnings: [], companions: [] };
    await storeConverted(server.deps, arriving, good, COURSE);
  }
  const atOnce = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: MANY }, work));
  const list = (slot: SlotName) => listMedia(server.ctx, { slot });
  const pointer = async (slot: SlotName) =>
    (await config.findConfig(server.deps.db))?.[MEDIA_SLOTS[slot].field] ?? null;
  /** Returns the addresses of all files that aren't deleted. */
  async function kept(): Promise<string[]> {
    const files = server.deps.db.selectFrom('media').select('id').where('deleted_at', 'is', null);
    return (await files.execute()).map(({ id }) => `/api/media/${id}.jpg`).toSorted();
  }

  it('leave no reference to a film that is activated and deleted at once', async () => {
    const slot = 'video';
    for (let round = 0; round < 3; round += 1) {
      await arrive(slot);
      await arrive(slot);
      const id = (await list(slot)).find(({ attivo }) => !attivo)?.id ?? '';
      await Promise.all([activateFile(server.ctx, { slot, id }), deleteFile(server.ctx, { slot, id })]);
      const [url, listed] = [await pointer(slot), await list(slot)];
      expect(listed.map((item) => item.id)).not.toContain(id);
      if (url !== null) expect(listed.map((item) => item.url)).toContain(url);
    }
  });

  it('activate one of many first videos, and store one of many songs', async () => {
    await atOnce(() => arrive('video'));
    expect(await config.findConfig(server.deps.db)).toMatchObject({ versione: 1 });
    const listed = await list('video');
    expect([listed.length, listed.filter(({ attivo }) => attivo).length]).toEqual([MANY, 1]);
    const videos = await kept();
    await atOnce(() => arrive('canzone'));
    expect(await kept()).toEqual([...videos, (await pointer('canzone')) ?? ''].toSorted());
    expect(await list('canzone')).toHaveLength(1);
  });
});
