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
import { answering, refused, said } from './support/page.ts';

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
  say(message: LiveMessage) {
    this.dispatchEvent(new MessageEvent(message.type, { data: JSON.stringify(message) }));
  }
  refuse() {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}
let streams: FakeSource[];
const living = () => streams.filter(({ readyState }) => readyState !== FakeSource.CLOSED);
const last = () => streams.at(-1) ?? expect.unreachable();
const opens = () => last().dispatchEvent(new Event('open'));
function turns(state: 'visible' | 'hidden'): void {
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
  const GONE = { reason: 'token_deleted', contatto: '@amica' } as const;
  let evening: Evening;
  let calls: ReturnType<typeof answering>;
  let answers: Record<'heartbeat' | 'resume', () => Response | Promise<Response>>;
  let cut: () => void;
  beforeEach(async () => {
    evening = openPage(serverOf(oneTrip()));
    await evening.pass(0);
    answers = {
      heartbeat: () => Response.json({ state: 'open', disconnection: null }),
      resume: () => Response.json(evening.server.visit()),
    };
    calls = answering({
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
  const asked = (call: 'heartbeat' | 'resume') => calls.of(`visit/${call}`).length;
  const settled = async () => {
    for (let turn = 0; turn < 3; turn += 1) await evening.pass(0);
  };
  const beat = () => (vi.advanceTimersByTime(30_000), settled());
  const back = () => (turns('visible'), settled());
  const isOut = () => exitReason(evening.snapshot()) !== null;

  test('sends a heartbeat every 30 s while visible, and one when the channel opens', async () => {
    vi.advanceTimersByTime(29_999);
    expect(asked('heartbeat')).toBe(0);
    vi.advanceTimersByTime(1);
    await beat();
    expect([asked('heartbeat'), evening.screen()]).toEqual([2, 'pre_phrases']);
    opens();
    expect(asked('heartbeat')).toBe(3);
    turns('hidden');
    await beat();
    expect(asked('heartbeat')).toBe(3);
  });

  test('handles a disconnection from the live channel', () => {
    last().say({ type: 'disconnected', disconnection: GONE });
    expect(disconnectionOf(evening.snapshot())).toEqual(GONE);
  });

  test('reconnects after a bye, but not while the evening is completing', async () => {
    last().say({ type: 'bye' });
    vi.advanceTimersByTime(5_000);
    expect(streams).toHaveLength(2);
    await live(evening, { until: ({ screen }) => screen() === 'closing' });
    expect(living()).toHaveLength(1);
    evening.server.state.network = 'lost';
    await live(evening, { until: ({ snapshot }) => snapshot().matches({ evening: 'completing' }) });
    last().say({ type: 'bye' });
    await back();
    vi.advanceTimersByTime(60_000);
    expect([streams.length, living().length]).toEqual([2, 0]);
  });

  test.each<[string, () => Response | Promise<Response>, 'gone' | 'out' | 'on']>([
    ['disconnected', () => said({ state: 'disconnected', disconnection: GONE })({}), 'gone'],
    ['ended', () => said({ state: 'ended', disconnection: null })({}), 'out'],
    ['none', () => refused('NO_VISIT', {}, 409)({}), 'out'],
    ['paused', () => said({ state: 'paused', disconnection: null })({}), 'on'],
    ['unknown', () => refused('INTERNAL', {}, 409)({}), 'on'],
  ])('applies the state of a heartbeat: %s', async (_state, heartbeat, becomes) => {
    answers.heartbeat = heartbeat;
    await beat();
    expect(disconnectionOf(evening.snapshot())).toEqual(becomes === 'gone' ? GONE : null);
    expect(isOut()).toBe(becomes === 'out');
  });

  test('resumes the visit when the page becomes visible, comes online or returns from the back/forward cache', async () => {
    turns('hidden');
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: false }));
    expect(calls.asked).toEqual([]);
    evening.server.state.position = { step: 1, phrase: 0, second: 0 };
    const before = evening.snapshot().context.visit?.stages.length ?? 0;
    await back();
    expect(evening.snapshot().context.visit?.stages).toHaveLength(before + 1);
    fireEvent(window, new Event('online'));
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    await settled();
    expect([asked('resume'), isOut()]).toEqual([3, false]);
  });

  test.each<[string, () => Response | Promise<Response>, 'gone' | 'out' | 'on']>([
    ['a proxy’s page', () => new Response('<html>', { status: 502 }), 'on'],
    ['NO_VISIT', () => refused('NO_VISIT', {}, 409)({}), 'out'],
    ['VISIT_ENDED', () => refused('VISIT_ENDED', {}, 409)({}), 'out'],
    // The contact comes from a heartbeat.
    ['DISCONNECTED', () => refused('DISCONNECTED', {}, 409)({}), 'gone'],
  ])('handles the reply to a resume: %s', async (_what, resume, becomes) => {
    answers.resume = resume;
    answers.heartbeat = () => Response.json({ state: 'disconnected', disconnection: GONE });
    await back();
    expect(disconnectionOf(evening.snapshot())).toEqual(becomes === 'gone' ? GONE : null);
    expect(isOut()).toEqual(becomes === 'out');
  });

  test('sends and receives nothing after it was closed', async () => {
    cut();
    await beat();
    await back();
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
    fireEvent(window, new Event('online'));
    expect([calls.asked, living()]).toEqual([[], []]);
  });
});

