import { useEffect, useState } from 'react';

/** What doesn't fit the phone's screen: the element that scrolls, how far in the phone's pixels, and a number that changes with it. */
export type Scroller = { element: HTMLElement; range: number; run: number };

/** Less than this, in pixels, is the rounding of a zoomed page and no text. */
const ROUNDING = 2;

/** The part of the phone's screen that can be scrolled, or null while all of it is seen. */
export function useScroller(body: HTMLElement | null): Scroller | null {
  const [scroller, setScroller] = useState<Scroller | null>(null);
  useEffect(() => {
    if (body === null) return;
    const look = () => setScroller((before) => next(before, findScroller(body)));
    const changes = new MutationObserver(look);
    changes.observe(body, { childList: true, characterData: true, subtree: true });
    // Letters of another width break lines elsewhere.
    const { fonts } = body.ownerDocument;
    fonts.addEventListener('loadingdone', look);
    look();
    return () => {
      changes.disconnect();
      fonts.removeEventListener('loadingdone', look);
    };
  }, [body]);
  return scroller;
}

function next(before: Scroller | null, element: HTMLElement | undefined): Scroller | null {
  if (element === undefined) return null;
  const range = element.scrollHeight - element.clientHeight;
  if (before?.element !== element) return { element, range, run: (before?.run ?? 0) + 1 };
  return before.range === range ? before : { ...before, range };
}

function findScroller(body: HTMLElement): HTMLElement | undefined {
  const found = [...body.querySelectorAll<HTMLElement>('*')].filter(overflows).find(mayScroll);
  // A phone's bar takes no room; the one that is seen is the window's.
  if (found !== undefined) found.style.scrollbarWidth = 'none';
  return found;
}

function overflows({ scrollHeight, clientHeight }: HTMLElement): boolean {
  return clientHeight > 0 && scrollHeight - clientHeight > ROUNDING;
}

function mayScroll(element: HTMLElement): boolean {
  return ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
}
