import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ffmpeg } from '../../../tests/support/ffmpeg.ts';
import { call } from '../../../tests/support/http.ts';
import { ok } from '../../../tests/support/http-evening.ts';
import { ranges, visits } from '../harness/measures.ts';
import { inRounds } from '../harness/rounds.ts';
import { prepareHome, type ServerUnderTest, startProduct, startSqliteBaseline } from '../harness/servers.ts';
import { type Cleanup, compare, type Suite } from '../harness/suite.ts';
import { fileLoad, uploadFilm } from '../harness/upload.ts';

/** Length of the film in seconds: its conversion outlasts the rounds on any machine. */
const SECONDS = 1_200;

/** A visitor during the conversion of a film. */
export const converting: Suite = {
  name: 'converting',
  heading: 'A visitor beside a film being converted',
  description:
    'One film of 1080p that is made anew during all the rounds. The floor: one stored row, Node’s file stream, beside the same film.',
  run: async (bench) => {
    const { table, sizes, ends } = bench;
    const product = await startProduct(ends, await prepareHome(ends));
    const floor = await startSqliteBaseline(ends);
    const id = await beginWork(product, await heavyFilm(floor.folder));
    await inRounds({ ...bench, ends: noEnds }, async () => {
      for (const measure of [...visits(sizes.requests / 4, 1), ranges(sizes.ranges / 4, 1)])
        await compare(table, measure, [product, floor]);
    });
    if ((await workOn(product, id)).state !== 'working')
      throw new Error('the film was ready before everything was measured');
  },
};

const noEnds: Cleanup = { push: () => undefined };

/** Creates a film in a format that phones do not play. */
async function heavyFilm(folder: string): Promise<string> {
  const [piece, film] = [join(folder, 'piece.mp4'), join(folder, 'heavy.mp4')];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30', '-t', '5'];
  await ffmpeg(...picture, '-c:v', 'mpeg4', '-b:v', '4M', piece);
  await ffmpeg('-stream_loop', String(SECONDS / 5 - 1), '-i', piece, '-c', 'copy', film);
  return film;
}

/** Uploads the film; resolves when its conversion is running. */
async function beginWork(product: ServerUnderTest, film: string): Promise<string> {
  const to = { url: product.urls[0], cookie: product.evening?.admin ?? '' };
  const id = await uploadFilm(to, await fileLoad(film));
  for (;;) {
    const work = await workOn(product, id);
    if (work.state !== 'working') throw new Error(`the film was not converted: ${JSON.stringify(work)}`);
    if (!work.waiting && work.progress > 0) return id;
    await delay(200);
  }
}

async function workOn({ urls, evening }: ServerUnderTest, id: string) {
  const cookie = evening?.admin ?? '';
  return ok(await call(urls[0], 'POST', `/admin/uploads/${id}/finish`, {}, { cookie })).body;
}
