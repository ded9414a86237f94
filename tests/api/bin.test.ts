import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import type { BinItem } from '../../src/contract/admin/tokens.ts';
import { BIN, DAY_MS, MAX_LENGTH } from '../../src/domain/limits.ts';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media.ts';
import { emptyBin, putInBin } from '../../src/server/bin/bin.repo.ts';
import { writeArchive } from '../../src/server/features/archive/write.ts';
import { emptyBinNow, listBinned, restoreBinned, sweepBin } from '../../src/server/features/bin/bin.ts';
import { readConfig, saveConfig } from '../../src/server/features/config/settings.ts';
import { ensureFreeSpace, purgeBinForSpace, sweepMedia } from '../../src/server/features/media/sweep.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.ts';
import { listTokens, removeToken } from '../../src/server/features/tokens/tokens.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, walkTo } from '../support/http-evening.ts';
import { noticesOf, sessionRow } from '../support/product.ts';
import { newFolder } from '../support/server.ts';
import { useServer, useSignedUp } from '../support/suites.ts';
import { made } from '../support/ticket-pdfs.ts';
import { MEDIA, upload } from '../support/uploads.ts';
import { attemptEntry, enterOrThrow, makeCode } from '../support/visits.ts';

describe('texts and codes in the bin', () => {
  type Fields = Parameters<typeof saveConfig>[1]['fields'];

  const server = useServer(sqliteDatabase);

  const bin = () => listBinned(server.ctx);
  const restore = (id: string) => restoreBinned(server.ctx, { id });
  const config = () => readConfig(server.ctx);
  const save = async (fields: Fields) => {
    const { versione } = await config();
    const saved = await saveConfig(server.ctx, { versione, fields });
    if (isRefused(saved)) throw new Error(saved.refused);
    return saved;
  };
  const only = async (): Promise<BinItem> => {
    const items = await bin();
    expect(items).toHaveLength(1);
    return items[0] as BinItem;
  };
  const remove = (id: string) => removeToken(server.ctx, { id });
  const empty = () => server.deps.inTransaction((tx) => emptyBin(tx));

  describe('phrases', () => {
    test('restores a phrase between its neighbours and increments the version', async () => {
      await save({ frasi: ['Uno', 'Due', 'Tre'] });
      await empty();
      await save({ frasi: ['Uno', 'Tre'] });
      const item = await only();
      expect(item).toMatchObject({ kind: 'phrase', place: 'frasi', name: 'Due', token: null, url: null });
      expect(Date.parse(item.until) - Date.parse(item.deleted_at)).toBe(BIN.days * DAY_MS);
      await save({ frasi: ['Zero', 'Uno', 'Tre', 'Quattro'] });
      const { versione } = await config();
      expect(await restore(item.id)).toEqual({ came: 'back' });
      expect(await config()).toMatchObject({
        frasi: ['Zero', 'Uno', 'Due', 'Tre', 'Quattro'],
        versione: versione + 1,
      });
      expect(await bin()).toEqual([]);
      expect(await restore(item.id)).toEqual({ refused: 'NOT_FOUND' });
      const stale = { versione, fields: { frasi: ['Altro'] } };
      expect(await saveConfig(server.ctx, stale)).toEqual({ refused: 'STALE_VERSION' });
    });

    test('refuses to restore into a full list, then restores once for ten requests', async () => {
      const full = Array.from({ length: MAX_LENGTH.phrases }, (_, number) => `Frase ${number}`);
      await save({ frasi: full });
      await empty();
      await save({ frasi: full.slice(1) });
      await save({ frasi: [...full.slice(1), 'Una nuova'] });
      const { id } = await only();
      expect(await restore(id)).toEqual({ refused: 'BIN_LIST_FULL' });
      await save({ frasi: full.slice(1) });
      const ends = await Promise.all(Array.from({ length: 10 }, () => restore(id)));
      expect(ends.filter((end) => !isRefused(end))).toEqual([{ came: 'back' }]);
      expect((await config()).frasi).toEqual(full);
    });
  });

  describe('questions and closing phrases', () => {
    test('restores an emptied question unless another has its place', async () => {
      const { domanda_1 } = await readQuestions(server.ctx);
      const ask = async (text: string | null) => {
        const { versione } = await readQuestions(server.ctx);
        return saveQuestions(server.ctx, { versione, fields: { domanda_1: text } });
      };
      const emptied = await ask('  ');
      const item = await only();
      expect(emptied).toMatchObject({ bin: [item.id] });
      expect(item).toMatchObject({ kind: 'question', place: 'domanda_1', name: domanda_1 });
      await ask('Un’altra?');
      expect(await restore(item.id)).toEqual({ refused: 'BIN_PLACE_TAKEN' });
      expect(await only()).toEqual(item);
      await server.deps.db.deleteFrom('bin').where('id', '!=', item.id).execute();
      await ask(null);
      expect(await restore(item.id)).toEqual({ came: 'back' });
      expect(await readQuestions(server.ctx)).toMatchObject({ domanda_1 });
    });

    test('restores an emptied closing phrase', async () => {
      const frasi_finali = { entrambi_si: 'Sì!', entrambi_no: 'No.', misto: 'Forse' };
      await save({ frasi_finali });
      await empty();
      await save({ frasi_finali: { ...frasi_finali, misto: '' } });
      const item = await only();
      expect([item.kind, item.place, item.name]).toEqual(['closing', 'misto', 'Forse']);
      expect(await restore(item.id)).toEqual({ came: 'back' });
      expect((await config()).frasi_finali).toEqual(frasi_finali);
      await save({ frasi_finali: null });
      expect(await bin()).toHaveLength(3);
    });
  });

  describe('code', () => {
    test('restores the remaining uses of a code, but no disconnected visit', async () => {
      const code = await makeCode(server, { max_accessi: 2, nome: 'Giulia' });
      const device = { device_id: 'device-1-hers', attempt_id: 'a-first-attempt-of-hers' };
      const before = await enterOrThrow(server, code.token, device);
      const removed = await remove(code.id);
      const item = await only();
      expect(removed).toEqual({ bin: item.id });
      expect(item).toMatchObject({ kind: 'code', place: null, name: 'Giulia', token: code.token });
      expect(await attemptEntry(server, code.token)).toEqual({ refused: 'CODE_INVALID' });
      expect(await restore(item.id)).toEqual({ came: 'back' });
      expect(await listTokens(server.ctx)).toEqual([{ ...code, accessi_usati: 1 }]);
      // The earlier attempt, device and cookie don't resume the visit.
      expect(await attemptEntry(server, code.token, device)).toMatchObject({ refused: expect.any(String) });
      const after = await enterOrThrow(server, code.token, {
        device_id: device.device_id,
        visit_secret: before.secret,
      });
      expect(after.session_id).not.toBe(before.session_id);
      expect(after.resumed).toBe(false);
      const cut = { is_active: false, disconnection_reason: 'token_deleted' };
      expect(await sessionRow(server, before.session_id)).toMatchObject(cut);
      expect(await attemptEntry(server, code.token)).toEqual({ refused: 'CODE_EXHAUSTED' });
    });
  });

  test('deletes items after their time, the oldest beyond the limit, and all of them when emptied', async () => {
    const put = (name: string) =>
      putInBin(server.deps.db, { kind: 'phrase', place: 'frasi', name, payload: {} }, server.clock.now());
    const sweptNames = async () => {
      await sweepBin(server.deps);
      return (await bin()).map(({ name }) => name);
    };
    await put('first');
    server.clock.advance(BIN.days * DAY_MS);
    await put('second');
    expect(await sweptNames()).toEqual(['second', 'first']);
    server.clock.advance(1);
    expect(await sweptNames()).toEqual(['second']);
    for (let n = 0; n < BIN.items; n += 1) await put('third');
    expect(await sweptNames()).toEqual(Array(BIN.items).fill('third'));
    await emptyBinNow(server.ctx);
    expect(await bin()).toEqual([]);
  });
});

