import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const { server, evening } = useEvening();
const PICTURE = join(import.meta.dirname, '../fixtures/picture.jpg');

const asked = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const focus = (id: string, fuoco: unknown, slot = 'immagine') =>
  asked('POST', `/admin/media/${slot}/${id}/focus`, { fuoco });

async function uploaded(slot: string): Promise<string> {
  const { body } = await upload({ url: server.url, cookie: evening.admin }, slot, PICTURE);
  expect(body.item.fuoco).toBeNull();
  return body.item.id;
}

test('the point is kept with its picture and shown by visits that begin after; those under way keep theirs', async () => {
  const [first, second] = [await uploaded('immagine'), await uploaded('immagine_2')];
  const before = await enter(server, evening);
  const saved = ok(await focus(first, { x: 0.25, y: 1 })).body;
  expect(saved.items.find((item: { id: string }) => item.id === first).fuoco).toEqual({ x: 0.25, y: 1 });
  ok(await focus(second, { x: 0, y: 0.5 }, 'immagine_2'));
  const after = await enter(server, evening);
  const shown = async (cookie: string, viaggio: number) => {
    const { stages, position } = await walkTo(server, cookie, 'destination', viaggio);
    return stages[position.step].fuoco;
  };
  expect([await shown(before, 1), await shown(after, 1)]).toEqual([null, { x: 0.25, y: 1 }]);
  expect([await shown(before, 2), await shown(after, 2)]).toEqual([null, { x: 0, y: 0.5 }]);
  ok(await focus(first, null));
  const [item] = (await asked('GET', '/admin/media/immagine')).body;
  expect(item.fuoco).toBeNull();
});

test.each([
  { x: -0.1, y: 0 },
  { x: 0, y: 1.01 },
  { x: 'a', y: 0 },
  { x: 0.5 },
  { x: 0.5, y: 0.5, z: 1 },
  [],
  'centro',
  undefined,
])('%j is no point', async (fuoco) => {
  const answer = await focus(await anyId(), fuoco);
  expect([answer.status, answer.body.codice]).toEqual([400, 'BAD_INPUT']);
});

const anyId = async () => (await asked('GET', '/admin/media/immagine')).body[0].id;

test('a picture that is not there, or in another list, is not found', async () => {
  for (const [id, slot] of [
    ['nessuna', 'immagine'],
    ['%00', 'immagine'],
    [await anyId(), 'immagine_2'],
  ] as const) {
    const answer = await focus(id, null, slot);
    expect([400, 404]).toContain(answer.status);
  }
  expect((await focus(await anyId(), null, 'video')).status).toBe(400);
});
