import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveMessage } from '../../src/contract/visit.ts';
import { disconnectionOf, exitReason } from '../../src/experience/selectors.ts';
import { openEvents } from '../../src/web/api/live-events.ts';
import { keepConnected } from '../../src/web/visitor/experience/connection.ts';
import { openTickets } from '../../src/web/visitor/media/tickets.ts';
import { oneTrip } from '../experience/support/content.ts';
import { type Evening, openPage } from '../experience/support/evening.ts';
import { serverOf } from '../experience/support/server.ts';
import { live } from '../experience/support/visitor.ts';
import { refused, replyWith, stubFetch } from './support/page.ts';

/** The evening's connection to the server: heartbeats, live channel, resuming and tickets. */

/** An `EventSource` that is controlled by the test. */
class FakeSource extends EventTarget {
  static CLOSED = 2;
  readyState = 0;
  constructor() {
    super();
    streams.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  receive(message: LiveMessage) {
    this.dispatchEvent(new MessageEvent(message.type, { data: JSON.stringify(message) }));
  }
  refuse() {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}
let streams: FakeSource[];
const openStreams = () => streams.filter(({ readyState }) => readyState !== FakeSource.CLOSED);
const last = () => streams.at(-1) ?? expect.unreachable();
const opens = () => last().dispatchEvent(new Event('open'));
function setVisibility(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  fireEvent(document, new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance', 'Date'],
  });
  streams = [];
  vi.stubGlobal('EventSource', FakeSource);
});

describe('connection of a visit', () => {
  const DISCONNECTION = { reason: 'token_deleted', contatto: '@amica' } as const;
  let evening: Evening;
  let calls: ReturnType<typeof stubFetch>;
  let answers: Record<'heartbeat' | 'resume', () => Response | Promise<Response>>;
  let cut: () => void;
  beforeEach(async () => {
    evening = openPage(serverOf(oneTrip()));
    await evening.pass(0);
    answers = {
      heartbeat: () => Response.json({ state: 'open', disconnection: null }),
      resume: () => Response.json(evening.server.visit()),
    };
    calls = stubFetch({
      'visit/heartbeat': () => answers.heartbeat(),
      'visit/resume': () => answers.resume(),
    });
    vi.spyOn(navigator, 'sendBeacon').mockReturnValue(true);
    cut = keepConnected(evening.actor, () => 'during_pre_phrases');
  });
  afterEach(() => {
    cut();
    evening.close();
  });
  const requests = (call: 'heartbeat' | 'resume') => calls.of(`visit/${call}`).length;
  const settled = async () => {
    for (let turn = 0; turn < 3; turn += 1) await evening.pass(0);
  };
  const beat = () => (vi.advanceTimersByTime(30_000), settled());
  const back = () => (setVisibility('visible'), settled());
  const isOut = () => exitReason(evening.snapshot()) !== null;

  test('sends a heartbeat every 30 s while visible, and one when the channel opens', async () => {
    vi.advanceTimersByTime(29_999);
    expect(requests('heartbeat')).toBe(0);
    vi.advanceTimersByTime(1);
    await beat();
    expect([requests('heartbeat'), evening.screen()]).toEqual([2, 'pre_phrases']);
    opens();
    expect(requests('heartbeat')).toBe(3);
    setVisibility('hidden');
    await beat();
    expect(requests('heartbeat')).toBe(3);
  });

  test('reconnects after a bye, but not while the evening is completing', async () => {
    last().receive({ type: 'bye' });
    vi.advanceTimersByTime(5_000);
    expect(streams).toHaveLength(2);
    await live(evening, { until: ({ screen }) => screen() === 'closing' });
    expect(openStreams()).toHaveLength(1);
    evening.server.state.network = 'lost';
    await live(evening, { until: ({ snapshot }) => snapshot().matches({ evening: 'completing' }) });
    last().receive({ type: 'bye' });
    await back();
    vi.advanceTimersByTime(60_000);
    expect([streams.length, openStreams().length]).toEqual([2, 0]);
  });

  const gone = replyWith({ state: 'disconnected', disconnection: DISCONNECTION });
  test.each<['heartbeat' | 'resume', string, Parameters<typeof stubFetch>[0][string], 'gone' | 'out' | 'on']>(
    [
      ['heartbeat', 'disconnected', gone, 'gone'],
      ['heartbeat', 'ended', replyWith({ state: 'ended', disconnection: null }), 'out'],
      ['heartbeat', 'none', refused('NO_VISIT', {}, 409), 'out'],
      ['heartbeat', 'paused', replyWith({ state: 'paused', disconnection: null }), 'on'],
      ['resume', 'a proxy’s page', () => new Response('<html>', { status: 502 }), 'on'],
      ['resume', 'NO_VISIT', refused('NO_VISIT', {}, 409), 'out'],
      // The contact comes from a heartbeat.
      ['resume', 'DISCONNECTED', refused('DISCONNECTED', {}, 409), 'gone'],
    ],
  )('applies the reply to a %s: %s', async (call, _reply, answer, becomes) => {
    answers.heartbeat = () => gone({});
    answers[call] = () => answer({});
    await (call === 'heartbeat' ? beat() : back());
    expect(disconnectionOf(evening.snapshot())).toEqual(becomes === 'gone' ? DISCONNECTION : null);
    expect(isOut()).toBe(becomes === 'out');
  });

  test('resumes the visit when the page becomes visible, comes online or returns from the back/forward cache', async () => {
    setVisibility('hidden');
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
    expect(calls.asked).toEqual([]);
    evening.server.state.position = { step: 1, phrase: 0, second: 0 };
    const before = evening.snapshot().context.visit?.stages.length ?? 0;
    await back();
    expect(evening.snapshot().context.visit?.stages).toHaveLength(before + 1);
    fireEvent(window, new Event('online'));
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    await settled();
    expect([requests('resume'), isOut()]).toEqual([3, false]);
  });

  test('sends and receives nothing after it was closed', async () => {
    cut();
    await beat();
    await back();
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    fireEvent(window, new Event('online'));
    expect([calls.asked, openStreams()]).toEqual([[], []]);
  });
});

