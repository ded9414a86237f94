import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './seen-by-her.module.css';

/** Words as they will be read on the visitor's side. */
export function VisitorPreview({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className={styles.figure}>
      <Text component="figcaption" size="sm" c="dimmed">
        {label}
      </Text>
      <div className={styles.words}>{children}</div>
    </figure>
  );
}
