import { test } from 'vitest';
import { expectFilm } from '../support/film-checks.ts';
import { OTHER_FILMS } from '../support/film-table.ts';
import { useFilms } from '../support/films.ts';
import { withWorker } from '../support/media-work.ts';
import { expectSong, OTHER_SONGS } from '../support/song-table.ts';

/** The films and songs of the tables that `npm test` leaves out. */

const { folder, filmOf } = useFilms();
const carryOut = withWorker();

test.each(OTHER_FILMS)('$name becomes a film for every phone', async (row) => {
  await expectFilm(carryOut, row, await filmOf(row));
});

test.each(OTHER_SONGS)('$name becomes a song for every phone', (row) => expectSong(carryOut, row, folder()));