describe('live channel', () => {
  let messages: LiveMessage[];
  let counts: { opened: number; refused: number };
  let close: () => void;
  beforeEach(() => {
    [messages, counts] = [[], { opened: 0, refused: 0 }];
    setVisibility('visible');
    close = openEvents('/api/visit/events', {
      message: (message) => void messages.push(message),
      opened: () => void (counts.opened += 1),
      refused: () => void (counts.refused += 1),
    });
  });
  afterEach(() => close());

  test('passes on messages, closes while the page is hidden and reopens when it is visible', () => {
    opens();
    last().receive({ type: 'disconnected', disconnection: { reason: 'token_revoked', contatto: null } });
    expect([counts.opened, messages.map(({ type }) => type)]).toEqual([1, ['disconnected']]);
    setVisibility('hidden');
    vi.advanceTimersByTime(120_000);
    expect([streams.length, openStreams().length]).toEqual([1, 0]);
    setVisibility('visible');
    expect([streams.length, openStreams()]).toEqual([2, [last()]]);
  });

  test.each<[string, () => unknown]>([
    ['a ping', () => last().receive({ type: 'ping' })],
    ['an opening', opens],
  ])('reconnects after 40 s without a signal such as %s', (_sign, sign) => {
    vi.advanceTimersByTime(39_000);
    sign();
    vi.advanceTimersByTime(39_000);
    expect(streams).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect([streams.length, openStreams()]).toEqual([2, [last()]]);
  });

  test('reconnects after 0.5 to 5 s, doubled each time, 30 s at most', () => {
    const random = vi.spyOn(Math, 'random');
    for (const [chance, wait] of [
      [0, 500],
      [1, 10_000],
      [0, 2_000],
      [1, 30_000],
      [1, 30_000],
    ] as const) {
      random.mockReturnValue(chance);
      const before = streams.length;
      last().refuse();
      vi.advanceTimersByTime(wait - 1);
      expect(streams).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(streams).toHaveLength(before + 1);
    }
  });

  test('reports a refusal once, until the channel has opened again', () => {
    const refuse = () => (last().refuse(), vi.advanceTimersByTime(30_000));
    opens();
    for (let times = 0; times < 3; times += 1) refuse();
    expect(counts.refused).toBe(1);
    opens();
    // The server sends a bye before it refuses.
    last().receive({ type: 'bye' });
    vi.advanceTimersByTime(30_000);
    refuse();
    expect(counts.refused).toBe(2);
  });
});

