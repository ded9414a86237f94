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
