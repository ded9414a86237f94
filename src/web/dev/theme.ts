export type Theme = 'light' | 'dark';

const ASKED = /\(prefers-color-scheme: (light|dark)\)/;

/** Overrides the color scheme for the page's styles and scripts: a page in a frame always has the machine's theme. */
export function pretendTheme(theme: Theme): void {
  const real = window.matchMedia.bind(window);
  window.matchMedia = (query) => real(answered(query, theme));
  // The development server adds styles whenever a module loads.
  new MutationObserver(() => tellStyles(theme)).observe(document.head, { childList: true, subtree: true });
  tellStyles(theme);
}

function tellStyles(theme: Theme): void {
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
    if (rule instanceof CSSMediaRule) rule.media.mediaText = answered(rule.media.mediaText, theme);
  }
}

function answered(query: string, theme: Theme): string {
  return query.replace(ASKED, (_whole, asked) => (asked === theme ? 'all' : 'not all'));
}