describe('live channel', () => {
  let heard: LiveMessage[];
  let told: { opened: number; refused: number };
  let close: () => void;
  beforeEach(() => {
    [heard, told] = [[], { opened: 0, refused: 0 }];
    turns('visible');
    close = openEvents('/api/visit/events', {
      message: (message) => void heard.push(message),
      opened: () => void (told.opened += 1),
      refused: () => void (told.refused += 1),
    });
  });
  afterEach(() => close());

  test('passes on messages, closes while the page is hidden and reopens when it is visible', () => {
    opens();
    last().say({ type: 'disconnected', disconnection: { reason: 'token_revoked', contatto: null } });
    expect([told.opened, heard.map(({ type }) => type)]).toEqual([1, ['disconnected']]);
    turns('hidden');
    vi.advanceTimersByTime(120_000);
    expect([streams.length, living().length]).toEqual([1, 0]);
    turns('visible');
    expect([streams.length, living()]).toEqual([2, [last()]]);
  });

  test.each<[string, () => unknown]>([
    ['a ping', () => last().say({ type: 'ping' })],
    ['an opening', opens],
  ])('reconnects after 40 s without a signal such as %s', (_sign, sign) => {
    vi.advanceTimersByTime(39_000);
    sign();
    vi.advanceTimersByTime(39_000);
    expect(streams).toHaveLength(1);
    vi.advanceTimersByTime(1_000);
    expect([streams.length, living()]).toEqual([2, [last()]]);
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
    expect(told.refused).toBe(1);
    opens();
    // The server sends a bye before it refuses.
    last().say({ type: 'bye' });
    vi.advanceTimersByTime(30_000);
    refuse();
    expect(told.refused).toBe(2);
  });

  test('reconnects after a bye, and stays closed after close', () => {
    last().say({ type: 'bye' });
    vi.advanceTimersByTime(5_000);
    expect([streams.length, living()]).toEqual([2, [last()]]);
    close();
    turns('visible');
    vi.advanceTimersByTime(120_000);
    expect([streams.length, living().length]).toEqual([2, 0]);
  });
});

