import { useEffect, useState } from 'react';

/** The scrollable element, its scroll range in phone pixels, and a number that changes with the element. */
export type Scroller = { element: HTMLElement; range: number; run: number };

/** Overflow up to this, in pixels, is rounding of a zoomed page. */
const ROUNDING = 2;

/** Returns the scrollable part of the phone's screen, or null if all of it is visible. */
export function useScroller(body: HTMLElement | null): Scroller | null {
  const [scroller, setScroller] = useState<Scroller | null>(null);
  useEffect(() => {
    if (body === null) return;
    const update = () => setScroller((before) => next(before, findScroller(body)));
    const changes = new MutationObserver(update);
    changes.observe(body, { childList: true, characterData: true, subtree: true });
    // A loaded font changes the line breaks.
    const { fonts } = body.ownerDocument;
    fonts.addEventListener('loadingdone', update);
    update();
    return () => {
      changes.disconnect();
      fonts.removeEventListener('loadingdone', update);
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
  const scrollable = [...body.querySelectorAll<HTMLElement>('*')].filter(overflows).find(mayScroll);
  // A phone's scrollbar takes no space; the visible one belongs to the layer above.
  if (scrollable !== undefined) scrollable.style.scrollbarWidth = 'none';
  return scrollable;
}

function overflows({ scrollHeight, clientHeight }: HTMLElement): boolean {
  return clientHeight > 0 && scrollHeight - clientHeight > ROUNDING;
}

function mayScroll(element: HTMLElement): boolean {
  return ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
}
