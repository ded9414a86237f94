import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { disconnectionOf, wayOut } from '../../src/experience/selectors.ts';
import { keepConnected } from '../../src/web/visitor/experience/connection.ts';
import { oneTrip } from '../experience/support/content.ts';
import { type Evening, openPage } from '../experience/support/evening.ts';
import { serverOf } from '../experience/support/server.ts';
import { live } from '../experience/support/visitor.ts';
import { FakeSource } from '../support/fake-source.ts';

/** What ties the evening's page to the server: the real chart, a page that turns and a server that answers as it is told. */

const OPEN = { state: 'open', disconnection: null };
const GONE = { reason: 'token_deleted', contatto: '@amica' } as const;
const refused = (codice: string) => Response.json({ codice, messaggio: 'No' }, { status: 409 });

let evening: Evening;
let screen: EventTarget & { visibilityState: string };
let view: EventTarget;
let asked: string[];
let answers: { heartbeat: () => Response; resume: () => Response };
let cut: () => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  FakeSource.opened = [];
  screen = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  view = new EventTarget();
  asked = [];
  evening = openPage(serverOf(oneTrip()));
  await evening.pass(0);
  answers = {
    heartbeat: () => Response.json(OPEN),
    resume: () => Response.json(evening.server.visit()),
  };
  const globals = {
    document: screen,
    window: view,
    EventSource: FakeSource,
    addEventListener: view.addEventListener.bind(view),
    removeEventListener: view.removeEventListener.bind(view),
    fetch: async (path: string) => {
      asked.push(path.replace('/api/visit/', ''));
      return path.endsWith('heartbeat') ? answers.heartbeat() : answers.resume();
    },
    navigator: { sendBeacon: () => true },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  cut = keepConnected(evening.actor, () => 'during_pre_phrases');
});

afterEach(() => {
  cut();
  evening.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const beat = () => (vi.advanceTimersByTime(30_000), evening.pass(0));
const opened = () => (FakeSource.opened.at(-1)?.dispatchEvent(new Event('open')), evening.pass(0));
function turns(visibilityState: 'visible' | 'hidden'): Promise<void> {
  screen.visibilityState = visibilityState;
  screen.dispatchEvent(new Event('visibilitychange'));
  return evening.pass(0);
}
const shown = (persisted: boolean) => (
  view.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })), evening.pass(0)
);

test('a heart beats every 30 s while the page is seen, and an open visit goes on', async () => {
  vi.advanceTimersByTime(29_999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  await beat();
  expect(asked).toEqual(['heartbeat', 'heartbeat']);
  expect(evening.screen()).toBe('pre_phrases');
  screen.visibilityState = 'hidden';
  await beat();
  expect(asked).toHaveLength(2);
});

test('the channel’s opening asks how the visit stands: something may have been missed', async () => {
  await opened();
  expect(asked).toEqual(['heartbeat']);
});

test('a disconnection is learnt by the channel', async () => {
  FakeSource.opened.at(-1)?.say({ type: 'disconnected', disconnection: GONE });
  expect(disconnectionOf(evening.snapshot())).toEqual(GONE);
});

test('a goodbye is followed by another channel, but not while the evening is being ended: it would be refused', async () => {
  const channel = () => FakeSource.opened.at(-1);
  channel()?.say({ type: 'bye' });
  vi.advanceTimersByTime(5_000);
  expect(FakeSource.opened).toHaveLength(2);
  await live(evening, { until: ({ screen: seen }) => seen() === 'closing' });
  expect(channel()?.readyState).not.toBe(FakeSource.CLOSED);
  evening.server.state.network = 'lost';
  await live(evening, { until: ({ snapshot }) => snapshot().matches({ evening: 'completing' }) });
  channel()?.say({ type: 'bye' });
  await turns('visible');
  vi.advanceTimersByTime(60_000);
  expect(FakeSource.opened).toHaveLength(2);
  expect(channel()?.readyState).toBe(FakeSource.CLOSED);
});

test.each<[string, () => Response, () => void]>([
  [
    'disconnected',
    () => Response.json({ state: 'disconnected', disconnection: GONE }),
    () => expect(disconnectionOf(evening.snapshot())).toEqual(GONE),
  ],
  [
    'ended',
    () => Response.json({ state: 'ended', disconnection: null }),
    () => expect(wayOut(evening.snapshot())).not.toBeNull(),
  ],
  ['none', () => refused('NO_VISIT'), () => expect(wayOut(evening.snapshot())).not.toBeNull()],
  [
    'paused',
    () => Response.json({ state: 'paused', disconnection: null }),
    () => expect(evening.screen()).toBe('pre_phrases'),
  ],
  ['unknown', () => refused('INTERNAL'), () => expect(evening.screen()).toBe('pre_phrases')],
])('the heart’s answer carries the verdict: %s', async (_state, answer, holds) => {
  answers.heartbeat = answer;
  await beat();
  holds();
});

test('back in front, online again or out of the browser’s memory, the visit is opened again', async () => {
  await turns('hidden');
  await shown(false);
  expect(asked).toEqual([]);
  await turns('visible');
  view.dispatchEvent(new Event('online'));
  await shown(true);
  expect(asked.filter((call) => call === 'resume')).toHaveLength(3);
  expect(evening.screen()).toBe('pre_phrases');
});

test('coming back may bring news of its place', async () => {
  evening.server.state.position = { step: 1, phrase: 0, second: 0 };
  const before = evening.snapshot().context.visit?.stages.length ?? 0;
  await turns('visible');
  expect(evening.snapshot().context.visit?.stages).toHaveLength(before + 1);
});

test.each(['NO_VISIT', 'VISIT_ENDED'])('%s on coming back is the end', async (codice) => {
  answers.resume = () => refused(codice);
  await turns('visible');
  expect(wayOut(evening.snapshot())).not.toBeNull();
});

test('a disconnection on coming back is said with whom to turn to, where that can be learnt', async () => {
  answers.resume = () => refused('DISCONNECTED');
  answers.heartbeat = () => Response.json({ state: 'disconnected', disconnection: GONE });
  await turns('visible');
  await evening.pass(0);
  expect(disconnectionOf(evening.snapshot())).toEqual(GONE);
});

test('a network that is down on coming back changes nothing', async () => {
  answers.resume = () => new Response('<html>Bad gateway', { status: 502 });
  await turns('visible');
  expect(evening.screen()).toBe('pre_phrases');
});

test('cut, it neither beats nor hears', async () => {
  cut();
  await beat();
  await turns('visible');
  await shown(true);
  view.dispatchEvent(new Event('online'));
  expect(asked).toEqual([]);
  expect(FakeSource.opened.at(-1)?.readyState).toBe(FakeSource.CLOSED);
});
