import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ffmpeg } from './ffmpeg.ts';
import { type Row, SOURCES } from './film-table.ts';

/** The films of the table, each made once when it is asked for, in a folder that goes with the tests of this file. */
export function useFilms() {
  let folder: string;
  const films = new Map<string, Promise<string>>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'films-'));
    await writeFile(join(folder, 'WORDS'), '1\n00:00:00,000 --> 00:00:01,000\nCiao\n');
    await writeFile(
      join(folder, 'CHAPTERS'),
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Uno\n',
    );
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function filmOf({ name, from = SOURCES, args }: Row): Promise<string> {
    const path = join(folder, name);
    const sources = from.map((each) => (each === 'WORDS' || each === 'CHAPTERS' ? join(folder, each) : each));
    const known = films.get(name) ?? ffmpeg(...sources, ...args, path).then(() => path);
    films.set(name, known);
    return known;
  }
  return { folder: () => folder, filmOf };
}
