import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DISK_SPACE, MINUTE_MS } from '../../src/domain/limits.ts';
import type { Deps } from '../../src/server/deps.ts';
import { pictureHues } from '../../src/server/features/hues/hues.ts';
import { lightFilms } from '../../src/server/features/light/light.ts';
import { insertImage, insertVideo } from '../../src/server/features/media/library.repo.ts';
import { makeMissing } from '../../src/server/features/media/missing.ts';
import { buildRequested } from '../../src/server/features/plan-b/plan-b.maker.ts';
import { readPlanB, requestPlanB } from '../../src/server/features/plan-b/plan-b.ts';
import { checkFile, type EveningFile, type FileCheckResult } from '../../src/server/features/ready/checks.ts';
import { type MediaTask, Preempted, type TaskOutcome } from '../../src/server/media-worker/worker.ts';
import { createWakeup } from '../../src/server/work/timers.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { storeMedia } from '../support/rows.ts';
import { useServer } from '../support/suites.ts';
import { configure, enterOrThrow, makeCode } from '../support/visits.ts';

/** Background work: the number of attempts, and the work that has priority. */

describe('background work', () => {
  const server = useServer(sqliteDatabase, { empty: true });
  /** Tasks requested from the worker, and its response. */
  let tasks: MediaTask['task'][];
  let answer: (work: MediaTask) => Promise<TaskOutcome>;
  let deps: Deps;
  beforeEach(() => {
    tasks = [];
    answer = async () => {
      throw new Error('the machine fails');
    };
    const mediaWorker = {
      ...server.deps.mediaWorker,
      run: (work: MediaTask) => {
        tasks.push(work.task);
        return answer(work);
      },
    };
    deps = { ...server.deps, mediaWorker };
  });

  const going = () => new AbortController().signal;
  const film = (bytes = 4) =>
    storeMedia(deps, {
      nome: 'film.mp4',
      extension: 'mp4',
      content_type: 'video/mp4',
      content: Readable.from([Buffer.alloc(bytes, 1)]),
    });
  const busy = (): Deps => ({
    ...deps,
    uploads: { ...deps.uploads, jobs: { ...deps.uploads.jobs, isBusy: () => true } },
  });
  const withRoom = (bytes: number): Deps => ({
    ...deps,
    uploads: { ...deps.uploads, folder: { ...deps.uploads.folder, freeBytes: async () => bytes } },
  });
  const publishedCount = (topic: string) =>
    server.messages.filter(
      (message) => message.type === 'changed' && message.topics.some((each) => each === topic),
    ).length;

  describe('hues of a picture', () => {
    const picture = async (created_at: string) => {
      const { url } = await film();
      const id = randomUUID();
      const row = { id, nome: 'mare.jpg', url, tipo: 'image/jpeg', created_at, fuoco_x: null, fuoco_y: null };
      await deps.inTransaction((tx) => insertImage(tx, row));
      return id;
    };
    const huesOf = async (id: string) => {
      const pictures = deps.db.selectFrom('immagini_destinazione').select('hues').where('id', '=', id);
      return (await pictures.executeTakeFirstOrThrow()).hues;
    };

    test('delays no other picture if one fails, and stores none for a missing file or no picture', async () => {
      const failing = await picture('2027-02-14T19:00:01.000Z');
      const [no, missing] = [
        await picture('2027-02-14T19:00:00.000Z'),
        await picture('2027-02-14T18:00:00.000Z'),
      ];
      const url = `/api/media/${'9'.repeat(32)}.jpg`;
      await deps.db.updateTable('immagini_destinazione').set({ url }).where('id', '=', missing).execute();
      answer = async () => {
        if (tasks.length === 1) throw new Error('the machine fails');
        return { refused: 'unreadable' } as unknown as TaskOutcome;
      };
      await makeMissing(deps, pictureHues, going());
      expect([await huesOf(failing), await huesOf(no), await huesOf(missing)]).toEqual([null, '[]', '[]']);
    });

    test('waits while an upload is processed, and ends with the server', async () => {
      const id = await picture('2027-02-14T19:00:00.000Z');
      await makeMissing(busy(), pictureHues, going());
      await makeMissing(deps, pictureHues, AbortSignal.abort());
      expect(tasks).toEqual([]);
      // An attempt that was stopped is not a failed one.
      const failures = new Map<string, number>();
      const stopping = new AbortController();
      answer = async () => {
        stopping.abort();
        throw stopping.signal.reason;
      };
      await makeMissing(deps, pictureHues, stopping.signal, failures);
      expect([tasks.length, failures.size, await huesOf(id)]).toEqual([1, 0, null]);
    });
  });

  describe('light film', () => {
    const listed = async (created_at = '2027-02-14T19:00:00.000Z') => {
      const { url } = await film();
      const id = randomUUID();
      await deps.inTransaction((tx) =>
        insertVideo(tx, { id, nome: 'film', url, poster_url: null, created_at, seconds: 0.000_001 }),
      );
      return id;
    };
    const stateOf = async (id: string) =>
      (await deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
        .light_state;
    const failures = new Map<string, number>();
    beforeEach(() => failures.clear());

    test('is attempted five times if the machine fails, is then marked as failed, and attempted after a restart', async () => {
      const id = await listed();
      for (let round = 0; round < 4; round += 1) await makeMissing(deps, lightFilms, going(), failures);
      expect([tasks.length, await stateOf(id), publishedCount('config')]).toEqual([4, null, 0]);
      for (let round = 0; round < 3; round += 1) await makeMissing(deps, lightFilms, going(), failures);
      expect([tasks.length, await stateOf(id), publishedCount('config')]).toEqual([5, 'failed', 1]);
      await makeMissing(deps, lightFilms, going());
      expect(tasks).toHaveLength(6);
    });

    test('has not failed if it is preempted, and the next one waits, too', async () => {
      await listed('2027-02-14T19:00:00.000Z');
      await listed('2027-02-14T18:00:00.000Z');
      answer = async () => {
        throw new Preempted();
      };
      await makeMissing(deps, lightFilms, going(), failures);
      expect([tasks.length, failures.size]).toEqual([1, 0]);
    });

    test('is not started with less than twice the low disk space', async () => {
      await listed();
      await makeMissing(withRoom(2 * DISK_SPACE.low - 1), lightFilms, going(), failures);
      expect(tasks).toEqual([]);
      await makeMissing(withRoom(2 * DISK_SPACE.low), lightFilms, going(), failures);
      expect(tasks).toEqual(['light']);
    });

    test('is refused for a film without length, and not attempted for a missing file', async () => {
      const id = await listed();
      answer = async () => ({ refused: 'unreadable' }) as unknown as TaskOutcome;
      await deps.db.updateTable('videos').set({ seconds: null }).execute();
      await makeMissing(deps, lightFilms, going(), failures);
      expect([tasks, await stateOf(id)]).toEqual([['probe'], 'refused']);
      await deps.db
        .updateTable('videos')
        .set({ url: `/api/media/${'9'.repeat(32)}.mp4` })
        .execute();
      await makeMissing(deps, lightFilms, going(), failures);
      expect(tasks).toEqual(['probe']);
    });
  });

  describe('check of an evening’s file', () => {
    const HOUR = 60 * MINUTE_MS;
    let file: EveningFile;
    beforeEach(async () => {
      const { id } = await film();
      const media = deps.db.selectFrom('media').selectAll().where('id', '=', id);
      file = { id, role: 'video', media: await media.executeTakeFirstOrThrow() };
      answer = async () => ({ whole: true });
    });
    const check = (known: FileCheckResult | null, fresh = false) =>
      checkFile(deps, file, { known, fresh, signal: going() });

    test('decodes it again only after 23 hours, on request, or if it has changed', async () => {
      const whole = await check(null);
      expect([whole.state, tasks.length]).toEqual(['whole', 1]);
      server.clock.advance(23 * HOUR - 1);
      expect([await check(whole), tasks.length]).toEqual([whole, 1]);
      expect([(await check(whole, true)).state, tasks.length]).toEqual(['whole', 2]);
      await check({ ...whole, sha256: 'another' });
      await check({ ...whole, state: 'untried' });
      expect(tasks).toHaveLength(4);
      server.clock.advance(1);
      const again = await check(whole);
      expect([again.decoded_at, tasks.length]).toEqual([server.clock.now().toISOString(), 5]);
    });

    test('is repeated ten times if it is preempted; then the result is untried, not a fault', async () => {
      for (const [preemptions, state] of [
        [10, 'whole'],
        [11, 'untried'],
      ] as const) {
        tasks = [];
        answer = async () => {
          if (tasks.length <= preemptions) throw new Preempted();
          return { whole: true };
        };
        expect([(await check(null)).state, tasks.length]).toEqual([state, 11]);
      }
      answer = async () => {
        throw new Error('the machine fails');
      };
      expect([(await check(null)).state, tasks.length]).toEqual(['untried', 12]);
    });

    test('ends with its caller', async () => {
      const stopping = new AbortController();
      stopping.abort(new Error('enough'));
      const trying = checkFile(deps, file, { known: null, fresh: false, signal: stopping.signal });
      await expect(trying).rejects.toThrow('enough');
      expect(tasks).toEqual([]);
    });
  });

  describe('sealed evening', () => {
    const state = () => readPlanB({ ...server.ctx, ...deps });
    const want = () => {
      server.clock.advance(1);
      return requestPlanB({ ...server.ctx, ...deps });
    };
    beforeEach(async () => {
      const { url } = await film();
      await configure(server, { video_url: url, canzone_url: null });
      await makeCode(server, { giorni: null });
    });

    test('is created only with enough free space, reports if there is too little, and is attempted again on request', async () => {
      await want();
      await buildRequested(withRoom(DISK_SPACE.low), going());
      expect(await state()).toMatchObject({ failed: 'no_room', making: false, plan: null });
      await buildRequested(deps, going());
      expect(await state()).toMatchObject({ failed: 'no_room' });
      await want();
      expect(await state()).toMatchObject({ failed: null, making: true });
      await buildRequested(deps, going());
      expect(await state()).toMatchObject({ failed: null, making: false, plan: { current: true } });
      expect(await deps.db.selectFrom('plans_b').select('id').execute()).toHaveLength(1);
    });

    test('waits for an upload and for the end of an evening, and stays requested', async () => {
      await want();
      await buildRequested(busy(), going());
      const { token } = await makeCode(server);
      await enterOrThrow(server, token);
      await buildRequested(deps, going());
      expect(await state()).toMatchObject({ making: true, waits: true, failed: null, plan: null });
    });

    test('reports a file that can’t be read, and leaves the one before', async () => {
      await want();
      await buildRequested(deps, going());
      const { plan } = await state();
      const storage = {
        ...deps.storage,
        read: async () => {
          throw new Error('the disk fails');
        },
      };
      await want();
      await buildRequested({ ...deps, storage }, going());
      expect(await state()).toMatchObject({ failed: 'failed', plan });
      expect(publishedCount('plan_b')).toBeGreaterThanOrEqual(4);
    });

    test('is not created from more than 256 MB, or for 33 valid codes', async () => {
      const size = (bytes: number) =>
        deps.db.updateTable('media').set({ size: bytes }).where('nome', '=', 'film.mp4').execute();
      await size(256 * 1024 ** 2 + 1);
      expect(await want()).toMatchObject({ hindrance: 'too_large', making: false });
      await size(256 * 1024 ** 2);
      expect(await state()).toMatchObject({ hindrance: null });
      for (let n = 0; n < 31; n += 1) await makeCode(server, { giorni: null });
      expect(await state()).toMatchObject({ hindrance: null });
      await makeCode(server, { giorni: 1 });
      expect(await state()).toMatchObject({ hindrance: 'many_codes' });
      server.clock.advance(24 * 60 * MINUTE_MS);
      expect(await state()).toMatchObject({ hindrance: null });
    });
  });
});

test('sleeps its full time, or until the shortest delay of a wake-up before or during it, once', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { sleep, wake } = createWakeup();
  /** Returns the duration of a sleep that begins now, in ms. */
  const slept = async (sleeping: Promise<void>) => {
    const began = Date.now();
    const ended = sleeping.then(() => Date.now() - began);
    await vi.runAllTimersAsync();
    return ended;
  };
  expect(await slept(sleep(2_000))).toBe(2_000);
  const sleeping = sleep(2_000);
  wake(100);
  await vi.advanceTimersByTimeAsync(60);
  wake(100);
  expect(await slept(sleeping)).toBe(40);
  for (const delay of [300, 100, 200]) wake(delay);
  expect(await slept(sleep(2_000))).toBe(100);
  expect(await slept(sleep(2_000))).toBe(2_000);
  wake(5_000);
  expect(await slept(sleep(2_000))).toBe(2_000);
});
