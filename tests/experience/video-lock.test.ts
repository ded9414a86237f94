import { describe, expect, it } from 'vitest';
import { PLAYBACK_RATES } from '../../src/domain/limits.ts';
import { FakeFilm, playingFilm } from './support/fake-film.ts';

describe('playing', () => {
  it('goes from the start tap to the end, told once', () => {
    const film = new FakeFilm();
    expect(film.phase).toBe('idle');
    film.send({ type: 'start' });
    expect([film.phase, film.plays.length]).toEqual(['starting', 1]);
    film.pass(1_000);
    expect(film.phase).toBe('playing');
    film.pass(30_000);
    expect([film.phase, film.told]).toEqual(['ended', ['ended']]);
  });

  it('ignores a second start tap', () => {
    const film = playingFilm();
    film.send({ type: 'start' });
    expect(film.plays.length).toBe(1);
  });

  it('begins at the saved second', () => {
    const film = playingFilm(12);
    expect(film.seeks).toEqual([12]);
    expect(film.position).toBeGreaterThan(12.5);
    film.pass(12_000);
    expect(film.told).toEqual(['ended']);
  });

  it.each(PLAYBACK_RATES)('plays at %f and comes back to it', (rate) => {
    const film = playingFilm(0, rate);
    film.rate = 4;
    film.send({ type: 'ratechange' });
    expect(film.rate).toBe(rate);
    film.pass(30_000 / rate);
    expect(film.told).toEqual(['ended']);
    expect(film.seeks).toEqual([]);
  });
});

describe('pauses', () => {
  it('are undone within 150 ms, those that come together once', () => {
    const film = playingFilm();
    film.pauseFromOutside();
    film.send({ type: 'pause' });
    film.send({ type: 'pause' });
    film.pass(100);
    expect(film.plays.length).toBe(1);
    film.pass(200);
    expect([film.plays.length, film.paused, film.phase]).toEqual([2, false, 'playing']);
  });

  it('are undone even when nobody tells of them', () => {
    const film = playingFilm();
    film.paused = true;
    film.pass(1_000);
    expect([film.plays.length, film.paused]).toEqual([2, false]);
  });

  it('become a question after more than four undone in five seconds', () => {
    const film = playingFilm();
    for (let count = 0; count < 5; count += 1) {
      film.pauseFromOutside();
      film.pass(300);
    }
    expect([film.phase, film.plays.length]).toEqual(['blocked', 5]);
    film.send({ type: 'resume' });
    film.pass(500);
    expect(film.phase).toBe('playing');
  });

  it('spread over time are undone for ever', () => {
    const film = playingFilm();
    for (let count = 0; count < 8; count += 1) {
      film.pauseFromOutside();
      film.pass(1_500);
    }
    expect(film.phase).toBe('playing');
  });

  it('of a hidden page are left alone until it is seen again', () => {
    const film = playingFilm();
    film.hidden = true;
    film.pauseFromOutside();
    film.pass(10_000);
    expect([film.phase, film.plays.length]).toEqual(['osPaused', 1]);
    const place = film.position;
    film.setHidden(false);
    film.send({ type: 'visible' });
    expect(film.plays.length).toBe(2);
    film.pass(500);
    expect(film.phase).toBe('playing');
    expect(film.position).toBeCloseTo(place + 0.5, 0);
  });

  it('of a hidden page are the phone’s at once: a look back at the page goes on in the same moment', () => {
    const film = playingFilm();
    film.hidden = true;
    film.pauseFromOutside();
    film.pass(50);
    expect(film.phase).toBe('osPaused');
    film.setHidden(false);
    expect(film.plays.length).toBe(2);
  });

  it('that come just before the page is hidden count as the phone’s', () => {
    const film = playingFilm();
    film.pauseFromOutside();
    film.pass(50);
    film.setHidden(true);
    film.pass(5_000);
    expect([film.phase, film.plays.length]).toEqual(['osPaused', 1]);
  });

  it('are undone as ever after a return, whatever was under way when the page was hidden', () => {
    const film = playingFilm();
    film.pauseFromOutside();
    film.pass(50);
    film.setHidden(true);
    film.setHidden(false);
    film.pass(1_000);
    const plays = film.plays.length;
    film.pauseFromOutside();
    film.pass(250);
    expect([film.paused, film.plays.length]).toEqual([false, plays + 1]);
  });

  it('are made when the page is hidden: nobody would see the film', () => {
    const film = playingFilm();
    film.setHidden(true);
    expect(film.pauses.length).toBe(1);
    film.paused = false;
    film.send({ type: 'playing' });
    expect(film.pauses.length).toBe(2);
  });

  it('by leaving the phone’s own player are undone once, then asked about after 400 ms', () => {
    const film = playingFilm();
    film.paused = true;
    film.refusal = 'AbortError';
    film.send({ type: 'nativeLeft' });
    film.send({ type: 'pause' });
    film.pass(50);
    expect(film.phase).toBe('playing');
    film.pass(400);
    expect(film.phase).toBe('blocked');
    film.refusal = null;
    film.send({ type: 'resume' });
    film.pass(300);
    expect(film.phase).toBe('playing');
  });
});

