import type { ReactNode } from 'react';
import styles from './sentence.module.css';

/** Shows an error or a wait in the scene's style: one sentence and at most one action. */
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
