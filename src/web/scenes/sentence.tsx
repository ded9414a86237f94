import type { ReactNode } from 'react';
import styles from './sentence.module.css';

/** Trouble and waiting are part of the film: the same ground, one sentence, and one thing to press where there is one. */
export function StatusMessage({
  text,
  children,
  quiet = false,
}: {
  text: string;
  children?: ReactNode;
  quiet?: boolean;
}) {
  return (
    <section className={styles.scene} data-quiet={quiet} role="status">
      <p className={styles.text}>{text}</p>
      {children}
    </section>
  );
}