describe('leaving the phone’s own player', () => {
  /** The phases of the second after it. */
  const left = (film: FakeFilm) => {
    film.paused = true;
    film.send({ type: 'nativeLeft' });
    const phases = new Set<string>();
    for (let passed = 0; passed < 1_000; passed += 50) {
      film.pass(50);
      phases.add(film.phase);
    }
    return [...phases];
  };

  it('is no question when the one play helped, and the next pause is undone as ever', () => {
    const film = playingFilm();
    expect([left(film), film.plays.length]).toEqual([['playing'], 2]);
    film.pauseFromOutside();
    film.pass(1_000);
    expect([film.phase, film.plays.length]).toEqual(['playing', 3]);
  });

  it('in the last moments is no question: the film ends', () => {
    const film = playingFilm(18);
    while (film.position < film.length - 0.2) film.pass(50);
    film.refusal = 'AbortError';
    expect(left(film)).not.toContain('blocked');
    film.pass(3_000);
    expect(film.told).toEqual(['ended']);
  });
});

describe('a refused play', () => {
  it('asks for a tap, and plays only a few times by itself', () => {
    const film = playingFilm();
    film.refusal = 'NotAllowedError';
    film.pauseFromOutside();
    film.pass(20_000);
    expect(film.phase).toBe('blocked');
    expect(film.plays.length).toBeLessThanOrEqual(5);
  });

  it('on return to the page becomes the overlay', () => {
    const film = playingFilm();
    film.setHidden(true);
    film.refusal = 'NotAllowedError';
    film.setHidden(false);
    film.pass(100);
    expect(film.phase).toBe('blocked');
  });

  it('while the page is hidden is no question', () => {
    const film = playingFilm();
    film.hidden = true;
    film.send({ type: 'refused', name: 'NotAllowedError' });
    expect(film.phase).toBe('osPaused');
  });

  it('at the start is told as an error only when the second one is refused, too', () => {
    const film = new FakeFilm();
    film.refusal = 'NotAllowedError';
    film.send({ type: 'start' });
    film.pass(100);
    expect([film.phase, film.told]).toEqual(['blocked', []]);
    film.send({ type: 'resume' });
    film.pass(100);
    expect([film.phase, film.told]).toEqual(['blocked', ['cannotStart']]);
    film.refusal = null;
    film.send({ type: 'resume' });
    film.pass(500);
    expect(film.phase).toBe('playing');
  });

  it('with AbortError means nothing', () => {
    const film = playingFilm();
    film.send({ type: 'refused', name: 'AbortError' });
    expect([film.phase, film.told]).toEqual(['playing', []]);
  });
});

