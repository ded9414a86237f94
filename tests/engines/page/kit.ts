import { install } from '@sinonjs/fake-timers';

/**
 * Runs in the page before everything else. Tells of errors that some engines keep to themselves, finds what is to be pressed, and, where its
 * tag says so, puts a clock into the page: time passes as ever, and at once when a test lets it.
 */
const clock =
  document.currentScript?.dataset['clock'] === undefined
    ? undefined
    : install({
        shouldAdvanceTime: true,
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
      });

addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, sample }) =>
  console.error(['policy broken', effectiveDirective, blockedURI, sourceFile, sample].join(' ')),
);
addEventListener('error', ({ message, filename, lineno }) =>
  console.error(`uncaught: ${message} ${filename}:${lineno}`),
);
addEventListener('unhandledrejection', ({ reason }) => console.error(`unhandled: ${String(reason)}`));

const kit = {
  /** Lets so many milliseconds pass. Without a clock they pass by themselves. */
  pass: async (ms: number) => void (await clock?.tickAsync(ms)),

  /** All that is written in the page. */
  text: () => (document.body?.textContent ?? '').replace(/\s+/g, ' '),

  /** Where an element can be pressed: the middle of it, when it is on, in view and nothing lies over it. */
  spot(xpath: string): { x: number; y: number } | null {
    const type = XPathResult.FIRST_ORDERED_NODE_TYPE;
    const element = document.evaluate(xpath, document, null, type).singleNodeValue;
    if (!(element instanceof HTMLElement) || element.matches(':disabled')) return null;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    const spot = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    return element.contains(document.elementFromPoint(spot.x, spot.y)) ? spot : null;
  },
};

export type Kit = typeof kit;
Object.assign(window, { kit });
