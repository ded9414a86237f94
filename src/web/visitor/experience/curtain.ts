import { removeWhenGone } from '../../ui/remove-when-gone.ts';
import styles from './curtain.module.css';

/** What is left on the screen at the end dissolves over the page that comes: sky and hearts, and no word. */
export function dropCurtain(): void {
  const night = document.querySelector<HTMLElement>('main[data-hour]');
  if (night === null) return;
  const curtain = document.createElement('div');
  curtain.className = `${night.className} ${styles.curtain}`;
  // Its own, so that nothing of it is worked out anew when the page takes on another under it.
  Object.assign(curtain.dataset, night.dataset, { palette: 'night' });
  curtain.inert = true;
  curtain.append(...[...night.querySelectorAll('[data-stays]')].map((part) => part.cloneNode(true)));
  removeWhenGone(curtain);
  document.body.append(curtain);
}
