import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media-slots.ts';
import { findConfig } from '../../src/server/features/config/config.repo.ts';
import { listMedia, removeListed, useMedia } from '../../src/server/features/media/library.service.ts';
import { keep } from '../../src/server/features/uploads/keep.service.ts';
import { takePoster } from '../../src/server/features/uploads/poster.service.ts';
import { postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { filmOf } from '../support/uploads.ts';

const FILE = join(import.meta.dirname, '../fixtures/picture.jpg');
const COURSE = { signal: new AbortController().signal, progress: () => undefined };
const MANY = 12;

/** On PostgreSQL, where works run side by side; SQLite does one after the other. */
describe('files under many hands', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(postgresDatabase);
  });
  afterEach(() => server.close());

  /** Puts a file that was found good where it belongs. */
  async function arrive(slot: SlotName): Promise<void> {
    const id = randomBytes(16).toString('hex');
    const arriving = { id, size: 1, offset: 1, slot, filename: `${id}.jpg`, touched: 0 };
    const good = { path: FILE, extension: 'jpg', content_type: 'image/jpeg', warnings: [], companions: [] };
    await keep(server.deps, arriving, good, COURSE);
  }
  const atOnce = (work: () => Promise<unknown>) => Promise.all(Array.from({ length: MANY }, work));
  const list = (slot: SlotName) => listMedia(server.deps, server.actor, { slot });
  const pointer = async (slot: SlotName) =>
    (await findConfig(server.deps.db))?.[MEDIA_SLOTS[slot].field] ?? null;
  /** The addresses of the files that are kept. */
  async function kept(): Promise<string[]> {
    const files = server.deps.db.selectFrom('media').select('id').where('deleted_at', 'is', null);
    return (await files.execute()).map(({ id }) => `/api/media/${id}.jpg`).toSorted();
  }

  it.each(['video', 'biglietti_2'] as const)(
    '%s chosen and deleted at once is not what the configuration points to in the end',
    async (slot) => {
      for (let round = 0; round < 6; round += 1) {
        await arrive(slot);
        await arrive(slot);
        const id = (await list(slot)).find(({ attivo }) => !attivo)?.id ?? '';
        await Promise.all([
          useMedia(server.deps, server.actor, { slot, id }),
          removeListed(server.deps, server.actor, { slot, id }),
        ]);
        const [url, listed] = [await pointer(slot), await list(slot)];
        expect(listed.map((item) => item.id)).not.toContain(id);
        if (url !== null) expect(listed.map((item) => item.url)).toContain(url);
      }
    },
  );

  it('one of many first videos becomes the active one, and one of many songs is kept', async () => {
    await atOnce(() => arrive('video'));
    expect(await findConfig(server.deps.db)).toMatchObject({ versione: 1 });
    const listed = await list('video');
    expect([listed.length, listed.filter(({ attivo }) => attivo).length]).toEqual([MANY, 1]);
    const videos = await kept();
    await atOnce(() => arrive('canzone'));
    expect(await kept()).toEqual([...videos, (await pointer('canzone')) ?? ''].toSorted());
    expect(await list('canzone')).toHaveLength(1);
  });

  it('one of many posters is kept', async () => {
    await arrive('video');
    const [video] = await list('video');
    const film = await filmOf(100_000);
    await writeFile(join(server.deps.env.DATA_DIR, 'media', basename(video?.url ?? '')), film);
    await atOnce(() => takePoster(server.deps, server.actor, { id: video?.id ?? '', second: 0 }));
    const [after] = await list('video');
    expect(await kept()).toEqual([video?.url ?? '', after?.poster_url ?? ''].toSorted());
  });
});
