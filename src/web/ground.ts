import { useLayoutEffect } from 'react';

type Ground = 'theme' | 'night' | 'workshop';

/** What lies under the page while it is shown, up to the phone's own bars: the theme's colours, always night, or the workshop's own. */
export function useGround(ground: Ground): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.ground;
    dataset.ground = ground;
    setThemeColor(ground);
    return () => {
      dataset.ground = before;
    };
  }, [ground]);
}

const BARS: Record<Ground, [light: string, dark: string]> = {
  theme: ['#fbeee8', '#170d16'],
  night: ['#170d16', '#170d16'],
  workshop: ['#f7f5f4', '#171015'],
};

function setThemeColor(ground: Ground): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    meta.content = BARS[ground][meta.media.includes('light') ? 0 : 1];
  }
}
