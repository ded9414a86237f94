/*
 * Runs in the page before everything else. Records errors that some engines hide, and states that a busy machine would miss.
 * Finds elements to press.
 */
(() => {
  const KEPT = 'kit.errors';
  const errors = () => JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  const { error: say } = console;
  console.error = (...what) => {
    say.apply(console, what);
    // Stored across a reload.
    sessionStorage.setItem(KEPT, JSON.stringify([...errors(), what.map(String).join(' ')]));
  };
  const tell = (type, inWords) => addEventListener(type, (event) => console.error(type, inWords(event)));
  tell('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    [effectiveDirective, blockedURI, sample].join(' '),
  );
  tell('error', ({ message, filename, lineno }) => `${message} ${filename}:${lineno}`);
  tell('unhandledrejection', ({ reason }) => String(reason));

  const capture = { capture: true };
  let sought;
  let met = null;
  addEventListener('click', ({ target }) => (met = sought?.contains(target) === true), capture);
  const been = { film: false, fullScreen: false, steps: 0 };
  for (const [target, type] of [
    [window, 'popstate'],
    [window.navigation, 'navigate'],
  ])
    target?.addEventListener(type, () => (been.steps += 1), capture);
  const holdsFilm = (target) => target instanceof Element && target.querySelector('video') !== null;
  addEventListener(
    'timeupdate',
    ({ target }) => (been.film ||= target.nodeName === 'VIDEO' && target.currentTime > 0),
    capture,
  );
  for (const type of ['fullscreenchange', 'webkitfullscreenchange'])
    addEventListener(type, ({ target }) => (been.fullScreen ||= holdsFilm(target)), capture);

  let written = '';
  const note = ({ target, addedNodes }) => {
    written += [target instanceof Text ? target : undefined, ...addedNodes]
      .map((node) => node?.textContent ?? '')
      .join(' ');
  };
  const everything = { subtree: true, childList: true, characterData: true };
  new MutationObserver((changes) => changes.forEach(note)).observe(document, everything);

  /** Returns true while a finite animation moves the element. Then it isn't pressed. */
  const isMoving = (element) =>
    document.getAnimations().some(({ effect, playState }) => {
      const ends = effect.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
      return playState === 'running' && ends && effect.target?.contains(element) === true;
    });

  window.kit = {
    errors,
    been,
    /** Returns true if the page contains the text or has contained it. */
    wrote: (text) => `${written} ${document.body.textContent}`.replace(/\s+/g, ' ').includes(text),
    /** Returns true if a file whose address ends with this has arrived. */
    hasFetched: (ending) =>
      performance
        .getEntriesByType('resource')
        .some(({ name, responseEnd }) => name.endsWith(ending) && responseEnd > 0),
    /** Returns true if the last press hit the sought element; null before a press. */
    met: () => met,
    /** Returns the middle of an element if it is enabled, in view, at rest and not covered. */
    spot(xpath) {
      const type = XPathResult.FIRST_ORDERED_NODE_TYPE;
      const element = document.evaluate(xpath, document, null, type).singleNodeValue;
      if (element === null || element.matches(':disabled') || isMoving(element)) return null;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = element.getBoundingClientRect();
      const spot = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
      [sought, met] = [element, null];
      return element.contains(document.elementFromPoint(spot.x, spot.y)) ? spot : null;
    },
  };
})();
