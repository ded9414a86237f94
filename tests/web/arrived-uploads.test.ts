import { expect, test } from 'vitest';
import type { Arrived } from '../../src/contract/admin/media-work.ts';
import { endedSince } from '../../src/web/admin/components/media/arrivals/watch.ts';

/** What is told of the uploads the server is at, from one look to the next. */

const file = { slot: 'video', nome: 'film.mp4', size: 10 } as const;
const working = (upload: string): Arrived => ({
  ...file,
  upload,
  state: 'working',
  waiting: false,
  progress: 0.5,
  secondsLeft: null,
});
const refused = (upload: string): Arrived => ({ ...file, upload, state: 'refused', codice: 'FILE_BROKEN' });
const ids = ({ gone, refused: told }: ReturnType<typeof endedSince>) => ({
  gone: gone.map(({ upload }) => upload),
  refused: told.map(({ upload }) => upload),
});

test('what the server is still at, and what has just come, is no news', () => {
  expect(ids(endedSince([working('a')], [working('a'), working('b')]))).toEqual({ gone: [], refused: [] });
});

test('what is not on the list any more has ended', () => {
  expect(ids(endedSince([working('a'), working('b')], [working('b')]))).toEqual({ gone: ['a'], refused: [] });
});

test('a refusal is told once: not at every look, and not when it was there when the page was opened', () => {
  expect(ids(endedSince([working('a')], [refused('a')]))).toEqual({ gone: [], refused: ['a'] });
  expect(ids(endedSince([refused('a')], [refused('a')]))).toEqual({ gone: [], refused: [] });
  expect(ids(endedSince([], [refused('a')]))).toEqual({ gone: [], refused: [] });
});

test('a refusal that was dismissed is not asked about', () => {
  expect(ids(endedSince([refused('a')], []))).toEqual({ gone: [], refused: [] });
});
