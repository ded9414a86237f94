import type { ReactNode } from 'react';
import styles from './with-preview.module.css';

/** What is edited, and beside it (below it on a narrow screen) the phone that shows it. */
export function WithPreview({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div className={styles.edited}>{children}</div>
      <div className={styles.preview}>{preview}</div>
    </div>
  );
}
