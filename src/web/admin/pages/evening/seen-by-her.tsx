import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './seen-by-her.module.css';

/** A text as the visitor will read it. */
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
