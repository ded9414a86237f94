import { useEffect, useRef } from 'react';

/** Delay of the second check in ms: the confirmation dialog returns the focus to a button that may have been removed. */
const DIALOG_CLOSED_MS = 400;

/**
 * Moves the focus to the list when its focused row is removed. Otherwise reading would restart at the top of the page.
 * @param count number of rows; undefined while unknown
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
