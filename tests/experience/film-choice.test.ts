import { expect, test } from 'vitest';
import { filmFor } from '../../src/experience/film-choice.ts';

const films = { video_url: '/api/media/1.mp4', light_url: '/api/media/2.mp4' };

test('who saves data gets the light film, everybody else the full one', () => {
  expect(filmFor(films, { savesData: true })).toBe(films.light_url);
  expect(filmFor(films, { savesData: false })).toBe(films.video_url);
  expect(filmFor({ ...films, light_url: null }, { savesData: true })).toBe(films.video_url);
});
