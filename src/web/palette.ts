import { useLayoutEffect } from 'react';
import { nextTask } from './ui/waiting.ts';

type Palette = 'theme' | 'night' | 'admin';

/** The colours of the page while it is shown, up to the phone's own bars: the theme's, always night, or the administrator's pages' own. */
export function usePalette(palette: Palette): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.palette;
    dataset.palette = palette;
    setThemeColor();
    // The phone may turn dark in mid-visit.
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', setThemeColor);
    return () => {
      theme.removeEventListener('change', setThemeColor);
      dataset.palette = before;
    };
  }, [palette]);
}

/**
 * The phone’s own bars take the ground of what is shown: its palette’s, in the dress that is on. In a task of its own: to tell it, the browser works out
 * the style of the whole page that is just being changed.
 */
export function setThemeColor(): void {
  nextTask(() => {
    const ground = getComputedStyle(document.documentElement).getPropertyValue('--background');
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
      meta.content = ground;
  });
}
