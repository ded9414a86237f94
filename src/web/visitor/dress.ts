import { useLayoutEffect } from 'react';
import type { Dress } from '../../domain/configuration.ts';
import { setThemeColor } from '../palette.ts';

/** Applies the evening's dress and leaves it on, so that the access screen afterwards looks the same. */
export function useDress(dress: Dress | undefined): void {
  useLayoutEffect(() => {
    if (dress === undefined) return;
    document.documentElement.dataset.dress = dress;
    setThemeColor();
  }, [dress]);
}