describe('seeking', () => {
  it.each([0, 19])('to %d s is taken back, once', (to) => {
    const film = playingFilm();
    film.pass(3_000);
    const place = film.state.lastGood;
    film.seekFromOutside(to);
    film.pass(1_000);
    expect(film.seeks).toEqual([place]);
    expect(Math.abs(film.position - place - 0.9)).toBeLessThan(0.5);
  });

  it('twice in a row is taken back, too', () => {
    const film = playingFilm();
    film.pass(3_000);
    const place = film.state.lastGood;
    film.seekFromOutside(10);
    film.pass(50);
    film.seekFromOutside(15);
    film.pass(1_000);
    expect(Math.abs(film.position - place - 0.8)).toBeLessThan(0.6);
  });

  it('leaves what is said of an end behind: before the start, on the way back, or when the film goes on by now', () => {
    const idle = new FakeFilm();
    idle.ended = true;
    idle.send({ type: 'ended' });
    expect([idle.phase, idle.seeks, idle.plays]).toEqual(['idle', [], []]);
    const film = playingFilm();
    film.send({ type: 'ended' });
    expect([film.phase, film.seeks, film.plays.length]).toEqual(['playing', [], 1]);
    film.seekFromOutside(10);
    film.pass(50);
    expect(film.state.ourSeek).toBe(true);
    film.ended = true;
    film.send({ type: 'ended' });
    expect([film.phase, film.seeks.length, film.plays.length]).toEqual(['playing', 1, 1]);
  });

  it('to the very end does not end the film', () => {
    const film = playingFilm();
    film.ended = true;
    film.position = film.length;
    film.send({ type: 'ended' });
    film.pass(1_000);
    expect([film.told, film.position < 5]).toEqual([[], true]);
  });

  it('by less than 0.75 s is nobody’s', () => {
    const film = playingFilm();
    film.seekFromOutside(film.state.lastGood + 0.6);
    film.pass(300);
    expect(film.seeks).toEqual([]);
  });

  it('is never fought for where the source can’t be sought', () => {
    const film = playingFilm();
    film.pass(3_000);
    film.seekable = false;
    film.seekFromOutside(10);
    film.pass(3_000);
    expect(film.seeks).toHaveLength(3);
    expect(film.phase).toBe('playing');
  });

  it('by a page that was stuck for seconds is none: the place follows', () => {
    const film = playingFilm();
    film.now += 6_000;
    film.position += 6;
    film.send({ type: 'timeupdate' });
    expect(film.state.lastGood).toBe(film.position);
  });

  it('of a player that restarted unasked is put right', () => {
    const film = playingFilm();
    film.pass(4_000);
    film.position = 0;
    film.pass(2_000);
    expect(film.position).toBeGreaterThan(4);
  });
});

describe('a player that is suddenly further on', () => {
  /** Twice the speed, looked at after half a second: 1.5 s of playing and half a second of slack make 3.5 s. */
  const jumped = (by: number) => {
    const film = playingFilm(0, 2);
    film.pass(500);
    const place = film.state.lastGood;
    film.position = place + by;
    film.send({ type: 'tick' });
    return film.seeks;
  };

  it('than it can have played is put right', () => {
    expect(jumped(3.6)).toHaveLength(1);
  });

  it('by what it can have played is let be', () => {
    expect(jumped(3.4)).toEqual([]);
  });
});

describe('the end', () => {
  it('is reached 1.5 s after the last progress, when the browser doesn’t say so', () => {
    const film = playingFilm();
    film.served = film.length - 0.2;
    film.pass(18_900);
    expect(film.told).toEqual([]);
    film.pass(2_500);
    expect(film.told).toEqual(['ended']);
    film.send({ type: 'ended' });
    expect(film.told).toEqual(['ended']);
  });

  it('is not that of a film that nobody has started', () => {
    const film = new FakeFilm();
    film.ended = true;
    film.send({ type: 'ended' });
    expect([film.phase, film.told]).toEqual(['idle', []]);
  });

  it('is reached by a film that was paused in its last moments', () => {
    const film = playingFilm();
    film.served = film.length - 0.1;
    film.pass(19_000);
    film.pauseFromOutside();
    film.pass(3_000);
    expect([film.plays.length, film.told]).toEqual([1, ['ended']]);
  });
});
