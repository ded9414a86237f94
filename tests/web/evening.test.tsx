import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../src/domain/content.ts';
import type { CallResult } from '../../src/experience/ports.ts';
import { eveningErrorSentences, experienceTexts as texts } from '../../src/texts/experience.ts';
import '../../src/web/scenes/hand.ts';
import '../../src/web/visitor/experience/passing.ts';
import { ExperiencePage } from '../../src/web/visitor/experience/page.tsx';
import { oneTrip, twoTrips } from '../experience/support/content.ts';
import { serverOf } from '../experience/support/server.ts';
import { type StandInMedia, standInMedia } from './support/media.ts';
import { pass, readPage, refused, replyWith, stubFetch, tap } from './support/page.ts';

/** The whole evening: the real page, chart and effects, a server with the domain's rules, and taps. */

let server: ReturnType<typeof serverOf>;
let calls: ReturnType<typeof stubFetch>;
let router: ReturnType<typeof createMemoryRouter>;
let film: StandInMedia;
let songs: readonly [StandInMedia, StandInMedia];
let sources: EventTarget[];
let warnings: () => unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  sources = [];
  ({ film, songs } = standInMedia());
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  warnings = () => warn.mock.calls.map(([word]) => word);
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      readyState = 0;
      constructor() {
        super();
        sources.push(this);
      }
      close() {}
    },
  );
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(navigator, 'sendBeacon').mockReturnValue(true);
  vi.spyOn(HTMLImageElement.prototype, 'decode').mockResolvedValue();
});

const reply = async <T,>(result: Promise<CallResult<T>>) => {
  const it = await result;
  if (!it.ok && it.code === 'NETWORK') throw new TypeError('Failed to fetch');
  return it.ok
    ? Response.json(it.value)
    : Response.json({ codice: it.code, messaggio: 'No' }, { status: 409 });
};

async function open(content: Snapshot, changes: Parameters<typeof stubFetch>[0] = {}) {
  server = serverOf(content);
  calls = stubFetch({
    'visit/resume': () => reply(server.resume()),
    'visit/position': (body) => reply(server.position(body as never)),
    'visit/answers': (body) => reply(server.answers(withoutPageLoad(body) as never)),
    'visit/complete': () => reply(server.complete()),
    'visit/heartbeat': replyWith({ state: 'open', disconnection: null }),
    'visit/error': replyWith({}),
    'visit/tickets/1/biglietti.pdf': () => new Response('%PDF-'),
    'visit/tickets/2/biglietti.pdf': () => new Response('%PDF-'),
    ...changes,
  });
  router = createMemoryRouter(
    [
      { path: '/experience', element: <ExperiencePage /> },
      { path: '/', element: <p>La lettera</p> },
    ],
    { initialEntries: ['/experience'] },
  );
  render(<RouterProvider router={router} />);
  await pass();
}
const withoutPageLoad = ({ life: _life, ...rest }: Record<string, unknown>) => rest;

/** Advances the time until `part` is on the screen. Throws after `limitMs`. */
async function until(part: string, limitMs = 60_000): Promise<void> {
  for (let passed = 0; !readPage().includes(part); passed += 250) {
    if (passed > limitMs) throw new Error(`«${part}» never came: ${readPage().join(' | ')}`);
    await pass(250);
  }
}

/** Loads the film, taps its button and plays it to its end. */
async function watch(): Promise<void> {
  await until(`[${texts.preparingVideo} off]`);
  Object.assign(film, { readyState: 4, duration: 30, videoWidth: 640, videoHeight: 360, ranges: [[0, 30]] });
  film.dispatch('loadedmetadata', 'progress', 'canplay');
  await pass(250);
  await tap('Inizia Esperienza');
  expect([film.paused, film.muted]).toEqual([false, false]);
  for (let second = 1; second < 30; second += 1) {
    film.currentTime = second;
    film.dispatch('timeupdate');
    await pass(1_000);
  }
  Object.assign(film, { currentTime: 30, ended: true, paused: true });
  film.dispatch('ended');
  await pass(1_000);
}

async function answer(...choices: ('Sì' | 'No')[]): Promise<void> {
  for (const name of choices) {
    await tap(name);
    await pass(2_000);
  }
}

