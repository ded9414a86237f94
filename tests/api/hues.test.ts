import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { skyHues } from '../../src/domain/hues.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const { server, evening } = useEvening();
const PICTURE = join(import.meta.dirname, '../fixtures/picture.jpg');

const listed = async (slot: string): Promise<{ id: string; hues: string[] | null }[]> =>
  ok(await call(server.url, 'GET', `/admin/media/${slot}`, undefined, { cookie: evening.admin })).body;

async function untilDrawn(slot: string, id: string): Promise<string[]> {
  const hues = async () => (await listed(slot)).find((item) => item.id === id)?.hues ?? null;
  await vi.waitUntil(async () => (await hues()) !== null, { timeout: 30_000 });
  return (await hues()) ?? [];
}

async function uploaded(slot: string): Promise<string> {
  const { body } = await upload({ url: server.url, cookie: evening.admin }, slot, PICTURE);
  return body.item.id;
}

test('a picture’s hues are drawn once it is stored, and come with its stage alone', async () => {
  const before = await enter(server, evening);
  const id = await uploaded('immagine');
  const hues = await untilDrawn('immagine', id);
  expect(hues.length).toBeGreaterThan(0);

  const after = await enter(server, evening);
  const early = await walkTo(server, after, 'video');
  expect(JSON.stringify(early)).not.toContain('hues');
  const { stages } = await walkTo(server, after, 'questions');
  const taken = stages.flatMap((stage: object) => ('hues' in stage ? [stage] : []));
  expect(taken).toEqual([expect.objectContaining({ stage: 'destination', viaggio: 1, hues: skyHues(hues) })]);

  // A visit that began before keeps what it began with.
  const old = await walkTo(server, before, 'destination');
  expect(old.stages[old.position.step].hues).toBeNull();
});

test('the second trip has its own', async () => {
  const hues = await untilDrawn('immagine_2', await uploaded('immagine_2'));
  const { stages, position } = await walkTo(server, await enter(server, evening), 'destination', 2);
  expect(stages[position.step].hues).toEqual(skyHues(hues));
});

test('those of a picture from before there were hues are drawn by themselves, a broken row’s are none', async () => {
  const { db } = server.deps;
  const id = await uploaded('immagine');
  const hues = await untilDrawn('immagine', id);
  await db.updateTable('immagini_destinazione').set({ hues: '["blue"]' }).where('id', '=', id).execute();
  expect((await listed('immagine')).find((item) => item.id === id)?.hues).toBeNull();
  await db.updateTable('immagini_destinazione').set({ hues: null }).where('id', '=', id).execute();
  // Whatever is uploaded next has them looked for.
  await uploaded('immagine_2');
  expect(await untilDrawn('immagine', id)).toEqual(hues);
});
