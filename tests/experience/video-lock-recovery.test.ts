import { describe, expect, it } from 'vitest';
import { FakeFilm, playingFilm } from './support/fake-film.ts';

/** The waits between loads, in seconds. */
function gaps(film: FakeFilm): number[] {
  return film.loads.slice(1).map((at, index) => Math.round((at - (film.loads[index] ?? 0)) / 1_000));
}

describe('a film that stands still without a word', () => {
  it('shows the spinner at 1.5 s, is kicked at 8 s, loaded again at 12 s', () => {
    const film = playingFilm();
    film.served = film.position;
    film.pass(1_000);
    expect(film.phase).toBe('playing');
    film.pass(1_500);
    expect(film.phase).toBe('stalled');
    film.pass(5_000);
    expect([film.plays.length, film.loads.length]).toEqual([1, 0]);
    film.pass(1_500);
    expect([film.plays.length, film.loads.length]).toEqual([2, 0]);
    film.pass(4_000);
    expect(film.loads.length).toBe(1);
  });

  it('is kicked by the look that finds it still for 8 s, not by the next one', () => {
    const film = playingFilm();
    film.served = film.position;
    for (let slices = 0; film.plays.length < 2 && slices < 400; slices += 1) film.pass(50);
    expect(film.now - film.state.advancedAt).toBe(8_000);
  });

  it('moves again only when it moves: an event that says so is not enough', () => {
    const film = playingFilm();
    film.served = film.position;
    film.pass(2_500);
    film.send({ type: 'playing' });
    film.send({ type: 'timeupdate' });
    expect(film.phase).toBe('stalled');
  });

  it('goes on at the same place, at the saved speed, with no help', () => {
    const film = playingFilm(0, 1.5);
    film.served = film.position;
    film.pass(10_000);
    const place = film.state.lastGood;
    film.served = Number.POSITIVE_INFINITY;
    film.arrived = film.position;
    film.pass(3_000);
    film.arrived = null;
    expect(film.loads.length).toBe(1);
    film.pass(1_500);
    expect([film.phase, film.rate, film.seeks.at(-1)]).toEqual(['playing', 1.5, place]);
    film.pass(30_000);
    expect(film.told).toEqual(['ended']);
  });

  it('is not loaded again while its buffer still grows', () => {
    const film = playingFilm();
    film.arrived = film.position;
    film.pass(2_000);
    film.starved = true;
    for (let count = 0; count < 20; count += 1) {
      film.arrived += 0.05;
      film.pass(1_000);
    }
    expect([film.loads, film.phase]).toEqual([[], 'stalled']);
  });

  it('after the connection was away is loaded again at 3 s', () => {
    const film = playingFilm();
    film.setOnline(false);
    film.setOnline(true);
    film.served = film.position;
    film.pass(4_000);
    expect(film.loads.length).toBe(1);
  });
});

describe('a connection that comes back', () => {
  it('loads a film that stands still again at once', () => {
    const film = playingFilm();
    film.served = film.position;
    film.pass(2_500);
    expect([film.phase, film.loads]).toEqual(['stalled', []]);
    film.setOnline(true);
    expect(film.loads).toEqual([film.now]);
  });

  it('leaves a film that plays alone', () => {
    const film = playingFilm();
    film.setOnline(true);
    film.pass(1_000);
    expect([film.phase, film.loads]).toEqual(['playing', []]);
  });
});

