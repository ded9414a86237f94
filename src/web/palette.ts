import { useLayoutEffect } from 'react';

type Palette = 'theme' | 'night' | 'admin';

/** The colours of the page while it is shown, up to the phone's own bars: the theme's, always night, or the administrator's pages' own. */
export function usePalette(palette: Palette): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.palette;
    dataset.palette = palette;
    setThemeColor(palette);
    return () => {
      dataset.palette = before;
    };
  }, [palette]);
}

const BARS: Record<Palette, [light: string, dark: string]> = {
  theme: ['#fbeee8', '#170d16'],
  night: ['#170d16', '#170d16'],
  admin: ['#f7f5f4', '#171015'],
};

function setThemeColor(palette: Palette): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = BARS[palette][meta.media.includes('light') ? 0 : 1];
  }
}
