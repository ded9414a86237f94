import { useLayoutEffect } from 'react';
import { nextTask } from './ui/waiting.ts';

type Palette = 'theme' | 'night' | 'admin';

/** Sets the page's colours, including the phone's own bars, while mounted: by theme, always night, or the administration's. */
export function usePalette(palette: Palette): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.palette;
    dataset.palette = palette;
    setThemeColor();
    // The phone may switch to dark during the visit.
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', setThemeColor);
    return () => {
      theme.removeEventListener('change', setThemeColor);
      dataset.palette = before;
    };
  }, [palette]);
}

/**
 * Gives the phone's own bars the background of the current palette and dress. Runs in a separate task: reading the colour forces a style
 * calculation of the whole page, which is just changing.
 */
export function setThemeColor(): void {
  nextTask(() => {
    const ground = getComputedStyle(document.documentElement).getPropertyValue('--background');
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
      meta.content = ground;
  });
}
