import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Work } from '../../src/server/media-worker/door.ts';
import { createMediaWorker, type MediaWorker } from '../../src/server/media-worker/worker.ts';
import { complaintsOn } from '../support/ffmpeg.ts';
import { quiet } from '../support/media-work.ts';
import { mutated } from '../support/mutations.ts';
import { createRandom, type Random } from '../support/random.ts';
import { type MediaKind, type SmallFile, smallMedia } from '../support/small-media.ts';

/** Good files of every kind with something wrong in them, for which a small machine has half an hour. */

const SHARES: Record<MediaKind, number> = { film: 9_000, song: 5_000, picture: 4_000, tickets: 2_000 };
const SCALE = Number(process.env.MUTATED_SHARE ?? 1);
const AT_ONCE = 2;
/** Of what is made every so many is decoded to its end by somebody else. */
const LOOKED_AT = 20;
/** The sources are of one second. What is so much longer (seconds) was told a wrong time, and nothing in it proves that. */
const MOST_SECONDS = 60;
/** Of what is made at most this share may be doubtful: longer than that, or not decoded by others without a complaint. */
const MOST_DOUBTFUL = 0.01;

let folder: string;
let sources: SmallFile[];
let workers: MediaWorker[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mutated-'));
  sources = await smallMedia(folder);
  const log = pino({ level: 'silent' });
  workers = Array.from({ length: AT_ONCE }, () => createMediaWorker({ log, stalledMs: 10_000 }));
}, 120_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await rm(folder, { recursive: true, force: true });
});

const WORKS: Record<MediaKind, (path: string, made: string) => Work> = {
  film: (path, made) => ({ what: 'film', path, made }),
  song: (path, made) => ({ what: 'song', path, made }),
  picture: (path, made) => ({ what: 'picture', path, made, use: 'shown' }),
  tickets: (path) => ({ what: 'tickets', path }),
};

/** How each ended: `made`, a problem, or an error of ours. */
type Ends = Map<string, number>;
const count = (ends: Ends, end: string) => ends.set(end, (ends.get(end) ?? 0) + 1);

function mutants(kind: MediaKind, random: Random) {
  const own = sources.filter((source) => source.kind === kind);
  return Array.from({ length: Math.round(SHARES[kind] * SCALE) }, (_, n) => {
    const { name, bytes } = random.pick(own);
    const { what, ...changed } = mutated(bytes, random, random.pick(own).bytes);
    return { ...changed, what: `${n}: ${name}, ${what}` };
  });
}

test.each<MediaKind>(['film', 'song', 'picture', 'tickets'])(
  'whatever is wrong with a file (%s), it is kept or refused, and the next one is worked on',
  { timeout: 45 * 60_000 },
  async (kind) => {
    const waiting = mutants(kind, createRandom(`mutated files: ${kind}`)).toReversed();
    const ends: Ends = new Map();
    const errors: string[] = [];
    const doubtful: string[] = [];
    const begun = performance.now();
    const workOn = async (worker: MediaWorker, place: number) => {
      const [path, made] = [join(folder, `file-${place}`), join(folder, `made-${place}`)];
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        await writeFile(path, one.bytes);
        const outcome = await worker.do(WORKS[kind](path, made), quiet()).catch(String);
        if (typeof outcome === 'string') errors.push(`${one.what}: ${outcome}`);
        const end = typeof outcome === 'string' ? 'error' : 'refused' in outcome ? outcome.refused : 'made';
        count(ends, end);
        if (!(typeof outcome !== 'string' && 'made' in outcome)) continue;
        if (outcome.made.duration > MOST_SECONDS) doubtful.push(`${one.what}: ${outcome.made.duration} s`);
        if (waiting.length % LOOKED_AT > 0) continue;
        // What FFmpeg can't even open is told by its error.
        const complaints = await complaintsOn(made).catch(String);
        if (complaints !== '') doubtful.push(`${one.what}: ${complaints}`);
      }
    };
    await Promise.all(workers.map(workOn));
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(`${kind} in ${seconds} s:`, Object.fromEntries(ends));
    console.log('doubtful:', doubtful);
    expect(errors).toEqual([]);
    expect(doubtful.length).toBeLessThanOrEqual(MOST_DOUBTFUL * (ends.get('made') ?? 0));
  },
);

test('nothing is left behind but what was put there', async () => {
  const ours = /^(file|made)-\d$/;
  const names = new Set(sources.map(({ name }) => name));
  expect((await readdir(folder)).filter((name) => !ours.test(name) && !names.has(name))).toEqual([]);
});
