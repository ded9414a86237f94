import { useLayoutEffect, useState } from 'react';
import { mediaHost } from '../media-host.ts';
import styles from './bar.module.css';

/**
 * Returns the bar's container: next to the page or, while the film covers everything, inside the film's wrapper, which goes to full
 * screen. Restores the keyboard focus after moving it.
 * @param overFilm the film is on
 */
export function useBarHost(overFilm: boolean): HTMLElement {
  const [host] = useState(makeHost);
  useLayoutEffect(() => {
    moveHost(host, () => (overFilm ? mediaHost().wrapper : document.body).prepend(host));
    if (overFilm) host.setAttribute('data-over', 'film');
    else host.removeAttribute('data-over');
  }, [host, overFilm]);
  useLayoutEffect(() => () => host.remove(), [host]);
  return host;
}

function makeHost(): HTMLElement {
  const host = document.createElement('div');
  host.className = styles['host'] ?? 'host';
  return host;
}

function moveHost(host: HTMLElement, move: () => void): void {
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement && host.contains(activeElement) ? activeElement : null;
  move();
  // The film makes all elements next to it inert.
  host.inert = false;
  focused?.focus({ preventScroll: true });
}
