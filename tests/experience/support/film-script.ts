import { expect } from 'vitest';
import type { LockEvent } from '../../../src/experience/video-lock/lock-types.ts';
import { FakeFilm, playingFilm } from './fake-film.ts';

/*
 * Script of a film, steps separated by spaces:
 *   250, 30s        time passes
 *   served:NaN      sets a property of the film; `here` is its current position
 *   plays=2         an expected value; also `<` and `>`
 *   mark            stores the position; `moved` is the distance from it
 *   resume, pause   an event of the lock; or one of `WORDS`
 */
const WORDS: Record<string, (film: FakeFilm) => void> = {
  fail: (film) => film.fail(),
  paused: (film) => film.pauseFromOutside(),
  hide: (film) => film.setHidden(true),
  show: (film) => film.setHidden(false),
  offline: (film) => film.setOnline(false),
  online: (film) => film.setOnline(true),
};
const ALL: Record<string, number | null | boolean> = {
  all: Number.POSITIVE_INFINITY,
  null: null,
  true: true,
  false: false,
};

/** Runs the script of a film that plays from `startAt`, or of one that has not started (`rate` null). */
export function runScript(story: string, startAt = 0, rate: number | null = 1): FakeFilm {
  const film = rate === null ? new FakeFilm(startAt) : playingFilm(startAt, rate);
  let marked = 0;
  const facts = (): Record<string, unknown> => ({
    phase: film.phase,
    paused: film.paused,
    plays: film.plays.length,
    pauses: film.pauses.length,
    loads: film.loads.length,
    lightened: film.lightened.length,
    seeks: film.seeks.join() || 'none',
    tried: film.seeks.length,
    told: film.announcements.join() || 'nothing',
    rate: film.rate,
    position: film.position,
    moved: Math.abs(film.position - marked),
    trouble: film.state.trouble !== null,
    ourSeek: film.state.ourSeek,
    placeKept: film.state.lastGood === marked,
    backAtMark: film.seeks.at(-1) === marked,
    gaps: film.loads
      .slice(1)
      .map((at, index) => Math.round((at - (film.loads[index] ?? 0)) / 1_000))
      .join(),
  });
  for (const word of story.split(/\s+/)) {
    const [, key = '', sign, value = ''] = /^(\w+)([=<>:])(.*)$/.exec(word) ?? [];
    if (sign === '=') expect(String(facts()[key]), `${word} in «${story}»`).toBe(value);
    else if (sign === '<') expect(facts()[key], `${word} in «${story}»`).toBeLessThan(Number(value));
    else if (sign === '>') expect(facts()[key], `${word} in «${story}»`).toBeGreaterThan(Number(value));
    else if (key === 'seek') film.seekFromOutside(Number(value));
    else if (key === 'jump') film.position = film.state.lastGood + Number(value);
    else if (key === 'refused') film.send({ type: 'refused', name: value });
    else if (key === 'refusal') film.refusal = value === 'none' ? null : value;
    else if (key !== '') Object.assign(film, { [key]: toValue(film, value) });
    else if (/^\d/.test(word)) film.pass(word.endsWith('s') ? Number.parseFloat(word) * 1_000 : Number(word));
    else if (word === 'mark') marked = film.state.lastGood;
    else if (word === 'stall') runStall(film);
    else if (word in WORDS) WORDS[word]?.(film);
    else film.send({ type: word } as LockEvent);
  }
  return film;
}

/** Stops the data until the film stalls, then resumes it. */
function runStall(film: FakeFilm): void {
  film.arrived = film.position;
  film.pass(2_000);
  film.arrived = null;
  film.pass(1_000);
}

function toValue(film: FakeFilm, value: string): number | null | boolean | undefined {
  if (value === 'here') return film.position;
  if (value === 'end') return film.length;
  if (value === '+') return (film.arrived ?? 0) + 0.05;
  return value in ALL ? ALL[value] : Number(value);
}