describe('a film whose source fails', () => {
  it('is loaded again after 1-2-4-8-8 s, for a minute, then «Riprova», then the error', () => {
    const film = playingFilm();
    film.pass(2_000);
    const place = film.state.lastGood;
    film.served = Number.NaN;
    film.fail();
    expect(film.phase).toBe('stalled');
    film.pass(59_000);
    expect([film.phase, film.told]).toEqual(['stalled', []]);
    expect(gaps(film).slice(0, 5)).toEqual([2, 4, 8, 8, 8]);
    film.pass(15_000);
    expect([film.phase, film.told]).toEqual(['failed', []]);
    const tries = film.loads.length;
    film.pass(60_000);
    expect(film.loads.length).toBe(tries);
    film.send({ type: 'retry' });
    expect([film.phase, film.loads.length]).toEqual(['stalled', tries + 1]);
    film.pass(25_000);
    expect([film.phase, film.told]).toEqual(['failed', ['gaveUp']]);
    expect(film.state.lastGood).toBe(place);
  });

  it('has its last chance by her own «Riprova» alone: a connection that comes and goes takes none', () => {
    const film = playingFilm();
    film.served = Number.NaN;
    film.fail();
    film.pass(75_000);
    expect(film.phase).toBe('failed');
    film.setOnline(true);
    expect(film.phase).toBe('stalled');
    film.pass(75_000);
    expect([film.phase, film.told]).toEqual(['failed', []]);
    film.send({ type: 'retry' });
    film.pass(25_000);
    expect(film.told).toEqual(['gaveUp']);
  });

  it('and never moved is told as one that can’t start, with «Riprova»', () => {
    const film = new FakeFilm();
    film.served = Number.NaN;
    film.duration = Number.NaN;
    film.send({ type: 'start' });
    film.fail();
    film.send({ type: 'refused', name: 'NotSupportedError' });
    film.pass(50_000);
    expect(film.told).toEqual([]);
    film.pass(25_000);
    expect([film.phase, film.told]).toEqual(['failed', ['cannotStart']]);
  });

  it('is tried for ever while offline, and at once when the connection is back', () => {
    const film = playingFilm();
    film.pass(2_000);
    const place = film.state.lastGood;
    film.setOnline(false);
    film.fail();
    film.pass(300_000);
    expect(film.phase).toBe('stalled');
    expect(gaps(film).every((gap) => gap <= 9)).toBe(true);
    const tries = film.loads.length;
    film.setOnline(true);
    expect(film.loads.length).toBe(tries + 1);
    film.pass(1_500);
    expect(film.phase).toBe('playing');
    expect(Math.abs(film.position - place)).toBeLessThan(1.5);
  });

  it('comes back from «Riprova» by a tap, inside it', () => {
    const film = playingFilm();
    film.served = Number.NaN;
    film.fail();
    film.pass(90_000);
    film.served = Number.POSITIVE_INFINITY;
    const plays = film.plays.length;
    film.send({ type: 'retry' });
    expect(film.plays.length).toBe(plays + 1);
    film.pass(30_000);
    expect(film.told).toEqual(['ended']);
  });

  it('comes back from «Riprova» by itself when the connection does', () => {
    const film = playingFilm();
    film.served = Number.NaN;
    film.fail();
    film.pass(90_000);
    expect(film.phase).toBe('failed');
    film.served = Number.POSITIVE_INFINITY;
    film.setOnline(true);
    film.pass(1_500);
    expect(film.phase).toBe('playing');
  });

  it('again while the next load is waited for is waited for no longer', () => {
    const film = playingFilm();
    film.served = Number.NaN;
    film.fail();
    film.pass(900);
    film.fail();
    film.pass(200);
    expect(film.loads).toHaveLength(1);
  });

  it('once it has ended or was given up is left alone', () => {
    const seen = playingFilm();
    seen.pass(30_000);
    seen.fail();
    expect([seen.phase, seen.told]).toEqual(['ended', ['ended']]);
    const lost = playingFilm();
    lost.served = Number.NaN;
    lost.fail();
    lost.pass(90_000);
    lost.fail();
    expect(lost.phase).toBe('failed');
  });

  it('again after the connection is back is waited for as at first', () => {
    const film = playingFilm();
    film.setOnline(false);
    film.fail();
    film.pass(30_000);
    film.served = Number.NaN;
    film.setOnline(true);
    film.pass(8_000);
    expect(gaps(film).slice(-2)).toEqual([2, 4]);
  });

  it('is past its trouble when it has played for 2 s beyond it', () => {
    const film = playingFilm();
    film.pass(2_000);
    const place = film.state.lastGood;
    film.fail();
    while (film.position < place + 1.9) film.pass(50);
    film.send({ type: 'tick' });
    expect(film.state.trouble).not.toBeNull();
    film.pass(800);
    expect(film.state.trouble).toBeNull();
  });

  it('at the same spot again and again ends in «Riprova», not in a circle', () => {
    const film = playingFilm();
    for (let count = 0; count < 2_000 && film.phase !== 'failed'; count += 1) {
      film.pass(100);
      if (film.position >= 4.3 && film.duration > 0) film.fail();
    }
    expect(film.phase).toBe('failed');
  });

  it('that arrives but can’t be decoded past one spot ends there at the third time', () => {
    const film = playingFilm();
    film.undecodable = true;
    let failures = 0;
    for (let count = 0; count < 2_000 && film.phase !== 'ended'; count += 1) {
      film.pass(100);
      if (film.position < 4.3 || Number.isNaN(film.duration)) continue;
      failures += 1;
      film.fail();
    }
    expect([failures, film.told]).toEqual([3, ['ended']]);
  });

  it('while the page is hidden waits, and is loaded when it is seen again', () => {
    const film = playingFilm();
    film.setHidden(true);
    film.fail();
    film.pass(120_000);
    expect([film.phase, film.loads.length]).toEqual(['osPaused', 0]);
    film.setHidden(false);
    expect(film.loads.length).toBe(1);
    film.pass(1_500);
    expect(film.phase).toBe('playing');
  });

  it('while it may not play is not loaded by a connection that comes back', () => {
    for (const stop of ['hidden', 'blocked']) {
      const film = playingFilm();
      if (stop === 'hidden') film.setHidden(true);
      else film.send({ type: 'refused', name: 'NotAllowedError' });
      film.fail();
      film.setOnline(false);
      film.setOnline(true);
      film.pass(30_000);
      expect([film.phase, film.loads]).toEqual([stop === 'hidden' ? 'osPaused' : 'blocked', []]);
    }
  });

  it('again on coming back is tried again: the time the page was hidden was none of trying', () => {
    const film = playingFilm();
    film.fail();
    film.pass(2_500);
    expect(film.phase).toBe('playing');
    film.setHidden(true);
    film.pass(300_000);
    film.setHidden(false);
    film.fail();
    expect(film.phase).toBe('stalled');
    film.pass(30_000);
    expect(film.told).toEqual(['ended']);
  });

  it('and was given up stays so, whatever timer was still set', () => {
    const film = playingFilm();
    film.served = Number.NaN;
    film.fail();
    film.pass(90_000);
    film.send({ type: 'due', timer: 'native' });
    expect(film.phase).toBe('failed');
  });

  it('and was given up while a pause was being undone plays on by «Riprova», and undoes pauses as ever', () => {
    const failedAt = (film: FakeFilm) => {
      film.served = film.position;
      for (let passed = 0; film.phase !== 'failed' && passed < 180_000; passed += 50) film.pass(50);
      return film.now;
    };
    const gone = failedAt(playingFilm());
    const film = playingFilm();
    film.served = film.position;
    film.pass(gone - film.now - 100);
    film.pauseFromOutside();
    film.pass(100);
    expect([film.phase, film.paused]).toEqual(['failed', true]);
    film.served = Number.POSITIVE_INFINITY;
    film.send({ type: 'retry' });
    film.pass(3_000);
    expect(film.phase).toBe('playing');
    film.pauseFromOutside();
    film.pass(1_000);
    expect([film.phase, film.paused]).toEqual(['playing', false]);
  });

  it('is not taken for a pause', () => {
    const film = playingFilm();
    film.fail();
    film.send({ type: 'pause' });
    film.pass(500);
    expect(film.plays.length).toBe(1);
  });
});
