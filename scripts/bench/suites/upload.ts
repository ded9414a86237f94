import { bothOnSqlite, inRounds } from '../harness/rounds.ts';
import { memoryOf, processorOf, type ServerUnderTest } from '../harness/servers.ts';
import { compare, type Figures, type Suite } from '../harness/suite.ts';
import { emptyLoad, sendBody, uploadFilm } from '../harness/upload.ts';

/** The upload of a large film. */
export const upload: Suite = {
  name: 'upload',
  heading: 'An upload',
  description:
    'Until the last byte is answered for; what is made of a film comes after that. The floor: Node’s streams into a file that is synced.',
  run: (bench) =>
    inRounds(bench, async (ends) => {
      const { table, sizes } = bench;
      const gigabytes = sizes.uploadBytes / 1e9;
      const title = `A film of ${gigabytes.toPrecision(2)} GB`;
      await compare(
        table,
        { title, measure: (to) => bring(to, sizes.uploadBytes) },
        await bothOnSqlite(ends),
      );
    }),
};

async function bring(to: ServerUnderTest, bytes: number): Promise<Figures> {
  const before = processorOf(to);
  const began = performance.now();
  const [url] = to.urls;
  const load = emptyLoad(bytes);
  if (to.evening === null) await sendBody(`${url}/upload`, load, { method: 'PUT', headers: {} });
  else await uploadFilm({ url, cookie: to.evening.admin }, load);
  const seconds = (performance.now() - began) / 1_000;
  return {
    'MB/s': bytes / 1e6 / seconds,
    'CPU s': (processorOf(to) - before) / 1e6,
    'most MB of memory': memoryOf(to, 'VmHWM'),
  };
}
