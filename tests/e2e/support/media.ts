import type { Page } from '@playwright/test';
import type { MediaServer } from './media-server.ts';
import { test as base } from './stage.ts';
import { probe } from './walk.ts';

/** What the page asked of the browser, in order, and whether it was inside a gesture. */
export type Call = { name: string; active: boolean; refused?: boolean };

export const test = base.extend<{ media: MediaServer }>({
  media: async ({ context, mediaServer }, use) => {
    mediaServer.fault = {};
    mediaServer.asked.length = 0;
    await context.addInitScript(record);
    await use(mediaServer);
  },
});

/** Runs in the page before its scripts: writes down calls, and gives the tests levers that are no gestures. */
function record(): void {
  const calls: Call[] = [];
  const levers = { calls, contexts: 0, sessions: {} as Record<string, unknown>, hide };
  Object.assign(window, { levers });
  wrap(HTMLMediaElement.prototype, 'play');
  wrap(HTMLMediaElement.prototype, 'pause');
  wrap(Element.prototype, 'requestFullscreen');
  if (typeof WakeLock !== 'undefined') wrap(WakeLock.prototype, 'request');
  if (typeof MediaSession !== 'undefined') {
    const { setActionHandler } = MediaSession.prototype;
    MediaSession.prototype.setActionHandler = function (action, handler) {
      levers.sessions[action] = handler;
      return setActionHandler.call(this, action, handler);
    };
  }
  const Context = window.AudioContext;
  window.AudioContext = class extends Context {
    constructor() {
      super();
      levers.contexts += 1;
    }
  };

  function wrap(target: object, name: string): void {
    const native = (target as Record<string, unknown>)[name];
    if (typeof native !== 'function') return;
    (target as Record<string, unknown>)[name] = function (this: unknown, ...args: unknown[]) {
      const kind =
        this instanceof HTMLVideoElement ? 'video.' : this instanceof HTMLAudioElement ? 'audio.' : '';
      const call: Call = { name: `${kind}${name}`, active: navigator.userActivation.isActive };
      calls.push(call);
      const result: unknown = native.apply(this, args);
      if (result instanceof Promise) result.catch(() => Object.assign(call, { refused: true }));
      return result;
    };
  }

  function hide(hidden: boolean): void {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    const state = hidden ? 'hidden' : 'visible';
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    document.dispatchEvent(new Event('visibilitychange'));
  }
}

type Query = Record<string, string | number>;

/** The priming tap; the film's stage follows. */
export async function enter(page: Page, media: MediaServer, query: Query = {}): Promise<void> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  await page.goto(`${media.url}/?${search}`);
  await page.getByRole('button', { name: 'Entra' }).tap();
}

/** The start tap, the first movement of the film, and the page's word that it plays: it may hear of it a moment after the picture moved. */
export async function startFilm(page: Page, media: MediaServer, query: Query = {}): Promise<void> {
  await enter(page, media, query);
  await page.getByRole('button', { name: 'Inizia Esperienza' }).tap();
  await test.expect.poll(() => position(page)).toBeGreaterThan(0.2);
  await test.expect.poll(() => phase(page)).not.toBe('starting');
}

export function position(page: Page): Promise<number> {
  return probe(page, 'document.querySelector("video").currentTime');
}

export function phase(page: Page): Promise<string> {
  return probe(page, 'stage.state().phase');
}

export function told(page: Page): Promise<string[]> {
  return probe(page, 'told');
}

export function calls(page: Page, name: string): Promise<Call[]> {
  return probe(page, `levers.calls.filter((call) => call.name === ${JSON.stringify(name)})`);
}

/** Does something in the page outside any gesture, as a script or a phone would. */
export async function meanwhile(page: Page, expression: string): Promise<void> {
  await probe(page, `void setTimeout(() => { ${expression} })`);
}
