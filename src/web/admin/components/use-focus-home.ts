import { useEffect, useRef } from 'react';

/** The question before a removal gives the focus back to a button that may be gone by then: looked at again after this long, in milliseconds. */
const DIALOG_CLOSED_MS = 400;

/**
 * When a row goes away that the keyboard stood in, its list takes the focus; otherwise the reading would start over at the top of the page.
 * @param count how many rows there are; undefined while they aren't known
 * @returns a ref for the list (which needs `tabIndex={-1}`)
 */
export function useRestoreFocus<List extends HTMLElement>(count: number | undefined) {
  const list = useRef<List>(null);
  const before = useRef(count);
  useEffect(() => {
    const fewer = count !== undefined && before.current !== undefined && count < before.current;
    before.current = count;
    if (!fewer) return;
    const takeFocus = () => {
      if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
    };
    takeFocus();
    const timer = setTimeout(takeFocus, DIALOG_CLOSED_MS);
    return () => clearTimeout(timer);
  }, [count]);
  return list;
}