test('plays an evening of two trips by taps, from the first phrase to the return home', async () => {
  await open(twoTrips());
  await until('Prima');
  expect(readPage()).toEqual(['Prima', '1 / 2']);
  await until('Del video');
  await watch();
  expect(songs[0]?.did).toEqual(expect.arrayContaining(['load', 'play']));
  expect(songs[0]?.getAttribute('src')).toBe('/song.mp3');
  for (const phrase of ['Dopo', 'Il', 'Video']) await until(phrase);
  await until('# Destinazione');
  await until('<Scarica i biglietti → /api/visit/tickets/1/biglietti.pdf>');
  await pass(30_000);
  // A card waits for the visitor.
  expect(readPage()).toContain('[Guarda i biglietti]');
  await tap(texts.view);
  expect(readPage()).toContain(texts.ticketsUndrawn);
  await tap(texts.closeTickets);
  await pass(1_000);
  fireEvent.click(screen.getByRole('link', { name: texts.download }));
  await pass();
  expect(readPage()).toContain(`status: ${texts.downloadStarted}`);
  await until('# Uno?');
  await answer('Sì');
  expect(localStorage.getItem('risposte-session-1')).toBe('{"risposta_1":true}');
  await until('# Due?');
  await answer('Sì');
  expect(server.state.stored).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: true }]);
  await until('Non è finita');
  expect(localStorage.getItem('risposte-session-1')).toBeNull();
  for (const phrase of ['Secondo', 'Viaggio']) await until(phrase);
  await until('<Scarica i biglietti → /api/visit/tickets/2/biglietti.pdf>');
  expect(songs[1]?.did).toContain('play');
  fireEvent.click(screen.getByRole('link', { name: texts.download }));
  await until('# Tre?');
  await answer('No');
  await until('# Quattro?');
  await answer('No');
  for (const phrase of ['Fine', 'Davvero']) await until(phrase);
  await until('La lettera');
  expect([router.state.location.pathname, server.state.completed]).toEqual(['/', true]);
  expect([film.getAttribute('src'), ...songs.map((song) => song.getAttribute('src'))]).toEqual([
    null,
    null,
    null,
  ]);
  const reached = calls.of('visit/position').map((body) => Number(body['step']));
  expect(reached).toEqual(reached.toSorted((a, b) => a - b));
  expect(warnings()).toEqual([]);
}, 120_000);

test('continues offline as far as possible, and stores the answers until the network returns', async () => {
  await open(oneTrip());
  server.state.network = 'lost';
  await watch();
  await until(`status: ${texts.loading}`);
  server.state.network = 'up';
  fireEvent(window, new Event('online'));
  await until('[Guarda i biglietti]');
  fireEvent.click(screen.getByRole('link', { name: texts.download }));
  await until('# Uno?');
  server.state.network = 'lost';
  await answer('Sì');
  await until('# Due?');
  await answer('No');
  expect(readPage()).toContain(`status: ${texts.answersFailed}`);
  await until(texts.answersKept);
  expect(localStorage.getItem('risposte-session-1')).toBe('{"risposta_1":true,"risposta_2":false}');
  server.state.network = 'up';
  fireEvent(window, new Event('online'));
  await until('Un sì e un no');
  await until('La lettera');
  expect(server.state.stored).toEqual([{ viaggio: 1, risposta_1: true, risposta_2: false }]);
}, 120_000);

test('shows a status while loading, and a retry button if the network is down', async () => {
  let resume: () => Promise<Response> = () => new Promise(() => {});
  await open(oneTrip(), { 'visit/resume': () => resume() });
  expect(readPage()).toEqual([`status: ${texts.loading}`]);
  cleanup();
  resume = () => Promise.reject(new TypeError('Failed to fetch'));
  await open(oneTrip(), { 'visit/resume': () => resume() });
  await until('[Riprova]', 120_000);
  expect(readPage()).toContain(texts.offline);
  resume = () => reply(server.resume());
  await tap(texts.retry);
  await until('Prima');
});

test.each([
  ['an address opened without a visit', { 'visit/resume': refused('NO_VISIT', {}, 401) }, null, []],
  ['a visit that ended elsewhere', {}, 'NO_VISIT', [eveningErrorSentences.NO_VISIT]],
] as const)('leads home from %s', async (_what, changes, code, words) => {
  await open(oneTrip(), changes);
  if (code !== null) await until('Prima');
  server.state.refuseAll = code;
  await until('La lettera');
  expect(warnings()).toEqual(words);
});

test('shows the disconnection with the contact, then leads home', async () => {
  await open(oneTrip());
  await until('Prima');
  const message = { type: 'disconnected', disconnection: { reason: 'token_revoked', contatto: '@amica' } };
  await act(async () =>
    sources.at(-1)?.dispatchEvent(new MessageEvent(message.type, { data: JSON.stringify(message) })),
  );
  expect(readPage()).toEqual([texts.disconnected, texts.contact('@amica')]);
  expect(film.paused).toBe(true);
  await until('La lettera');
});
