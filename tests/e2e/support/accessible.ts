import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { commonTexts } from '../../../src/texts/admin/common.ts';
import { formTexts } from '../../../src/texts/admin/forms.ts';
import { expect } from './stage.ts';
import { probe, setViewport } from './walk.ts';

/** Axe finds nothing at all; `rules`: nothing that these speak of. */
export async function expectAxeClean(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(atRest);
  // Without frames there is nothing to gather in a page of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules === undefined ? axe : axe.withRules(rules)).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(inWords).join(' ')}`);
  expect(told).toEqual([]);
}

/** A colour on its way to another is neither: what moves only for a while has come to its end. */
async function atRest(): Promise<void> {
  const running = document
    .getAnimations()
    .filter(
      ({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity,
    );
  await Promise.all(running.map(({ finished }) => finished.catch(() => undefined)));
}

/** An element, and what it lacks: which colours, which name. */
const inWords = ({ html, any }: { html: string; any: { message: string }[] }) =>
  [html, ...any.map(({ message }) => message)].join(' ');

/** Nothing is wider than the screen. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  // A screen that has just become another is laid out anew a moment later.
  const tooWide = () =>
    probe<number>(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect.poll(tooWide).toBe(0);
}

/** What can be pressed and is smaller than a fingertip; where a line as a whole leads on, the line counts. */
const SMALL = `[...document.querySelectorAll('a, button, summary, input, select')]
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .map((element) => {
    const stretched = getComputedStyle(element, '::after').position === 'absolute';
    const { width, height, bottom } = (stretched ? element.offsetParent : element).getBoundingClientRect();
    return { name: element.textContent || element.ariaLabel, width: Math.round(width), height: Math.round(height), bottom };
  })
  .filter(({ width, height, bottom }) => bottom > 0 && (width < 44 || height < 44))
  .map(({ name, width, height }) => name + ' ' + width + '×' + height)`;

/** Whatever can be pressed on the page is as large as a fingertip (44 pixels). */
export async function expectFingerSized(page: Page): Promise<void> {
  expect(await probe<string[]>(page, SMALL)).toEqual([]);
}

/** As the visitor's own screens are held to: the film has no landmark around it. */
export async function expectNothingSerious(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

/**
 * What of the words on the page can't be read or could be shifted, in words. A text must lie inside the screen's width; above and below it
 * may go on where something scrolls to it. A word is broken only where it is longer than seven tenths of a line.
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
 * Who has set her phone's letters to twice their size still reads every word, and moves nothing sideways; so does everybody else.
 * @param still whether it is also asked that nothing can be shifted: of the visitor's pages, not of the adminSite's buttons
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

/** Between two looks, and for how long, in milliseconds: until all of them have settled. */
const [STEP, UNTIL] = [250, 14_000];

/**
 * Which hearts of the closing can be seen within its words' box at any moment of their fall, in words. Their movements are set to each moment in turn, so
 * that nothing is waited for.
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

/** What can be operated on a page of the administration, as somebody with a finger or a keyboard meets it. */

const CONTROLS = `[...document.querySelectorAll(
  'main :is(a[href], button, input, textarea, select, summary, [role=tab], [tabindex="0"])'
)].filter((one) => !one.disabled && !one.closest('[inert]') && one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0)`;

/**
 * The bottom edge, in pixels from the top of the page, of the first thing that can be done there; null where there is nothing to be done. What
 * leads elsewhere on every page, looks at the preview or only saves doesn't count; the buttons beside the title do where there is nothing else.
 */
export function firstAction(page: Page): Promise<{ bottom: number; name: string } | null> {
  return probe(
    page,
    `(() => {
      const apart = 'figure, [aria-label="${commonTexts.places}"], header a[aria-label="${commonTexts.back}"]';
      const all = ${CONTROLS}.filter((one) => !one.closest(apart) && one.type !== 'file' && one.textContent.trim() !== '${formTexts.save}');
      const first = all.find((one) => !one.closest('header')) ?? all[0];
      if (first === undefined) return null;
      return { bottom: Math.round(first.getBoundingClientRect().bottom + scrollY), name: first.ariaLabel || first.textContent || first.type };
    })()`,
  );
}

/** More than any page has. */
const MANY = 400;

/**
 * Goes through a page by Tab alone, from its beginning.
 * @returns what the keyboard never reached, or reached where it can't be seen: behind something, or without a mark of where it is
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
  // Of radio buttons and tabs only the chosen one is a stop; arrows lead to the others. A file's own field has a button in front of it.
  return probe(
    page,
    `${CONTROLS}.filter((one) => !window.reached.has(one) && one.tabIndex >= 0 && one.type !== 'file' && !(one.type === 'radio' && !one.checked))
      .map((one) => one.outerHTML.slice(0, 160))`,
  );
}