describe('tickets', () => {
  const asked = vi.fn<typeof fetch>();
  let saved: number;
  let phone: { onLine: boolean };
  const pdf = async () => new Response('%PDF-');
  const cut = async () => Promise.reject(new TypeError('Failed to fetch'));
  const status = (code: number) => async () => new Response('', { status: code });
  beforeEach(() => {
    [saved, phone] = [0, { onLine: true }];
    asked.mockReset();
    asked.mockImplementation(pdf);
    vi.stubGlobal('fetch', asked);
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
  async function held(url?: string) {
    const tickets = open(true, url);
    await becomes(tickets, 'ready');
    asked.mockClear();
    return tickets;
  }
  /** Taps the link. @returns whether the tickets are available, and the number of `preventDefault` calls: 1 if the page saves the file */
  const tap = async (tickets: ReturnType<typeof open>) => {
    const preventDefault = vi.fn<() => void>();
    return [await tickets.downloadTapped({ preventDefault }), preventDefault.mock.calls.length];
  };

  test('checks with the server at a tap whether the tickets are available', async () => {
    for (const [answer, had] of [
      [pdf, true],
      [cut, false],
      [status(503), false],
    ] as const) {
      asked.mockImplementation(answer);
      expect(await tap(open(false))).toEqual([had, 0]);
    }
    expect(asked.mock.calls.map(([, init]) => init?.method)).toEqual(['HEAD', 'HEAD', 'HEAD']);
  });

  test('saves from memory if the server is unreachable, offline, at a second tap or for a blob address', async () => {
    const [first, second, third] = [await held(), await held(), await held()];
    asked.mockImplementation(cut);
    expect([(await tap(first))[0], saved]).toEqual([true, 1]);
    phone.onLine = false;
    expect([await tap(second), saved]).toEqual([[true, 1], 2]);
    phone.onLine = true;
    asked.mockImplementation(pdf);
    expect([await tap(third), await tap(third), saved]).toEqual([[true, 0], [true, 1], 3]);
    const inPage = await held('blob:here');
    expect([(await tap(inPage))[0], asked.mock.calls.length, saved]).toEqual([true, 0, 4]);
  });

  const MOST = 15 * 1024 * 1024;
  const sized =
    (length: number | null, size = 5) =>
    async () => {
      const headers: HeadersInit = length === null ? {} : { 'content-length': `${length}` };
      return new Response(new Uint8Array(size), { headers });
    };

  test.each<[string, typeof fetch, 'ready' | 'linkOnly']>([
    ['as much as a phone may hold', sized(MOST), 'ready'],
    ['a byte more', sized(MOST + 1), 'linkOnly'],
    ['a byte more, of which nobody told', sized(null, MOST + 1), 'linkOnly'],
    ['an address that is gone', status(499), 'linkOnly'],
    ['a refusal', status(404), 'linkOnly'],
  ])('handles %s as %s, once', async (_what, answer, found) => {
    asked.mockImplementation(answer);
    await becomes(open(), found);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).toHaveBeenCalledOnce();
  });

  test.each([cut, status(500)])('retries from 2 s on, until loaded or closed: %#', async (answer) => {
    asked.mockImplementation(answer);
    const tickets = open();
    tickets.fetchAhead();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    expect([asked.mock.calls.length, tickets.state().status]).toEqual([2, 'loading']);
    asked.mockImplementation(pdf);
    await vi.advanceTimersToNextTimerAsync();
    expect(tickets.state().status).toBe('ready');
    asked.mockImplementation(answer);
    const other = open();
    await vi.advanceTimersByTimeAsync(0);
    other.close();
    asked.mockClear();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked).not.toHaveBeenCalled();
  });

  test('does not preload with data saving on, and shares files if the phone can', async () => {
    Object.assign(phone, { connection: { saveData: true } });
    expect([open().state().status, asked.mock.calls.length]).toEqual(['linkOnly', 0]);
    const shared: string[] = [];
    let can = true;
    const share = async ({ files }: { files: File[] }) => void shared.push(...files.map(({ name }) => name));
    Object.assign(phone, { connection: {}, share, canShare: () => can });
    const early = open(false);
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
});
