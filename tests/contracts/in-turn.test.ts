import { expect, test } from 'vitest';
import { createTurns } from '../../src/server/work/in-turn.ts';

const { signal } = new AbortController();

test('work is done one piece at a time, whatever becomes of the one before', async () => {
  const inTurn = createTurns();
  const first = Promise.withResolvers<string>();
  const done: string[] = [];
  const works = [
    inTurn(signal, () => first.promise).catch(() => done.push('first')),
    inTurn(signal, async () => done.push('second')),
    inTurn(signal, async () => done.push('third')),
  ];
  await Promise.resolve();
  expect(done).toEqual([]);
  first.reject(new Error('A file that nobody can read.'));
  await Promise.all(works);
  expect(done).toEqual(['first', 'second', 'third']);
});

test('who is stopped in the queue leaves it at once; who comes next still waits for the one at work', async () => {
  const inTurn = createTurns();
  const first = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const done: string[] = [];
  const working = inTurn(signal, () => first.promise).then(() => done.push('first'));
  const stopped = inTurn(stopping.signal, async () => done.push('stopped'));
  const next = inTurn(signal, async () => done.push('next'));
  stopping.abort(new Error('Stopped.'));
  await expect(stopped).rejects.toThrow('Stopped.');
  expect(done).toEqual([]);
  first.resolve();
  await Promise.all([working, next]);
  expect(done).toEqual(['first', 'next']);
});

test('who was stopped before has no turn at all', async () => {
  const inTurn = createTurns();
  await expect(inTurn(AbortSignal.abort(new Error('Stopped.')), async () => 'done')).rejects.toThrow(
    'Stopped.',
  );
});
