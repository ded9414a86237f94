import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { accessTexts } from '../../src/texts/access.ts';
import { networkTexts } from '../../src/texts/network.ts';
import type * as Entry from '../../src/web/visitor/access/use-entry.ts';

/** Entering with a code: what is sent, what each answer comes to, and when the next try is a new entry. */

const went = vi.fn<(to: string, how: { replace: boolean; state: unknown }) => Promise<void>>();
let seen: { errors: string[]; opened: number[]; taps: number };
let useEntry: typeof Entry.useEntry;
/** What stands around it, each with what is left of it here. */
const AROUND = {
  'react-router': () => ({ useNavigate: () => went }),
  '../../src/web/ui/toaster/toast.ts': () => ({ toastError: (said: string) => seen.errors.push(said) }),
  '../../src/web/visitor/access/enter-tap.ts': () => ({ enterTap: () => (seen.taps += 1) }),
  '../../src/web/visitor/access/capabilities.ts': () => ({ capabilities: () => [] }),
  '../../src/web/experience-chunk.ts': () => ({
    prepareExperience: () => {},
    loadExperience: async () => {},
    openWith: (open: (chunk: object) => void) => open({ openLetter: (at: number) => seen.opened.push(at) }),
  }),
};

let reply: () => Promise<Response> | Response;
let sent: { token: string; attempt_id: string }[];
let working: boolean[];

beforeEach(async () => {
  vi.resetModules();
  for (const [path, make] of Object.entries(AROUND)) vi.doMock(path, make);
  ({ useEntry } = await import('../../src/web/visitor/access/use-entry.ts'));
  [sent, working] = [[], []];
  seen = { errors: [], opened: [], taps: 0 };
  went.mockReset();
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('navigator', { userAgent: '' });
  vi.stubGlobal('document', { createElement: () => ({}), cookie: '', documentElement: { style: {} } });
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    sent.push(JSON.parse(typeof body === 'string' ? body : ''));
    return reply();
  });
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  for (const path of Object.keys(AROUND)) vi.doUnmock(path);
  // Nobody after this file gets a module that was made around what stood in.
  vi.resetModules();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function entry(): ReturnType<typeof Entry.useEntry> {
  const made: ReturnType<typeof Entry.useEntry>[] = [];
  // What an earlier test's page still has to do is told to that one.
  const told = working;
  function Form() {
    made.push(useEntry((now) => told.push(now)));
    return null;
  }
  renderToStaticMarkup(createElement(Form));
  const [one] = made;
  if (one === undefined) throw new Error('Nothing was drawn');
  return one;
}
const refused =
  (status: number, codice: string, more: object = {}) =>
  () =>
    Response.json({ codice, messaggio: `No: ${codice}`, ...more }, { status });
const admitted = () => Response.json({ token_id: 'id', token_value: 'ROM1', visit: { session_id: 's' } });
const ids = () => new Set(sent.map(({ attempt_id }) => attempt_id)).size;

test('a right code leads into the experience, in the place of this page, and its letter opens', async () => {
  reply = admitted;
  const { submit } = entry();
  expect(await submit(' rom1 ')).toBe('entered');
  expect(sent).toMatchObject([{ token: 'ROM1' }]);
  expect(went.mock.calls).toEqual([
    ['/experience', { replace: true, state: { token_id: 'id', token_value: 'ROM1' } }],
  ]);
  expect([seen.opened.length, seen.taps, seen.errors, working.at(-1)]).toEqual([1, 1, [], false]);
  // Whoever is in asks no more.
  expect(await submit('ROM1')).toBe('ignored');
  expect(sent).toHaveLength(1);
});

test('without a code nothing is asked', async () => {
  expect(await entry().submit('  ')).toBe('refused');
  expect([sent, seen.errors, seen.taps]).toEqual([[], [accessTexts.empty], 0]);
});

test('one at a time', async () => {
  let answer = (_response: Response) => {};
  reply = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { submit, askQuietly } = entry();
  const first = submit('ROM1');
  await vi.waitFor(() => expect(working).toEqual([true]));
  expect([await submit('ROM1'), await askQuietly('ROM1')]).toEqual(['ignored', 'ignored']);
  answer(refused(404, 'TOKEN_NOT_FOUND')());
  expect([await first, working, sent.length]).toEqual(['refused', [true, false], 1]);
});

