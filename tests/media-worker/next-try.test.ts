import { expect, test } from 'vitest';
import { type FilmPlan, nextTry } from '../../src/server/media-worker/plan/film-plan.ts';

/** What is tried after a film whose picture or sound turned out to be faulty. */

type How = 'keep' | 'make';
const plan = (picture: How, sound: How | null) =>
  ({ picture: { how: picture }, sound: sound === null ? null : { how: sound } }) as unknown as FilmPlan;
const anew = (picture: boolean, sound: boolean) => ({ picture, sound });

test.each<
  [string, FilmPlan, ReturnType<typeof anew>, ReturnType<typeof anew>, ReturnType<typeof anew> | null]
>([
  [
    'a faulty picture is made anew',
    plan('keep', 'keep'),
    anew(false, false),
    anew(true, false),
    anew(true, false),
  ],
  ['faulty sound is', plan('keep', 'keep'), anew(false, false), anew(false, true), anew(false, true)],
  ['both are', plan('keep', 'keep'), anew(false, false), anew(true, true), anew(true, true)],
  [
    'what was made anew before stays so',
    plan('make', 'keep'),
    anew(true, false),
    anew(false, true),
    anew(true, true),
  ],
  [
    'the same, the other way round',
    plan('keep', 'make'),
    anew(false, true),
    anew(true, false),
    anew(true, true),
  ],
  [
    'a picture that was made can’t be made any better',
    plan('make', 'keep'),
    anew(true, false),
    anew(true, false),
    null,
  ],
  ['nor can sound', plan('keep', 'make'), anew(false, true), anew(false, true), null],
  ['a film without sound', plan('keep', null), anew(false, false), anew(true, false), anew(true, false)],
])('%s', (_what, tried, before, faulty, next) => {
  expect(nextTry(tried, before, faulty)).toEqual(next);
});
