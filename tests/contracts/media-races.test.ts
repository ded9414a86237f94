import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media-slots.ts';
import { findConfig } from '../../src/server/features/config/config.repo.ts';
import { listMedia, removeListed, useMedia } from '../../src/server/features/media/library.service.ts';
import { keep } from '../../src/server/features/uploads/keep.service.ts';
import { takePoster } from '../../src/server/features/uploads/poster.service.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { filmOf } from '../support/uploads.ts';

const FILE = join(import.meta.dirname, '../fixtures/picture.jpg');
const COURSE = { signal: new AbortController().signal, progress: () => undefined };
const MANY = 12;

describe.each(eachDatabase)('files under many hands, on %s', { timeout: 60_000 }, (_name, open) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(open);
  });
  afterEach(() => server.close());

  /** Puts a file that was found good where it belongs; its id. */
  async function arrive(slot: SlotName): Promise<string> {
    const id = randomBytes(16).toString('hex');
    const arriving = { id, size: 1, offset: 1, slot, filename: `${id}.jpg`, touched: 0 };
    const good = { path: FILE, extension: 'jpg', content_type: 'image/jpeg', warnings: [], companions: [] };
    await keep(server.deps, arriving, good, COURSE);
    return id;
  }
  const atOnce = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: MANY }, work));
  const list = (slot: SlotName) => listMedia(server.deps, server.actor, { slot });
  const pointer = async (slot: SlotName) =>
    (await findConfig(server.deps.db))?.[MEDIA_SLOTS[slot].field] ?? null;
  /** The addresses of the files that are kept. */
  async function kept(): Promise<string[]> {
    const rows = await server.deps.db
      .selectFrom('media')
      .select('id')
      .where('deleted_at', 'is', null)
      .execute();
    return rows.map(({ id }) => `/api/media/${id}.jpg`);
  }

  test.each(['video', 'immagine', 'biglietti_2'] as const)(
    '%s chosen and deleted at once is not what the configuration points to in the end',
    async (slot) => {
      for (let round = 0; round < 20; round += 1) {
        await arrive(slot);
        await arrive(slot);
        const waiting = (await list(slot)).find(({ attivo }) => !attivo);
        const which = { slot, id: waiting?.id ?? '' };
        await Promise.all([
          useMedia(server.deps, server.actor, which),
          removeListed(server.deps, server.actor, which),
        ]);
        const url = await pointer(slot);
        const listed = await list(slot);
        expect(listed.map(({ id }) => id)).not.toContain(which.id);
        if (url !== null) expect(listed.map((item) => item.url)).toContain(url);
      }
    },
  );

  test('of many first videos one becomes the active one, and stays it', async () => {
    await atOnce(() => arrive('video'));
    expect(await findConfig(server.deps.db)).toMatchObject({ versione: 1 });
    const listed = await list('video');
    expect(listed).toHaveLength(MANY);
    expect(listed.filter(({ attivo }) => attivo)).toHaveLength(1);
  });

  test('of many songs at once one is kept, and the configuration points to it', async () => {
    await atOnce(() => arrive('canzone'));
    expect(await kept()).toEqual([await pointer('canzone')]);
    expect(await list('canzone')).toHaveLength(1);
  });

  test('of many posters at once one is kept', async () => {
    await arrive('video');
    const [video] = await list('video');
    const film = await filmOf(100_000);
    await writeFile(join(server.deps.env.DATA_DIR, 'media', basename(video?.url ?? '')), film);
    await atOnce(() => takePoster(server.deps, server.actor, { id: video?.id ?? '', second: 0 }));
    const [after] = await list('video');
    expect((await kept()).toSorted()).toEqual([video?.url ?? '', after?.poster_url ?? ''].toSorted());
  });
});