describe('an answer that', () => {
  test.each<[string, () => Response, string, string, number]>([
    [
      'refuses is final: the next try is another entry',
      refused(404, 'INVALID_TOKEN'),
      'refused',
      'No: INVALID_TOKEN',
      2,
    ],
    [
      'tells of the server’s own trouble leaves it open',
      refused(503, 'UNAVAILABLE'),
      'lost',
      'No: UNAVAILABLE',
      1,
    ],
    ['isn’t the server’s leaves it open', () => new Response('<html>'), 'lost', accessTexts.notChecked, 1],
  ])('%s', async (_what, answer, result, said, entries) => {
    reply = answer;
    const { submit } = entry();
    expect(await submit('ROM1')).toBe(result);
    expect(seen.errors).toEqual([said]);
    await submit('ROM1');
    expect([ids(), went.mock.calls.length]).toEqual([entries, 0]);
  });

  test('is retried ten times as the same entry while the queue is full', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const full = refused(429, 'TOO_MANY_ATTEMPTS', { secondi: 3 });
    reply = () => (sent.length < 10 ? full() : admitted());
    const { submit } = entry();
    const entered = submit('ROM1');
    for (let times = 1; times <= 10; times += 1) {
      await vi.waitFor(() => expect(sent).toHaveLength(times));
      await vi.advanceTimersByTimeAsync(3_000);
    }
    expect([await entered, ids(), seen.errors]).toEqual(['entered', 1, []]);
    reply = full;
    const told = entry().submit('ROM1');
    for (let times = 11; times <= 20; times += 1) {
      await vi.waitFor(() => expect(sent).toHaveLength(times));
      await vi.advanceTimersByTimeAsync(3_000);
    }
    expect([await told, seen.errors]).toEqual(['lost', ['No: TOO_MANY_ATTEMPTS']]);
  });

  test('never comes leaves it open: the same entry is asked for again', async () => {
    reply = () => {
      throw new TypeError('Failed to fetch');
    };
    const { submit } = entry();
    expect(await submit('ROM1')).toBe('lost');
    reply = admitted;
    await submit('ROM1');
    expect([seen.errors, ids(), sent.length]).toEqual([[networkTexts.offline], 1, 2]);
  });

  test('names the hour is no error: how long it is until then', async () => {
    reply = refused(403, 'TOO_EARLY', { opens_at: '2027-02-14T20:00:00.000Z', secondi: 90 });
    const early = await entry().submit('ROM1');
    expect(early).toMatchObject({
      opens_at: '2027-02-14T20:00:00.000Z',
      seconds: 90,
      messaggio: 'No: TOO_EARLY',
    });
    expect(seen.errors).toEqual([]);
  });
});

test.each<[string, () => Response, number]>([
  ['a lost answer isn’t worth a word', refused(503, 'UNAVAILABLE'), 0],
  ['a refusal is', refused(404, 'INVALID_TOKEN'), 1],
])('to a page that waits for the hour %s', async (_what, answer, words) => {
  reply = answer;
  const { askQuietly } = entry();
  await askQuietly('ROM1');
  expect([seen.errors.length, seen.taps, working]).toEqual([words, 0, []]);
});

test('what nobody expected is said, and she may try again', async () => {
  reply = () => Response.json(null);
  const { submit } = entry();
  expect(await submit('ROM1')).toBe('refused');
  expect(seen.errors).toEqual([accessTexts.unexpected]);
  reply = admitted;
  expect(await submit('ROM1')).toBe('entered');
});

test('only what is a fault of ours is left in the console', async () => {
  const { submit } = entry();
  reply = refused(404, 'INVALID_TOKEN');
  await submit('ROM1');
  expect(console.error).not.toHaveBeenCalled();
  reply = refused(500, 'INTERNAL');
  await submit('ROM1');
  expect(console.error).toHaveBeenCalledOnce();
});
