import type { Page } from '@playwright/test';

/**
 * What jumps on the pages from now on, in words: every shift of layout that the browser tells of, also those that a tap has brought about (a test's
 * clock runs faster than a hand).
 */
export async function noteShifts(page: Page): Promise<string[]> {
  const shifts: string[] = [];
  await page.exposeBinding('tellShift', (_, shift: string) => shifts.push(shift));
  await page.addInitScript(() => {
    const { tellShift } = window as unknown as { tellShift: (shift: string) => void };
    type Shift = PerformanceEntry & {
      value: number;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    };
    const inWords = ({ x, y, width, height }: DOMRectReadOnly) =>
      [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ node, previousRect, currentRect }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return `${element?.tagName}.${element?.className} «${node?.textContent?.slice(0, 30)}» ${inWords(previousRect)} → ${inWords(currentRect)}`;
        });
        tellShift(`${location.pathname} ${value.toFixed(4)}: ${moved.join('; ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return shifts;
}
