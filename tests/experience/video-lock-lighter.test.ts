import { describe, expect, it } from 'vitest';
import { FakeFilm, playingFilm } from './support/fake-film.ts';

/** A full film that plays, with a light one beside it. */
function heavyFilm(rate = 1): FakeFilm {
  const film = playingFilm(0, rate);
  film.lighter = true;
  return film;
}

/** Nothing more comes until it stands still; then it comes again, unless `stays`. */
function stall(film: FakeFilm, stays = false): void {
  film.arrived = film.position;
  film.pass(2_000);
  if (stays) return;
  film.arrived = null;
  film.pass(1_000);
}

describe('a film that stands still', () => {
  it('the first time goes on as it is', () => {
    const film = heavyFilm();
    stall(film);
    expect([film.phase, film.lightened, film.loads]).toEqual(['playing', [], []]);
  });

  it('the second time goes on as the light one, at the same second and speed, and ends once', () => {
    const film = heavyFilm(1.5);
    stall(film);
    stall(film, true);
    const place = film.state.lastGood;
    expect([film.lightened.length, film.loads.length]).toEqual([1, 1]);
    film.arrived = null;
    film.pass(1_000);
    expect([film.phase, film.seeks, film.rate]).toEqual(['playing', [place], 1.5]);
    film.pass(30_000);
    expect([film.told, film.lightened.length]).toEqual([['ended'], 1]);
  });

  it('for ever is never changed again', () => {
    const film = heavyFilm();
    for (let count = 0; count < 4; count += 1) stall(film);
    expect([film.lightened.length, film.loads.length, film.phase]).toEqual([1, 1, 'playing']);
  });

  it('and has no light one beside it goes on as it is', () => {
    const film = playingFilm();
    for (let count = 0; count < 4; count += 1) stall(film);
    expect([film.loads, film.phase]).toEqual([[], 'playing']);
  });

  it('because its connection broke is counted as well', () => {
    const film = heavyFilm();
    for (let count = 0; count < 2; count += 1) {
      film.fail();
      expect(film.phase).toBe('stalled');
      film.pass(6_000);
    }
    expect([film.lightened.length, film.phase]).toEqual([1, 'playing']);
  });
});

describe('what is no stall', () => {
  it('is a pause of the phone, and the time it takes to come back', () => {
    const film = heavyFilm();
    for (let count = 0; count < 4; count += 1) {
      film.setHidden(true);
      film.pass(5_000);
      film.arrived = film.position;
      film.setHidden(false);
      film.pass(2_500);
      film.arrived = null;
      film.pass(500);
    }
    expect([film.lightened, film.phase]).toEqual([[], 'playing']);
  });

  it('is the wait after the start tap', () => {
    const film = new FakeFilm();
    film.lighter = true;
    film.arrived = 0;
    film.send({ type: 'start' });
    film.pass(2_000);
    expect(film.phase).toBe('stalled');
    film.arrived = null;
    film.pass(1_000);
    stall(film);
    expect(film.lightened).toEqual([]);
    stall(film);
    expect(film.lightened.length).toBe(1);
  });
});

describe('the light film', () => {
  it('that doesn’t come either ends in «Riprova», not in a circle', () => {
    const film = heavyFilm();
    stall(film);
    film.served = Number.NaN;
    stall(film, true);
    film.arrived = null;
    film.pass(90_000);
    expect([film.phase, film.lightened.length]).toEqual(['failed', 1]);
    film.served = Number.POSITIVE_INFINITY;
    film.send({ type: 'retry' });
    film.pass(2_000);
    expect([film.phase, film.lightened.length]).toEqual(['playing', 1]);
  });

  it('has a whole minute of its own, whatever was tried before', () => {
    const film = heavyFilm();
    stall(film);
    film.served = Number.NaN;
    stall(film, true);
    film.arrived = null;
    film.pass(55_000);
    expect(film.phase).toBe('stalled');
  });

  it('is held as its film was: no jump, no pause', () => {
    const film = heavyFilm();
    stall(film);
    stall(film, true);
    film.arrived = null;
    film.pass(1_000);
    const place = film.position;
    film.seekFromOutside(15);
    film.pass(500);
    expect(film.position).toBeLessThan(place + 1);
    film.pauseFromOutside();
    film.pass(500);
    expect(film.paused).toBe(false);
  });
});