describe('files in the bin', () => {
  let files: Record<SlotName, Buffer>;
  let now = new Date();
  const { server, to } = useSignedUp({ now: () => now });
  beforeAll(async () => {
    const drawn = sharp({ create: { width: 48, height: 32, channels: 3, background: '#357' } });
    const [picture, ticket] = [await drawn.jpeg().toBuffer(), await drawn.png().toBuffer()];
    const [video, canzone] = await Promise.all(
      ['good.mp4', 'song.m4a'].map((name) => readFile(join(MEDIA, name))),
    );
    const tickets = { biglietti: await made({ pages: 1 }), biglietti_2: ticket };
    files = { video, canzone, immagine: picture, immagine_2: picture, ...tickets } as typeof files;
  });
  beforeEach(async () => {
    const tables = ['bin', 'videos', 'biglietti', 'immagini_destinazione', 'admin_config', 'media'] as const;
    for (const table of [...tables, 'notifications', 'active_sessions'] as const)
      await server.deps.db.deleteFrom(table).execute();
  });

  const ask = (method: string, path: string, body?: unknown) =>
    call(server.url, method, path, body, { cookie: to.cookie });
  const put = async (slot: SlotName): Promise<MediaItem> => ok(await upload(to, slot, files[slot])).body.item;
  const remove = async (slot: SlotName, { id }: MediaItem): Promise<string> =>
    ok(await ask('DELETE', `/admin/media/${slot}/${id}`)).body.bin;
  const restore = (bin: string) => ask('POST', `/admin/bin/${bin}/restore`, {});
  const restored = async (bin: string) => ok(await restore(bin)).body.came;
  const list = async (slot: SlotName): Promise<MediaItem[]> =>
    ok(await ask('GET', `/admin/media/${slot}`)).body;
  const bin = async (): Promise<BinItem[]> => ok(await ask('GET', '/admin/bin')).body;
  const field = async (slot: SlotName) => ok(await ask('GET', '/admin/config')).body[MEDIA_SLOTS[slot].field];
  const sweep = () => sweepMedia(server.deps);
  const isStored = async ({ url }: { url: string }) =>
    (await server.deps.storage.size(url.split('/').at(-1) ?? '')) !== null;
  const status = async ({ url }: { url: string }, cookie = to.cookie) =>
    (await fetch(`${server.url}${url}`, { headers: { cookie } })).status;

  test.each(['video', 'canzone', 'immagine_2', 'biglietti'] as const)(
    'shows a deleted %s only to the administrator, and restores it unchanged',
    async (slot) => {
      const item = await put(slot);
      const id = await remove(slot, item);
      expect([await field(slot), await list(slot)]).toEqual([null, []]);
      await sweep();
      expect([await isStored(item), await status(item), await status(item, '')]).toEqual([true, 200, 401]);
      const [binned, ...others] = await bin();
      expect(binned).toMatchObject({ id, kind: 'media', place: slot, name: item.nome, url: item.url });
      expect(binned?.size).toBeGreaterThanOrEqual(item.size);
      expect([await restored(id), others]).toEqual(['active', []]);
      const light = expect.anything() as unknown;
      const [back, ...more] = await list(slot);
      // Derived data may have been added since.
      const drawn = { hues: back?.hues, pages: back?.pages };
      expect([back, more]).toEqual([{ ...item, light: item.light && light, ...drawn }, []]);
      expect([await field(slot), await bin()]).toEqual([item.url, []]);
      await sweep();
      expect(await status(item)).toBe(200);
    },
  );

  describe('restoring', () => {
    test('lists a file if another is in use, and does not activate one that was not in use', async () => {
      const [picture, song] = [await put('immagine'), await put('canzone')];
      const bins = { picture: await remove('immagine', picture), song: await remove('canzone', song) };
      const [other, otherSong] = [await put('immagine'), await put('canzone')];
      expect(await restored(bins.picture)).toBe('listed');
      expect((await list('immagine')).map(({ url, attivo }) => [url, attivo])).toEqual(
        expect.arrayContaining([
          [other.url, true],
          [picture.url, false],
        ]),
      );
      const again = await remove('immagine', picture);
      await remove('immagine', other);
      expect([await restored(again), await field('immagine')]).toEqual(['back', null]);
      // Only one song is possible.
      expect(await restore(bins.song)).toMatchObject({ status: 409, body: { codice: 'BIN_PLACE_TAKEN' } });
      await remove('canzone', otherSong);
      expect([await restored(bins.song), await field('canzone')]).toEqual(['active', song.url]);
    });

    test('restores a replaced song with its start time', async () => {
      const song = await put('canzone');
      await server.deps.db.updateTable('admin_config').set({ canzone_inizio_secondi: 0.1 }).execute();
      const next = await put('canzone');
      expect((await bin()).map(({ url }) => url)).toEqual([song.url]);
      now = new Date(now.getTime() + 1);
      await remove('canzone', next);
      const [, first] = await bin();
      expect(await restored(first?.id ?? '')).toBe('active');
      const config = ok(await ask('GET', '/admin/config')).body;
      expect(config).toMatchObject({ canzone_url: song.url, canzone_inizio_secondi: 0.1 });
    });
  });

  test('deletes the bytes after thirty days, or when the administrator empties the bin', async () => {
    const [picture, tickets] = [await put('immagine'), await put('biglietti_2')];
    const [old] = [await remove('immagine', picture), await remove('biglietti_2', tickets)];
    const deleted_at = new Date(now.getTime() - BIN.days * DAY_MS - 1).toISOString();
    await server.deps.db.updateTable('bin').set({ deleted_at }).where('id', '=', old).execute();
    await sweepBin(server.deps);
    await sweep();
    expect([await isStored(picture), await isStored(tickets)]).toEqual([false, true]);
    expect((await restore(old)).status).toBe(404);
    ok(await ask('DELETE', '/admin/bin'));
    expect([await bin(), await status(tickets), await isStored(tickets)]).toEqual([[], 404, false]);
    expect(await server.deps.db.selectFrom('media').select('id').execute()).toEqual([]);
  });

  describe('low disk space', () => {
    /** Returns dependencies with `room` as the number of free bytes. */
    const depsWith = (room: () => Promise<number>) => {
      const uploads = { ...server.deps.uploads, folder: { ...server.deps.uploads.folder, freeBytes: room } };
      return { ...server.deps, uploads };
    };

    test('deletes the oldest items as far as that helps, and notifies the administrator', async () => {
      const [old, young] = [await put('immagine'), await put('biglietti_2')];
      await remove('immagine', old);
      now = new Date(now.getTime() + 1_000);
      await remove('biglietti_2', young);
      const stored = async () => [await isStored(old), await isStored(young)];
      const sizeOfBin = async () => (await bin()).reduce((sum, { size }) => sum + size, 0);
      const whole = await sizeOfBin();
      const deps = depsWith(async () => 1_000 + whole - (await sizeOfBin()));
      // If even all of it doesn't suffice, nothing is deleted.
      expect(await ensureFreeSpace(deps, 1_001 + whole)).toBe(false);
      expect([await ensureFreeSpace(deps, 1_000), await stored()]).toEqual([true, [true, true]]);
      expect([await ensureFreeSpace(deps, 1_001), await stored()]).toEqual([true, [false, true]]);
      const error_message = expect.stringContaining('un file più vecchio ha lasciato');
      expect(await noticesOf(server)).toEqual([{ type: 'error', success: false, error_message }]);
    });

    test('keeps the bin if the files are stored elsewhere', async () => {
      const picture = await put('immagine');
      await remove('immagine', picture);
      const deps = depsWith(async () => 1_000);
      const elsewhere = { ...deps, storage: { ...deps.storage, isOnDisk: false } };
      expect(await ensureFreeSpace(elsewhere, 1_001)).toBe(false);
      await purgeBinForSpace(elsewhere, () => Promise.resolve(false));
      expect([await isStored(picture), (await bin()).length]).toEqual([true, 1]);
    });
  });

  test('omits its files from the archive unless a visit needs them, and hides them from other visits', async () => {
    const [video, picture, tickets] = [await put('video'), await put('immagine'), await put('biglietti_2')];
    const token = await buildCode(server, { admin: to.cookie }, { max_accessi: 5 });
    const before = await enter(server, { token });
    await walkTo(server, before, 'video');
    await remove('immagine', picture);
    const later = await put('immagine');
    await remove('immagine', later);
    const unused = await put('biglietti_2');
    await remove('biglietti_2', unused);
    const sink = createWriteStream(join(await newFolder(), 'archive.zip'));
    const source = { db: server.deps.db, kind: 'sqlite', storage: server.deps.storage, secrets: {} } as const;
    const { entries, missing } = await writeArchive(source, sink, now);
    const has = ({ url }: MediaItem) => Object.hasOwn(entries, `media/${url.split('/').at(-1)}`);
    expect([video, picture, tickets, later, unused].map(has)).toEqual([true, true, true, false, false]);
    expect(Object.keys(entries)).not.toContain('tables/bin.jsonl');
    expect(missing).toEqual([]);
    await remove('video', video);
    await put('video');
    const after = await enter(server, { token });
    await walkTo(server, after, 'video');
    expect([await status(video, before), await status(video, after)]).toEqual([200, 404]);
  });
});
