import type { Page } from '@playwright/test';
import { expect } from './stage.ts';
import { turnTo } from './turn.ts';
import { probe } from './walk.ts';

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
    await turnTo(page, screen);
    for (const size of ['100%', '200%']) {
      await probe(page, `document.documentElement.style.fontSize = "${size}"`);
      const found = await probe<string[]>(page, FAULTS(screen));
      faults[`${screen.width} x ${screen.height}, ${size}`] = found.filter(
        (fault) => still || !fault.startsWith('can be shifted'),
      );
    }
  }
  await probe(page, 'document.documentElement.style.fontSize = ""');
  if (before !== null) await turnTo(page, before);
  expect.soft(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
}
