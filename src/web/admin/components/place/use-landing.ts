import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * The heading of a place: whenever the address leads to it, it is brought into view, and reading goes on there.
 * @param id undefined: no address leads here
 * @param path an address of its own
 */
export function useScrollToSection(id?: string, path?: string): RefObject<HTMLHeadingElement | null> {
  const { pathname, hash, key } = useLocation();
  const isHere = id !== undefined && (hash === '' ? pathname === path : hash === `#${id}`);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isHere && heading.current !== null) return land(heading.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- `key`: led here once more, by the same address
  }, [isHere, key]);
  return heading;
}

/** What somebody does who goes on by themselves. */
const ACTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** What stands above may come later and push it away: it is kept in view until somebody does something. */
function land(heading: HTMLElement): () => void {
  const show = () => heading.scrollIntoView({ block: 'start' });
  const read = () => heading.focus({ preventScroll: true });
  // What comes later above keeps what stands below from being seen (`page-frame.module.css`): not who is led here.
  heading.style.visibility = 'visible';
  read();
  show();
  const growth = new ResizeObserver(show);
  growth.observe(document.body);
  const over = new AbortController();
  const end = () => {
    growth.disconnect();
    over.abort();
  };
  const { signal } = over;
  for (const act of ACTS) addEventListener(act, end, { passive: true, capture: true, signal });
  // Where somebody wrote another `#id` into the address, the browser goes there, too, and takes the focus to nowhere.
  const blurred = ({ relatedTarget }: FocusEvent) => (relatedTarget === null ? setTimeout(read) : end());
  heading.addEventListener('blur', blurred, { signal });
  return end;
}
