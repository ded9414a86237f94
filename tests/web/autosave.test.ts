import { expect, test, vi } from 'vitest';
import { createAutosave } from '../../src/web/admin/pages/phrases/autosave.ts';
import { mergeLists } from '../../src/web/admin/pages/phrases/merge-lists.ts';
import { Failure } from '../../src/web/api/failure.ts';

/** Phrases that save themselves: one save after the other, nothing lost, nothing overwritten. */

/** A server with versions, whose answers are let go one by one. */
function slowServer(start: string[] = []) {
  const stored = { value: start, versione: 3 };
  const gates: PromiseWithResolvers<void>[] = [];
  const sent: string[][] = [];
  let inFlight = 0;
  return {
    stored,
    sent,
    save: async (value: string[], versione: number) => {
      expect(++inFlight).toBe(1);
      sent.push(value);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise.finally(() => inFlight--);
      if (versione !== stored.versione) throw new Failure('STALE_VERSION', 'vecchia');
      Object.assign(stored, { value, versione: versione + 1 });
      return { versione: stored.versione };
    },
    read: async () => ({ ...stored }),
    /** Lets the save on its way arrive (or fail). */
    answer: async (error?: unknown) => {
      const gate = gates.shift();
      if (error === undefined) gate?.resolve();
      else gate?.reject(error);
      await vi.waitFor(() => expect(inFlight === 0 || gates.length > 0).toBe(true));
    },
  };
}

function open(server: ReturnType<typeof slowServer>) {
  const said: string[] = [];
  const autosave = createAutosave<string[]>(
    { value: server.stored.value, versione: server.stored.versione },
    {
      read: server.read,
      save: server.save,
      same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
      merge: mergeLists,
      onFailed: () => said.push('failed'),
    },
  );
  const add = (text: string) =>
    autosave.change(
      (all) => [...all, text],
      () => said.push(text),
    );
  const saved = () => vi.waitFor(() => expect(autosave.state().saving).toBe(false));
  return { autosave, add, said, saved };
}

const lost = new Failure('NETWORK', 'persa');

test('what changes while a save is on its way goes with the next, and each is told when it is stored', async () => {
  const server = slowServer();
  const { add, said, saved } = open(server);
  add('uno');
  add('due');
  add('tre');
  expect(server.sent).toEqual([['uno']]);
  await server.answer();
  expect(said).toEqual(['uno']);
  expect(server.sent).toEqual([['uno'], ['uno', 'due', 'tre']]);
  await server.answer();
  await saved();
  expect(said).toEqual(['uno', 'due', 'tre']);
  expect(server.stored).toEqual({ value: ['uno', 'due', 'tre'], versione: 5 });
});

test('a failure keeps everything until it is tried again', async () => {
  const server = slowServer();
  const { autosave, add, said, saved } = open(server);
  add('uno');
  await server.answer(lost);
  await saved();
  expect(said).toEqual(['failed']);
  expect(autosave.state()).toMatchObject({ value: ['uno'], saved: [], error: lost });
  autosave.flush();
  await server.answer();
  await saved();
  expect(said).toEqual(['failed', 'uno']);
  expect(autosave.state()).toMatchObject({ value: ['uno'], saved: ['uno'], error: null });
});

test('a stale save is merged with what is there, and with what was added meanwhile', async () => {
  const server = slowServer(['prima']);
  const { autosave, add, saved } = open(server);
  Object.assign(server.stored, { value: ['prima', 'loro'], versione: 9 });
  add('mia');
  add('anche');
  await server.answer();
  await vi.waitFor(() => expect(server.sent).toHaveLength(2));
  await server.answer();
  await saved();
  expect(new Set(server.stored.value)).toEqual(new Set(['prima', 'loro', 'mia', 'anche']));
  expect(autosave.state().value).toEqual(server.stored.value);
});

test('gives up when somebody else is always quicker, and keeps the text', async () => {
  const server = slowServer();
  const { autosave, add, said, saved } = open(server);
  add('mia');
  for (let tries = 1; tries <= 5; tries++) {
    server.stored.versione += 10;
    await server.answer();
    if (tries < 5) await vi.waitFor(() => expect(server.sent).toHaveLength(tries + 1));
  }
  await saved();
  expect(said).toEqual(['failed']);
  expect(autosave.state().value).toEqual(['mia']);
});

test('a newer reading is taken only where nothing is unsaved', async () => {
  const server = slowServer(['a']);
  const { autosave, add, saved } = open(server);
  autosave.adopt(['b'], 4);
  expect(autosave.state().value).toEqual(['b']);
  autosave.adopt(['vecchia'], 3);
  expect(autosave.state().value).toEqual(['b']);
  add('mia');
  autosave.adopt(['c'], 5);
  expect(autosave.state().value).toEqual(['b', 'mia']);
  await server.answer(lost);
  await saved();
  autosave.adopt(['c'], 6);
  expect(autosave.state().value).toEqual(['b', 'mia']);
});

test('what is being written is saved once nobody has typed for a moment, or at once when it is asked for', async () => {
  vi.useFakeTimers();
  const server = slowServer();
  const { autosave } = open(server);
  for (const text of ['C', 'Ci', 'Ciao']) {
    autosave.write(() => [text]);
    vi.advanceTimersByTime(900);
  }
  expect(autosave.state()).toMatchObject({ value: ['Ciao'], saved: [] });
  expect(server.sent).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(server.sent).toEqual([['Ciao']]);
  vi.useRealTimers();
  await server.answer();
  autosave.write(() => ['Ciao!']);
  autosave.flush();
  expect(server.sent).toEqual([['Ciao'], ['Ciao!']]);
  await server.answer();
});
