import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { commonTexts, formTexts } from '../../../src/texts/admin/forms.ts';
import { expect } from './stage.ts';
import { probe, setViewport } from './walk.ts';

/** Checks that axe finds nothing, or nothing of the given rules. */
export async function expectAxeClean(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(atRest);
  // Without frames, axe needs no separate page for its results.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(describeFault).join(' ')}`);
  expect(findings).toEqual([]);
}

/** Waits for the end of finite animations: a colour in transition has no valid contrast. */
async function atRest(): Promise<void> {
  const running = document
    .getAnimations()
    .filter(
      ({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity,
    );
  await Promise.all(running.map(({ finished }) => finished.catch(() => undefined)));
}

/** Returns an element with its faults: colours, missing names. */
const describeFault = ({ html, any }: { html: string; any: { message: string }[] }) =>
  [html, ...any.map(({ message }) => message)].join(' ');

/** Checks that no element is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // A new screen may be laid out a moment later.
  const tooWide = () =>
    probe<number>(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(tooWide).toBe(0);
}

/**
 * Returns pressable elements smaller than a fingertip. A link that covers its whole line counts with that size, a box to tick with its
 * label. A link in a sentence has the height of its line.
 */
const SMALL = `[...document.querySelectorAll('a, button, summary, input, select, textarea, [role=tab], [role=slider]')]
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((element) => !element.matches(':is(p, li, span) > a') || element.parentElement.textContent === element.textContent)
  .map((element) => {
    const isAbsolute = (part) => getComputedStyle(element, part).position === 'absolute';
    const stretched = getComputedStyle(element).position === 'static' && ['::after', '::before'].some(isAbsolute);
    const ticked = element.matches('[type=checkbox], [type=radio]') ? element.labels?.[0] : undefined;
    const target = ticked ?? (stretched ? element.offsetParent : element);
    const { width, height, bottom } = target.getBoundingClientRect();
    return { name: element.textContent || element.ariaLabel, width: Math.round(width), height: Math.round(height), bottom };
  })
  .filter(({ width, height, bottom }) => bottom > 0 && (width < 44 || height < 44))
  .map(({ name, width, height }) => name + ' ' + width + '×' + height)`;

/** Checks that every pressable element measures at least 44 px. */
export async function expectFingerSized(page: Page): Promise<void> {
  expect(await probe<string[]>(page, SMALL)).toEqual([]);
}

/** Checks a visitor's screen: no serious finding. Lesser ones are allowed, because the film has no landmark around it. */
export async function expectNothingSerious(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/**
 * Returns texts that are unreadable or could be shifted. A text must be inside the screen's width; vertically it may be scrolled to.
 * A word may only break if it is longer than 70 % of a line.
 */
const FAULTS = ({ width: wide, height: high }: Screen) => `(() => {
  const faults = [];
  // Not the window's own: what is too wide makes that wider on a phone.
  const [wide, high] = [${wide}, ${high}];
  const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const hidden = (element) => element.closest('[inert], script, style') !== null || !seen(element) ||
    [...parents(element)].some(({ clientWidth, clientHeight }) => clientWidth === 1 && clientHeight === 1);
  function* parents(element) { for (; element !== null; element = element.parentElement) yield element; }
  const scroller = (element) => [...parents(element)].find((parent) => {
    const { overflowY } = getComputedStyle(parent);
    return overflowY === 'auto' || overflowY === 'scroll';
  }) ?? (getComputedStyle(document.documentElement).position === 'fixed' ? null : document.scrollingElement);
  const fixed = (element) => [...parents(element)].some((parent) => getComputedStyle(parent).position === 'fixed');
  const line = 0.7 * Math.min(wide, 420);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const element = node.parentElement;
    if (node.data.trim() === '' || hidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom, width } of range.getClientRects()) {
      if (width < 1) continue;
      if (left < -1 || right > wide + 1) faults.push(['beside the screen', node.data, left, right].join(' '));
      const edge = [...parents(element)].find((parent) => {
        const box = parent.getBoundingClientRect();
        const closed = ['hidden', 'clip'].includes(getComputedStyle(parent).overflowX);
        return closed && parent !== document.body && (left < box.left - 1 || right > box.right + 1);
      });
      if (edge !== undefined) faults.push(['cut by', edge.tagName, edge.className, node.data, left, right].join(' '));
      const moves = scroller(element);
      const page = moves === document.scrollingElement;
      if (page && fixed(element) && (top < -1 || bottom > high + 1)) faults.push(['cut', node.data, top, bottom].join(' '));
      if (page && fixed(element)) continue;
      const start = page ? 0 : moves.getBoundingClientRect().top;
      const from = top - start + moves.scrollTop;
      const to = bottom - start + moves.scrollTop;
      if (from < -1 || to > moves.scrollHeight + 1) faults.push(['out of reach', node.data, from, to, moves.scrollHeight].join(' '));
    }
    for (const { index, 0: word } of node.data.matchAll(/[^\\s-]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
      const lines = new Set(boxes.map(({ top }) => Math.round(top)));
      const long = boxes.reduce((sum, { width }) => sum + width, 0);
      if (lines.size > 1 && long < line) faults.push(['broken', word, Math.round(long)].join(' '));
    }
  }
  for (const field of document.querySelectorAll('input[type=text]')) {
    if (field.scrollWidth > field.clientWidth + 1) faults.push(['cut', field.value, field.scrollWidth, field.clientWidth].join(' '));
  }
  for (const element of document.querySelectorAll('*')) {
    if (element.matches('input, textarea') || element.clientWidth <= 1) continue;
    const before = element.scrollLeft;
    element.scrollLeft = before + 40;
    if (element.scrollLeft !== before) faults.push(['can be shifted', element.tagName, element.className].join(' '));
    element.scrollLeft = before;
  }
  return faults;
})()`;

type Screen = { width: number; height: number };

const SCREENS: Screen[] = [
  { width: 320, height: 568 },
  { width: 844, height: 390 },
  { width: 360, height: 640 },
];

/**
 * Checks that with normal and with double text size every word is readable and nothing moves sideways.
 * @param still also checks that nothing can be shifted; for the visitor's pages, not for the administrator's buttons
 */
export async function expectRoomForLargeText(page: Page, still = true): Promise<void> {
  const before = page.viewportSize();
  const faults: Record<string, string[]> = {};
  for (const screen of SCREENS) {
    await setViewport(page, screen);
    for (const size of ['100%', '200%']) {
      await probe(page, `document.documentElement.style.fontSize = "${size}"`);
      const found = await probe<string[]>(page, FAULTS(screen));
      faults[`${screen.width} x ${screen.height}, ${size}`] = found.filter(
        (fault) => still || !fault.startsWith('can be shifted'),
      );
    }
  }
  await probe(page, 'document.documentElement.style.fontSize = ""');
  if (before !== null) await setViewport(page, before);
  expect.soft(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
}

/** Step and end of the examined animation, in ms; by the end all hearts are still. */
const [STEP, UNTIL] = [250, 14_000];

/**
 * Returns the closing hearts that are visible within the text's box at any moment of their fall.
 * Sets the animations to each moment, so that nothing waits.
 */
export function heartsUnderWords(page: Page): Promise<string[]> {
  return probe<string[]>(
    page,
    `(() => {
      const words = document.querySelector('[data-words]').getBoundingClientRect();
      const moving = document.getAnimations().filter(({ effect }) => effect.target.closest('[data-depth]'));
      const [settling, falling] = [moving.filter((it) => 'transitionProperty' in it), moving.filter((it) => !('transitionProperty' in it))];
      for (const it of settling) it.finish();
      for (const it of falling) it.pause();
      const faults = [];
      for (let ms = 0; ms <= ${UNTIL}; ms += ${STEP}) {
        for (const it of falling) it.currentTime = ms;
        for (const heart of document.querySelectorAll('[data-depth]')) {
          const { opacity, scale } = getComputedStyle(heart);
          const { x, y, right, bottom } = heart.getBoundingClientRect();
          const across = right > words.left && x < words.right && bottom > words.top && y < words.bottom;
          if (across && scale !== '0' && Number(opacity) > 0) faults.push([ms, x, y, opacity].join(' '));
        }
      }
      for (const it of falling) it.play();
      return faults;
    })()`,
  );
}

/** Operable elements of an administration page, by finger or keyboard. */

const CONTROLS = `[...document.querySelectorAll(
  'main :is(a[href], button, input, textarea, select, summary, [role=tab], [tabindex="0"])'
)].filter((one) => !one.disabled && !one.closest('[inert]') && one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)`;

/**
 * Returns the bottom edge of the page's first action in px from the top, or null if there is none.
 * Navigation, preview and saving don't count. The buttons next to the title count if there is no other.
 */
export function firstAction(page: Page): Promise<{ bottom: number; name: string } | null> {
  return probe(
    page,
    `(() => {
      const apart = 'figure, nav, header a[aria-label="${commonTexts.back}"]';
      const all = ${CONTROLS}.filter((one) => !one.closest(apart) && one.type !== 'file' && !['${formTexts.save}', '${commonTexts.saveStates.saved}'].includes(one.textContent.trim()));
      const first = all.find((one) => !one.closest('header')) ?? all[0];
      if (first === undefined) return null;
      return { bottom: Math.round(first.getBoundingClientRect().bottom + scrollY), name: first.ariaLabel || first.textContent || first.type };
    })()`,
  );
}

/** More than any page has. */
const MANY = 400;

/**
 * Presses Tab through a page from its beginning.
 * @returns the elements that the keyboard doesn't reach
 */
export async function unreachedByTab(page: Page): Promise<string[]> {
  await probe(page, `void (document.querySelector('main').focus(), (window.reached = new Set()))`);
  const all = () => probe<number>(page, `${CONTROLS}.length`);
  const count = await all();
  for (let presses = 0; presses < Math.min(MANY, count + 50); presses++) {
    await page.keyboard.press('Tab');
    const inside = await probe<boolean>(
      page,
      `(() => {
        const at = document.activeElement;
        if (at === null || !document.querySelector('main').contains(at)) return false;
        window.reached.add(at);
        return true;
      })()`,
    );
    if (!inside) break;
  }
  // Only the chosen radio button or tab is a Tab stop; arrows lead to the others. A file field has its own button.
  return probe(
    page,
    `${CONTROLS}.filter((one) => !window.reached.has(one) && one.tabIndex >= 0 && one.type !== 'file' && !(one.type === 'radio' && !one.checked))
      .map((one) => one.outerHTML.slice(0, 160))`,
  );
}
