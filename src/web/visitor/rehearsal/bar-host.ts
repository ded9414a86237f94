import { useLayoutEffect, useState } from 'react';
import { mediaHost } from '../media-host.ts';
import styles from './bar.module.css';

/**
 * Where the bar lives: beside the page and, while the film covers everything else, inside the film's own wrapper, which is also what goes to
 * full screen. Moving takes the keyboard's focus away: it is given back.
 * @param overFilm the film is on
 */
export function useBarHost(overFilm: boolean): HTMLElement {
  const [host] = useState(makeHost);
  useLayoutEffect(() => {
    moved(host, () => (overFilm ? mediaHost().wrapper : document.body).prepend(host));
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

function moved(host: HTMLElement, move: () => void): void {
  const { activeElement } = document;
  const focused = activeElement instanceof HTMLElement && host.contains(activeElement) ? activeElement : null;
  move();
  // The film takes whatever lies beside it out of reach.
  host.inert = false;
  focused?.focus({ preventScroll: true });
}
