/*
 * Runs in the page before everything else. Keeps errors that some engines keep to themselves, notes what has been, though a busy machine may look
 * only when it is over, and finds what is to be pressed.
 */
(() => {
  const KEPT = 'kit.errors';
  const errors = () => JSON.parse(sessionStorage.getItem(KEPT) ?? '[]');
  const { error: say } = console;
  console.error = (...what) => {
    say.apply(console, what);
    // Kept over a reload.
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

  /** Is what is on its way in still moving? It is pressed by nobody. */
  const isMoving = (element) =>
    document.getAnimations().some(({ effect, playState }) => {
      const ends = effect.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
      return playState === 'running' && ends && effect.target?.contains(element) === true;
    });

  window.kit = {
    errors,
    been,
    /** Returns true if the text is in the page, or was. */
    wrote: (text) => `${written} ${document.body.textContent}`.replace(/\s+/g, ' ').includes(text),
    /** Returns true if a file whose address ends so has arrived. */
    hasFetched: (ending) =>
      performance
        .getEntriesByType('resource')
        .some(({ name, responseEnd }) => name.endsWith(ending) && responseEnd > 0),
    /** Returns true if the last press has met what was sought; null before there was one. */
    met: () => met,
    /** The middle of an element, when it is on, in view, at rest, and nothing lies over it. */
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
