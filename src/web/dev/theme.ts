export type Theme = 'light' | 'dark';

const THEME_QUERY = /\(prefers-color-scheme: (light|dark)\)/;

/** Overrides the color scheme for the page's styles and scripts: a page in a frame always has the machine's theme. */
export function pretendTheme(theme: Theme): void {
  const real = window.matchMedia.bind(window);
  window.matchMedia = (query) => real(replaceQuery(query, theme));
  // The development server adds styles whenever a module loads.
  new MutationObserver(() => updateStyles(theme)).observe(document.head, { childList: true, subtree: true });
  updateStyles(theme);
}

function updateStyles(theme: Theme): void {
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
    if (rule instanceof CSSMediaRule) rule.media.mediaText = replaceQuery(rule.media.mediaText, theme);
  }
}

function replaceQuery(query: string, theme: Theme): string {
  return query.replace(THEME_QUERY, (_whole, queried) => (queried === theme ? 'all' : 'not all'));
}
