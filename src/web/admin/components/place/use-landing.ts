import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Returns a ref for a section's heading. When the address leads to it, the heading is scrolled into view and focused.
 * @param id undefined if no address leads here
 * @param path a separate address of the section
 */
export function useScrollToSection(id?: string, path?: string): RefObject<HTMLHeadingElement | null> {
  const { pathname, hash, key } = useLocation();
  const isHere = id !== undefined && (hash === '' ? pathname === path : hash === `#${id}`);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isHere && heading.current !== null) return keepInView(heading.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `key`: led here once more, by the same address
  }, [isHere, key]);
  return heading;
}

/** Input events that end the automatic scrolling. */
const USER_EVENTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps the heading in view until the first input, because content above may load later and push it away. */
function keepInView(heading: HTMLElement): () => void {
  const show = () => heading.scrollIntoView({ block: 'start' });
  const read = () => heading.focus({ preventScroll: true });
  // Content below a placeholder is hidden (`page-frame.module.css`); this heading must be visible.
  heading.style.visibility = 'visible';
  read();
  show();
  const growth = new ResizeObserver(show);
  growth.observe(document.body);
  const listeners = new AbortController();
  const end = () => {
    growth.disconnect();
    listeners.abort();
  };
  const { signal } = listeners;
  for (const type of USER_EVENTS) addEventListener(type, end, { passive: true, capture: true, signal });
  // After a changed `#id` in the address, the browser also scrolls there and drops the focus.
  const blurred = ({ relatedTarget }: FocusEvent) => (relatedTarget === null ? setTimeout(read) : end());
  heading.addEventListener('blur', blurred, { signal });
  return end;
}
