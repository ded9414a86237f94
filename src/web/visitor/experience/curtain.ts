import styles from './curtain.module.css';

/** A browser that tells of no animation's end has shown it by then, in milliseconds. */
const GONE_AFTER_MS = 4_000;

/** What is left on the screen at the end dissolves over the page that comes: sky and hearts, and no word. */
export function dropCurtain(): void {
  const night = document.querySelector('main');
  if (night === null) return;
  const curtain = document.createElement('div');
  curtain.className = `${night.className} ${styles.curtain}`;
  Object.assign(curtain.dataset, night.dataset);
  curtain.inert = true;
  curtain.append(...[...night.querySelectorAll('[data-stays]')].map((part) => part.cloneNode(true)));
  const remove = () => curtain.remove();
  curtain.addEventListener('animationend', remove);
  setTimeout(remove, GONE_AFTER_MS);
  document.body.append(curtain);
}
