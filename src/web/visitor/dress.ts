import { useLayoutEffect } from 'react';
import type { Dress } from '../../domain/dresses.ts';
import { setThemeColor } from '../palette.ts';

/** Puts the evening's dress on while it is shown, and leaves it on: the access screen after it wears the same. */
export function useDress(dress: Dress | undefined): void {
  useLayoutEffect(() => {
    if (dress === undefined) return;
    document.documentElement.dataset.dress = dress;
    setThemeColor();
  }, [dress]);
}
