import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { mediaIdOf } from '../../src/domain/media-address.ts';
import { companionsOf } from '../../src/server/features/media/companion.ts';
import { removeMedia } from '../../src/server/features/media/media.service.ts';
import { call } from '../support/http.ts';
import { enter, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const { server, evening } = useEvening();
const TICKETS = join(import.meta.dirname, '../fixtures/ticket.pdf');

type Pages = NonNullable<MediaItem['pages']>;

/** Uploads tickets and waits for their pages. */
async function drawnTickets(): Promise<MediaItem & { pages: Pages }> {
  const { body } = await upload({ url: server.url, cookie: evening.admin }, 'biglietti', TICKETS);
  return { ...body.item, pages: await untilDrawn(body.item.id) };
}

async function untilDrawn(id: string): Promise<Pages> {
  const pages = async () => {
    const { body } = await call(server.url, 'GET', '/admin/media/biglietti', undefined, {
      cookie: evening.admin,
    });
    return (body as MediaItem[]).find((item) => item.id === id)?.pages ?? null;
  };
  return vi.waitUntil(pages, { timeout: 60_000 });
}

const fetchAs = (cookie: string, url: string) => fetch(`${server.url}${url}`, { headers: { cookie } });

test('hands out each page as a picture, to a visit that has reached the card', async () => {
  const { pages } = await drawnTickets();
  const cookie = await enter(server, evening);
  const url = pages[0]?.url ?? '';
  expect((await fetchAs(cookie, url)).status).toBe(404);
  const { stages, position } = await walkTo(server, cookie, 'card');
  expect(stages[position.step]).toMatchObject({ ticket_pages: pages.map((page) => page.url) });
  const answer = await fetchAs(cookie, url);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
  const { width } = await sharp(await answer.arrayBuffer()).metadata();
  expect(width).toBe(1_170);
});

test('shows a ticket that is a picture as it is', async () => {
  const { stages, position } = await walkTo(server, await enter(server, evening), 'card', 2);
  expect(stages[position.step]).toMatchObject({ ticket_pages: [evening.media.tickets_2.url] });
});

test('draws tickets of an older version, also for a visit that began before', async () => {
  const { id, url, pages } = await drawnTickets();
  const media = mediaIdOf(url) ?? '';
  const { db } = server.deps;
  await db.updateTable('media').set({ pages: null }).where('id', '=', media).execute();
  await db.deleteFrom('media').where('id', 'in', companionsOf(media)).execute();
  const cookie = await enter(server, evening);
  await server.deps.live.publish({ type: 'changed', topics: ['config'] });
  expect(await untilDrawn(id)).toEqual(pages);
  const { stages, position } = await walkTo(server, cookie, 'card');
  expect(stages[position.step]).toMatchObject({ ticket_pages: pages.map((page) => page.url) });
});

test('deletes the pages with their file', async () => {
  const { url, pages } = await drawnTickets();
  const removed = await server.deps.inTransaction((tx) =>
    removeMedia(tx, mediaIdOf(url) ?? '', server.deps.now()),
  );
  const ids = pages.flatMap((page) => [page.url, page.small_url]).map(mediaIdOf);
  expect(removed).toEqual(expect.arrayContaining([mediaIdOf(url), ...ids]));
});
