import { type ReactNode, useEffect } from 'react';
import styles from './with-preview.module.css';

type WithPreviewProps = {
  /** Where saving stands, with its button. */
  bar?: ReactNode;
  preview: ReactNode;
  children: ReactNode;
};

/**
 * What is edited, and beside it the phone that shows it. On a narrow screen the phone is small and stays at the top, with where saving
 * stands: both are seen while somebody types.
 */
export function WithPreview({ bar, preview, children }: WithPreviewProps) {
  useEffect(keepAboveKeyboard, []);
  return (
    <div className={styles.columns}>
      <div className={styles.edited}>{children}</div>
      <div className={styles.aside}>
        {bar !== undefined && <div className={styles.bar}>{bar}</div>}
        {preview}
      </div>
    </div>
  );
}

/** An iPhone pushes the page up under its keyboard, with all that sticks to the top: how far is written down for the styles. */
function keepAboveKeyboard(): (() => void) | undefined {
  const { visualViewport } = window;
  if (visualViewport === null) return;
  const over = new AbortController();
  const { style } = document.documentElement;
  const write = () => style.setProperty('--pushed-up', `${Math.max(0, visualViewport.offsetTop)}px`);
  visualViewport.addEventListener('scroll', write, over);
  visualViewport.addEventListener('resize', write, over);
  return () => {
    over.abort();
    style.removeProperty('--pushed-up');
  };
}
