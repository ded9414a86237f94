import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTickets } from '../../src/web/visitor/media/tickets.ts';

/** What a tap on the download comes to, and what is fetched ahead of it. */

const asked = vi.fn<typeof fetch>();
let saved: string[];
let online: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  saved = [];
  online = true;
  asked.mockReset();
  asked.mockImplementation(async () => new Response('%PDF-'));
  vi.stubGlobal('fetch', asked);
  vi.stubGlobal('navigator', {
    get onLine() {
      return online;
    },
  });
  vi.stubGlobal('document', { createElement: () => ({ click: () => saved.push('memory') }) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const cut = async () => {
  throw new TypeError('Failed to fetch');
};
const prevented = () => ({ preventDefault: vi.fn<() => void>() });
const methods = () => asked.mock.calls.map(([, init]) => init?.method ?? 'GET');

test('a tap asks the server whether there is something to have', async () => {
  const tickets = openTickets('/biglietti.pdf');
  const event = prevented();
  expect(await tickets.downloadTapped(event)).toBe(true);
  expect(event.preventDefault).not.toHaveBeenCalled();
  expect(methods()).toEqual(['HEAD']);
  asked.mockImplementation(cut);
  expect(await tickets.downloadTapped(prevented())).toBe(false);
  asked.mockImplementation(async () => new Response('', { status: 503 }));
  expect(await tickets.downloadTapped(prevented())).toBe(false);
  tickets.close();
});

test('what is in memory is kept when the server can’t be reached', async () => {
  const tickets = openTickets('/biglietti.pdf');
  tickets.fetchAhead();
  await vi.waitFor(() => expect(tickets.state().status).toBe('ready'));
  asked.mockImplementation(cut);
  expect(await tickets.downloadTapped(prevented())).toBe(true);
  expect(saved).toEqual(['memory']);
  tickets.close();

  const offline = openTickets('/biglietti.pdf');
  asked.mockImplementation(async () => new Response('%PDF-'));
  offline.fetchAhead();
  await vi.waitFor(() => expect(offline.state().status).toBe('ready'));
  online = false;
  const event = prevented();
  expect(await offline.downloadTapped(event)).toBe(true);
  expect(event.preventDefault).toHaveBeenCalled();
  offline.close();
});

test('what can’t be fetched ahead is tried again until it is there, or the tickets are closed', async () => {
  asked.mockImplementation(cut);
  const tickets = openTickets('/biglietti.pdf');
  tickets.fetchAhead();
  tickets.fetchAhead();
  for (let tries = 1; tries <= 6; tries += 1) {
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(tries));
    expect(tickets.state().status).toBe('loading');
    await vi.advanceTimersToNextTimerAsync();
  }
  asked.mockImplementation(async () => new Response('%PDF-'));
  await vi.advanceTimersToNextTimerAsync();
  expect(tickets.state().status).toBe('ready');

  asked.mockImplementation(cut);
  const other = openTickets('/biglietti.pdf');
  other.fetchAhead();
  await vi.advanceTimersByTimeAsync(0);
  other.close();
  asked.mockClear();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).not.toHaveBeenCalled();
});

test('what is refused is not asked for again', async () => {
  asked.mockImplementation(async () => new Response('', { status: 404 }));
  const tickets = openTickets('/biglietti.pdf');
  tickets.fetchAhead();
  await vi.waitFor(() => expect(tickets.state().status).toBe('linkOnly'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toHaveBeenCalledTimes(1);
});

const MOST = 15 * 1024 * 1024;
const sized = (said: number | null, size = 5) => {
  const headers: HeadersInit = said === null ? {} : { 'content-length': `${said}` };
  return new Response(new Uint8Array(size), { headers });
};

test.each<[string, () => Response, 'ready' | 'linkOnly']>([
  ['as much as a phone may hold', () => sized(MOST), 'ready'],
  ['a byte more', () => sized(MOST + 1), 'linkOnly'],
  ['a byte more, of which nobody told', () => sized(null, MOST + 1), 'linkOnly'],
  ['an address that is gone', () => new Response('', { status: 499 }), 'linkOnly'],
])('%s is held: %s', async (_what, answer, status) => {
  asked.mockImplementation(async () => answer());
  const tickets = openTickets('/biglietti.pdf');
  tickets.fetchAhead();
  await vi.waitFor(() => expect(tickets.state().status).toBe(status));
  tickets.close();
});

test('a server in trouble is asked again', async () => {
  asked.mockImplementation(async () => new Response('', { status: 500 }));
  const tickets = openTickets('/biglietti.pdf');
  tickets.fetchAhead();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(asked).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect([asked.mock.calls.length, tickets.state().status]).toEqual([2, 'loading']);
  tickets.close();
});

test('to who saves data nothing is sent before the tap', () => {
  Object.assign(navigator, { connection: { saveData: true } });
  const tickets = openTickets('/biglietti.pdf');
  tickets.fetchAhead();
  expect([asked.mock.calls.length, tickets.state().status]).toEqual([0, 'linkOnly']);
});

/** Tickets that are in memory. */
async function held(url = '/biglietti.pdf') {
  const tickets = openTickets(url);
  tickets.fetchAhead();
  await vi.waitFor(() => expect(tickets.state().status).toBe('ready'));
  asked.mockClear();
  return tickets;
}

test('the first tap is the link’s own; a second one saves from memory, for the first may have done nothing', async () => {
  const tickets = await held();
  const [first, second] = [prevented(), prevented()];
  expect(await tickets.downloadTapped(first)).toBe(true);
  expect([first.preventDefault.mock.calls.length, methods(), saved]).toEqual([0, ['HEAD'], []]);
  expect(await tickets.downloadTapped(second)).toBe(true);
  expect([second.preventDefault.mock.calls.length, methods(), saved]).toEqual([1, ['HEAD'], ['memory']]);
});

test('what lies in the page itself is asked of no server', async () => {
  const tickets = await held('blob:here');
  expect(await tickets.downloadTapped(prevented())).toBe(true);
  expect([asked.mock.calls.length, saved]).toEqual([0, ['memory']]);
});

test('they are shared where the phone shares files, and only once they are there', async () => {
  const shared: unknown[] = [];
  const share = async ({ files }: { files: File[] }) => void shared.push(...files.map(({ name }) => name));
  let can = true;
  Object.assign(navigator, { share, canShare: () => can });
  const early = openTickets('/biglietti.pdf');
  early.share();
  expect([shared, early.state().canShare]).toEqual([[], false]);
  const tickets = await held();
  expect(tickets.state().canShare).toBe(true);
  tickets.share();
  expect(shared).toEqual(['biglietti.pdf']);
  can = false;
  tickets.share();
  expect([shared.length, (await held()).state().canShare]).toEqual([1, false]);
});

test('closed, they tell nothing more', async () => {
  const told = vi.fn();
  const tickets = openTickets('/biglietti.pdf');
  tickets.subscribe(told);
  tickets.fetchAhead();
  tickets.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([told.mock.calls.length, tickets.state().status]).toEqual([0, 'loading']);
});
