import { install } from '@sinonjs/fake-timers';

/**
 * Runs in the page before everything else. Tells of errors that some engines keep to themselves, finds what is to be pressed, and, where its
 * tag says so, puts a clock into the page: time passes as ever, and at once when a test lets it.
 */
const { performance: own } = globalThis;
const clock =
  document.currentScript?.dataset['clock'] === undefined
    ? undefined
    : install({
        shouldAdvanceTime: true,
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
      });

/** So many times as fast anything changes its look where there is a clock: drawn without a graphics card each picture of it is dear. */
const HASTE = 10;
if (clock !== undefined)
  for (const type of ['transitionrun', 'animationstart'])
    addEventListener(type, ({ target }) => hasten(target), { capture: true });

function hasten(target: EventTarget | null): void {
  if (!(target instanceof Element)) return;
  for (const each of target.getAnimations()) each.updatePlaybackRate(HASTE);
}

const KEPT = 'kit.errors';
const errors = () => JSON.parse(sessionStorage.getItem(KEPT) ?? '[]') as string[];
const { error: say } = console;
console.error = (...what: unknown[]) => {
  say.apply(console, what);
  // Kept over a reload.
  sessionStorage.setItem(KEPT, JSON.stringify([...errors(), what.map(String).join(' ')]));
};

addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, sample }) =>
  console.error(['policy broken', effectiveDirective, blockedURI, sourceFile, sample].join(' ')),
);
addEventListener('error', ({ message, filename, lineno }) =>
  console.error(`uncaught: ${message} ${filename}:${lineno}`),
);
addEventListener('unhandledrejection', ({ reason }) => console.error(`unhandled: ${String(reason)}`));

let sought: HTMLElement | undefined;
let met: boolean | undefined;
addEventListener('click', ({ target }) => (met = target instanceof Node && sought?.contains(target)), {
  capture: true,
});

let steps = 0;
for (const target of [window, window.navigation])
  target?.addEventListener(target === window ? 'popstate' : 'navigate', () => (steps += 1), {
    capture: true,
  });

/** What has been, though a busy machine may look only when the film is over. */
const been = { film: false, fullScreen: false };
const capture = { capture: true };
addEventListener(
  'timeupdate',
  ({ target }) => void (been.film ||= target instanceof HTMLVideoElement && target.currentTime > 0),
  capture,
);
for (const type of ['fullscreenchange', 'webkitfullscreenchange'])
  addEventListener(type, ({ target }) => void (been.fullScreen ||= holdsFilm(target)), capture);

let written: string[] = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    written.push(
      target instanceof Text ? target.data : '',
      ...[...addedNodes].map((node) => node.textContent ?? ''),
    );
}).observe(document, { subtree: true, childList: true, characterData: true });

const placeOf = (text: string) => written.findIndex((piece) => piece.replace(/\s+/g, ' ').includes(text));

const kit = {
  /** Returns true if a file whose address ends so has arrived. */
  hasFetched: (ending: string) =>
    (own.getEntriesByType('resource') as PerformanceResourceTiming[]).some(
      ({ name, responseEnd }) => name.endsWith(ending) && responseEnd > 0,
    ),
  /** Forgets what was written in the page until now. */
  forget: () => void (written = []),

  /** Whether this was written in the page since then, though it may be gone again. */
  wrote: (text: string) => placeOf(text) >= 0,

  /** The same, and what was written before it is forgotten: what is asked for next came after it. */
  wroteNext(text: string): boolean {
    const place = placeOf(text);
    if (place >= 0) written = written.slice(place);
    return place >= 0;
  },

  been,

  /** What was written into the console as an error, in this tab. */
  errors,

  /** Lets so many milliseconds pass. Without a clock they pass by themselves. */
  pass: (ms: number) => void clock?.tick(ms),

  /** Whether time passes by itself, as it does unless it is held. */
  hold: (held: boolean) => clock?.setTickMode({ mode: held ? 'manual' : 'interval' }),

  /** Steps in the tab's history that the page has been told of. */
  steps: () => steps,

  /** All that is written in the page. */
  text: () => (document.body?.textContent ?? '').replace(/\s+/g, ' '),

  /** Whether the last press has met what was sought; null before there was one. */
  met: () => met ?? null,

  /** Where an element can be pressed: the middle of it, when it is on, in view and nothing lies over it. */
  spot(xpath: string): { x: number; y: number } | null {
    const type = XPathResult.FIRST_ORDERED_NODE_TYPE;
    const element = document.evaluate(xpath, document, null, type).singleNodeValue;
    if (!(element instanceof HTMLElement) || element.matches(':disabled') || isMoving(element)) return null;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const spot = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    sought = element;
    met = undefined;
    return element.contains(document.elementFromPoint(spot.x, spot.y)) ? spot : null;
  },
};

const holdsFilm = (target: EventTarget | null) =>
  target instanceof Element && target.querySelector('video') !== null;

/** What is still on its way in is pressed by nobody. */
function isMoving(element: HTMLElement): boolean {
  return document.getAnimations().some(({ effect, playState }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    const ends = effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    return playState === 'running' && ends && target?.contains(element) === true;
  });
}

export type Kit = typeof kit;
Object.assign(window, { kit });
