import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { DISK_ROOM } from '../../src/domain/limits.ts';
import { beginArrived } from '../../src/server/features/uploads/arrivals.ts';
import { listArrived } from '../../src/server/features/uploads/finish.service.ts';
import { newUploadId } from '../../src/server/features/uploads/upload-folder.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import type { Answered } from '../support/http.ts';
import { useSignedUp } from '../support/suites.ts';
import { announce, cancel, idOf, offsetOf, send } from '../support/uploads.ts';

/** Which upload may come, and in which order those that are there are worked on, by the room on the disk. */

const MINUTE = 60_000;
const { server, to } = useSignedUp();
afterEach(() => vi.restoreAllMocks());

const code = ({ status, body }: Answered) => (status < 400 ? status : body.codice);
const announced = (size: number) => announce(to, size, { slot: 'video', filename: 'film.mp4' });
const freeBytes = (bytes: number) => vi.spyOn(server.deps.uploads.folder, 'room').mockResolvedValue(bytes);
const touch = async (id: string, ago: number) => {
  const then = new Date(Date.now() - ago);
  await utimes(join(server.deps.env.DATA_DIR, 'uploads', id), then, then);
};

test('an upload must find room three times over, beside what is still to come of the others', async () => {
  const id = idOf(await announced(1_000));
  await send(to, id, 0, Buffer.alloc(400));
  const room = 3 * 5_000 + 600 + DISK_ROOM.low;
  freeBytes(room - 1);
  expect(code(await announced(5_000))).toBe('STORAGE_FULL');
  freeBytes(room);
  await cancel(to, idOf(await announced(5_000)));
  await cancel(to, id);
});

test('of ten unfinished ones the one gives way that was idle longest, ten minutes at least', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1) ids.push(idOf(await announced(100)));
  const [longest = '', long = '', notYet = ''] = ids.slice(4);
  await touch(notYet, 9.5 * MINUTE);
  expect(code(await announced(100))).toBe('UPLOADS_BUSY');
  await touch(longest, 12 * MINUTE);
  await touch(long, 10.5 * MINUTE);
  ids.push(idOf(await announced(100)));
  expect([await offsetOf(to, longest), await offsetOf(to, long)]).toEqual([null, 0]);
  for (const id of ids) await cancel(to, id);
});

test('the longest name and slot that are taken, and a sign more', async () => {
  const spent = (signs: number) =>
    announce(to, 100, { slot: 'video', filename: 'a', note: 'x'.repeat(signs) });
  // `slot dmlkZW8=,filename YQ==,note …`: base64 takes four signs for three.
  const rest = 4_096 - 'slot dmlkZW8=,filename YQ==,note '.length;
  const most = Math.floor(rest / 4) * 3;
  await cancel(to, idOf(await spent(most)));
  expect(code(await spent(most + 1))).toBe('BAD_INPUT');
});

test('those that are whole are begun oldest first: none that is refused, that failed, that is at work or finds no room', async () => {
  const { deps, actor, close } = await openTestServer(sqliteDatabase);
  const { folder, jobs } = deps.uploads;
  const pathOf = (id: string) => join(deps.env.DATA_DIR, 'uploads', id);
  const put = async (name: string, minutes: number, { size = 100, whole = true } = {}) => {
    const id = newUploadId();
    const said = { id, size, offset: 0, metadata: { slot: 'biglietti', filename: name } };
    await writeFile(pathOf(id), Buffer.alloc(whole ? size : size - 1));
    await writeFile(`${pathOf(id)}.json`, JSON.stringify(said));
    const then = new Date(Date.now() - minutes * MINUTE);
    for (const path of [pathOf(id), `${pathOf(id)}.json`]) await utimes(path, then, then);
    return id;
  };
  const young = await put('young.pdf', 1);
  const old = await put('old.pdf', 3);
  const [refused, failed] = [await put('refused.pdf', 2.9), await put('failed.pdf', 2.8)];
  const atWork = await put('at-work.pdf', 2.7);
  const large = await put('large.pdf', 2.6, { size: 10_000 });
  const tried = await put('tried.pdf', 2.5);
  await put('half.pdf', 2, { whole: false });
  await writeFile(
    `${pathOf(refused)}.refused`,
    JSON.stringify({ codice: 'FILE_BROKEN', slot: 'biglietti', filename: 'refused.pdf', size: 100 }),
  );
  await jobs.of(failed, () => Promise.reject(new Error('odd'))).end.catch(() => undefined);
  const working = Promise.withResolvers<{ kept: true }>();
  jobs.of(atWork, () => working.promise);
  const room = DISK_ROOM.low + 2 * 100;
  jobs.tooLittle.set(tried, room);
  vi.spyOn(folder, 'room').mockResolvedValue(room);
  const begun: string[] = [];
  vi.spyOn(jobs, 'of').mockImplementation((id) => {
    begun.push(id);
    return {} as ReturnType<typeof jobs.of>;
  });
  await beginArrived(deps);
  expect(begun).toEqual([old, young]);
  vi.mocked(folder.room).mockResolvedValue(room - 1);
  await beginArrived(deps);
  expect(begun).toHaveLength(2);
  vi.mocked(folder.room).mockResolvedValue(DISK_ROOM.low + 2 * 10_000);
  await beginArrived(deps);
  expect(new Set(begun.slice(2))).toEqual(new Set([old, young, large, tried]));

  const listed = await listArrived(deps, actor);
  expect(listed.map(({ nome, state }) => `${nome} ${state}`)).toEqual([
    'old.pdf working',
    'refused.pdf refused',
    'failed.pdf stopped',
    'at-work.pdf working',
    'large.pdf working',
    'tried.pdf working',
    'young.pdf working',
  ]);
  working.resolve({ kept: true });
  await close();
});