describe('tickets', () => {
  const requests = vi.fn<typeof fetch>();
  let saved: number;
  let phone: { onLine: boolean };
  const pdf = async () => new Response('%PDF-');
  const cut = async () => Promise.reject(new TypeError('Failed to fetch'));
  const status = (code: number) => async () => new Response('', { status: code });
  beforeEach(() => {
    [saved, phone] = [0, { onLine: true }];
    requests.mockReset();
    requests.mockImplementation(pdf);
    vi.stubGlobal('fetch', requests);
    vi.stubGlobal('navigator', phone);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => void (saved += 1));
  });
  const open = (ahead = true, url = '/biglietti.pdf') => {
    const tickets = openTickets(url);
    if (ahead) tickets.fetchAhead();
    return tickets;
  };
  const becomes = (tickets: ReturnType<typeof open>, state: string) =>
    vi.waitFor(() => expect(tickets.state().status).toBe(state));
  /** Returns tickets that are loaded into memory. */
  async function loadedTickets(url?: string) {
    const tickets = open(true, url);
    await becomes(tickets, 'ready');
    requests.mockClear();
    return tickets;
  }
  /** Taps the link. @returns whether the tickets are available, and the number of `preventDefault` calls: 1 if the page saves the file */
  const tap = async (tickets: ReturnType<typeof open>) => {
    const preventDefault = vi.fn<() => void>();
    return [await tickets.downloadTapped({ preventDefault }), preventDefault.mock.calls.length];
  };

  test('checks with the server at a tap whether the tickets are available', async () => {
    for (const [answer, isAvailable] of [
      [pdf, true],
      [status(503), false],
    ] as const) {
      requests.mockImplementation(answer);
      expect(await tap(open(false))).toEqual([isAvailable, 0]);
    }
    expect(requests.mock.calls.map(([, init]) => init?.method)).toEqual(['HEAD', 'HEAD']);
  });

  test('saves from memory if the server is unreachable, offline, at a second tap or for a blob address', async () => {
    const [first, second, third] = [await loadedTickets(), await loadedTickets(), await loadedTickets()];
    requests.mockImplementation(cut);
    expect([(await tap(first))[0], saved]).toEqual([true, 1]);
    phone.onLine = false;
    expect([await tap(second), saved]).toEqual([[true, 1], 2]);
    phone.onLine = true;
    requests.mockImplementation(pdf);
    expect([await tap(third), await tap(third), saved]).toEqual([[true, 0], [true, 1], 3]);
    const inPage = await loadedTickets('blob:here');
    expect([(await tap(inPage))[0], requests.mock.calls.length, saved]).toEqual([true, 0, 4]);
  });

  const MAX_BYTES = 15 * 1024 * 1024;
  const sized =
    (length: number | null, size = 5) =>
    async () => {
      const headers: HeadersInit = length === null ? {} : { 'content-length': `${length}` };
      return new Response(new Uint8Array(size), { headers });
    };

  test.each<[string, typeof fetch, 'ready' | 'linkOnly']>([
    ['as much as a phone may hold', sized(MAX_BYTES), 'ready'],
    ['a byte more', sized(MAX_BYTES + 1), 'linkOnly'],
    ['a byte more, of which nobody told', sized(null, MAX_BYTES + 1), 'linkOnly'],
    ['a refusal', status(404), 'linkOnly'],
  ])('handles %s as %s, once', async (_what, answer, expected) => {
    requests.mockImplementation(answer);
    await becomes(open(), expected);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(requests).toHaveBeenCalledOnce();
  });

  test('retries from 2 s on, until loaded or closed', async () => {
    requests.mockImplementation(status(500));
    const tickets = open();
    tickets.fetchAhead();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(requests).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    expect([requests.mock.calls.length, tickets.state().status]).toEqual([2, 'loading']);
    requests.mockImplementation(pdf);
    await vi.advanceTimersToNextTimerAsync();
    expect(tickets.state().status).toBe('ready');
    requests.mockImplementation(cut);
    const other = open();
    await vi.advanceTimersByTimeAsync(0);
    other.close();
    requests.mockClear();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(requests).not.toHaveBeenCalled();
  });

  test('does not preload with data saving on, and shares files if the phone can', async () => {
    Object.assign(phone, { connection: { saveData: true } });
    expect([open().state().status, requests.mock.calls.length]).toEqual(['linkOnly', 0]);
    const shared: string[] = [];
    let can = true;
    const share = async ({ files }: { files: File[] }) => void shared.push(...files.map(({ name }) => name));
    Object.assign(phone, { connection: {}, share, canShare: () => can });
    const early = open(false);
    early.share();
    expect([shared, early.state().canShare]).toEqual([[], false]);
    const tickets = await loadedTickets();
    expect(tickets.state().canShare).toBe(true);
    tickets.share();
    expect(shared).toEqual(['biglietti.pdf']);
    can = false;
    tickets.share();
    expect([shared.length, (await loadedTickets()).state().canShare]).toEqual([1, false]);
  });
});
