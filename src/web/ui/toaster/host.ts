let host: HTMLElement | null = null;
const movers = new Set<() => void>();

/** Puts the notices inside what covers the page, so that they stay in front and within reach; null takes them back out. */
export function showToastsIn(element: HTMLElement | null): void {
  host = element;
  for (const move of movers) move();
}

/** Where notices can be seen: what isn't inside the full-screen element can't, while there is one. */
export function toastsHost(): Element {
  return host ?? document.fullscreenElement ?? document.body;
}

/** Calls back whenever `toastsHost()` may have changed. */
export function onToastsHost(move: () => void): void {
  movers.add(move);
  document.addEventListener('fullscreenchange', move);
}
