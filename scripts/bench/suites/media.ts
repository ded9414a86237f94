import { ranges } from '../harness/measures.ts';
import { startNginx } from '../harness/nginx.ts';
import { bothOnSqlite, inRounds } from '../harness/rounds.ts';
import { compare, type Suite } from '../harness/suite.ts';

/** The film, requested like players do. */
export const media: Suite = {
  name: 'media',
  heading: 'Media',
  description:
    'The floor: Node’s file stream; then nginx with sendfile and one process, where it is installed.',
  run: (bench) =>
    inRounds(bench, async (ends) => {
      const { table, sizes } = bench;
      const [product, floor] = await bothOnSqlite(ends);
      const measure = ranges(sizes.ranges, 16);
      await compare(table, measure, [product, floor]);
      const nginx = await startNginx(ends, floor.folder);
      if (nginx === null)
        table.notes.push('nginx is not installed here: the media were not measured beside it.');
      else await compare(table, { ...measure, title: `${measure.title}, beside nginx` }, [product, nginx]);
    }),
};
