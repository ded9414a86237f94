import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_REFUSALS } from '../../src/contract/admin/media.ts';
import type { MediaTask } from '../../src/server/media-worker/door.ts';
import { createMediaWorker, type MediaWorker } from '../../src/server/media-worker/worker.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { complaintsOn } from '../support/ffmpeg.ts';
import { goodFiles, HOSTILE } from '../support/files.ts';
import {
  FILMS_OF_EVERY_WAY,
  OTHER_FILMS,
  OTHER_SONGS,
  SONGS_OF_EVERY_WAY,
  songOf,
  useFilms,
} from '../support/films.ts';
import { quiet } from '../support/media-work.ts';
import { mutated } from '../support/mutations.ts';
import { createRandom, SOAK_MS } from '../support/random.ts';
import { storeMedia } from '../support/rows.ts';
import { useSignedUp } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

type MediaKind = 'film' | 'song' | 'picture' | 'tickets';

describe('damaged file', () => {
  const CONCURRENCY = 2;
  /** One of this many results is also decoded completely by another program. */
  const SAMPLE_INTERVAL = 20;
  /**
   * Longest duration that isn't doubtful, in seconds. The sources have two at most; a much longer result has a wrong timestamp that
   * nothing in the file disproves.
   */
  const MAX_SECONDS = 60;
  /** Maximum share of doubtful results: too long, or with complaints of the other program. */
  const MAX_DOUBTFUL_SHARE = 0.01;

  const WORKS: Record<MediaKind, (path: string, made: string) => MediaTask> = {
    film: (path, made) => ({ task: 'film', path, output: made }),
    song: (path, made) => ({ task: 'song', path, output: made }),
    picture: (path, made) => ({ task: 'picture', path, output: made, use: 'shown' }),
    tickets: (path) => ({ task: 'tickets', path }),
  };
  const KINDS = Object.keys(WORKS) as MediaKind[];

  const { folder, filmOf } = useFilms();
  const sources: { name: string; kind: MediaKind; bytes: Buffer }[] = [];
  let workers: MediaWorker[];
  beforeAll(async () => {
    const keep = async (kind: MediaKind, name: string, bytes: Promise<Buffer>) =>
      void sources.push({ name, kind, bytes: await bytes });
    for (const row of [...FILMS_OF_EVERY_WAY, ...OTHER_FILMS].filter(({ size }) => size[0] <= 352))
      await keep('film', row.name, readFile(await filmOf({ ...row, args: `${row.args} -t 1` })));
    for (const row of [...SONGS_OF_EVERY_WAY, ...OTHER_SONGS])
      await keep('song', row.name, readFile(await songOf(row, folder())));
    for (const [kind, files] of Object.entries(goodFiles()))
      for (const [name, bytes] of Object.entries(files)) await keep(kind as MediaKind, name, bytes);
    const log = pino({ level: 'silent' });
    workers = Array.from({ length: CONCURRENCY }, () => createMediaWorker({ log, stalledMs: 10_000 }));
  });
  afterAll(() => Promise.all(workers.map((worker) => worker.close())));

  test.each(KINDS)(
    'is stored or refused (%s), and the worker continues with the next one',
    { timeout: 180_000 + SOAK_MS },
    async (kind) => {
      const random = createRandom(`fuzz: ${kind}`);
      const own = sources.filter((source) => source.kind === kind);
      const ends: Record<string, number> = {};
      const [errors, doubtful]: [string[], string[]] = [[], []];
      let count = 0;
      const until = Date.now() + SOAK_MS / KINDS.length;
      const workOn = async (worker: MediaWorker, place: number) => {
        const [path, made] = [join(folder(), `file-${place}`), join(folder(), `made-${place}`)];
        while (Date.now() < until) {
          const { name, bytes } = random.pick(own);
          const { what, bytes: changed } = mutated(bytes, random, random.pick(own).bytes);
          const it = `${(count += 1)}: ${name}, ${what}`;
          await writeFile(path, changed);
          const result = await worker.run(WORKS[kind](path, made), quiet()).catch(String);
          const end = typeof result === 'string' ? 'error' : 'refused' in result ? result.refused : 'made';
          ends[end] = (ends[end] ?? 0) + 1;
          if (typeof result === 'string') errors.push(`${it}: ${result}`);
          else if ('output' in result) {
            if (result.output.duration > MAX_SECONDS) doubtful.push(`${it}: ${result.output.duration} s`);
            // If the other program can't open the file at all, its error counts.
            const complaints =
              ends[end] % SAMPLE_INTERVAL === 1 ? await complaintsOn(made).catch(String) : '';
            if (complaints !== '') doubtful.push(`${it}: ${complaints}`);
          }
        }
      };
      await Promise.all(workers.map(workOn));
      console.log(`${kind}:`, ends, 'doubtful:', doubtful);
      expect(errors).toEqual([]);
      expect(doubtful.length).toBeLessThanOrEqual(1 + MAX_DOUBTFUL_SHARE * (ends.made ?? 0));
    },
  );
});

describe('hostile file', () => {
  const { server, to } = useSignedUp();
  const NAMES: Record<string, string> = {
    immagine: 'foto.jpg',
    biglietti: 'biglietti.pdf',
    canzone: 'canzone.mp3',
    video: 'film.mp4',
  };

  /** Returns the stored files without the pages of tickets, which are drawn later. */
  const rows = () =>
    server.deps.db.selectFrom('media').select('id').where('nome', 'not like', 'biglietti-page-%').execute();

  test.each(HOSTILE)('is treated by its bytes, not by its name: $name ($slot) → $fate', async (file) => {
    const before = await rows();
    const answer = await upload(to, file.slot, await file.make(), { filename: NAMES[file.slot] ?? 'x' });
    const refusal = FILE_REFUSALS.find((code) => code === file.fate);
    if (refusal === undefined) {
      expect(answer.body?.item?.content_type).toBe(file.fate);
      await expectHarmless(answer.body.item.url, file.fate);
    } else {
      const { codice, messaggio } = answer.body ?? {};
      expect([answer.status, codice, messaggio]).toEqual([422, refusal, errorSentences[refusal]]);
      expect(await rows()).toEqual(before);
    }
  });

  /** Expects that a file is served with its real type, and that a converted one contains nothing foreign. */
  async function expectHarmless(url: string, type: string): Promise<void> {
    const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    if (type !== 'application/pdf') expect(policy).toContain('sandbox');
    if (type.startsWith('image/'))
      expect(bytes.includes('<script>') || bytes.includes('PK\x03\x04')).toBe(false);
  }

  test('leaves no other files and no errors in the log', async () => {
    // Tickets may still be drawn.
    await expect
      .poll(async () => {
        const left = await readdir(join(server.deps.env.DATA_DIR, 'uploads'));
        return left.filter((name) => !name.endsWith('.refused'));
      })
      .toEqual([]);
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
    const known = new Set(
      (await server.deps.db.selectFrom('media').select('id').execute()).map(({ id }) => id),
    );
    for await (const key of server.deps.storage.keys()) expect(known).toContain(key.split('.')[0]);
  });

  test('is not served as a page, even if its row has that type', async () => {
    const content = Readable.from([Buffer.from('<script>alert(1)</script>')]);
    const file = { nome: 'pagina.html', content, content_type: 'text/html', extension: 'html' };
    const { url } = await storeMedia(server.deps, file);
    const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
  });
});
