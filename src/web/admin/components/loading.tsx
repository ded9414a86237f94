import { Paper, Skeleton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { commonTexts } from '../../../texts/admin/forms.ts';
import styles from './loading.module.css';

/** Expected content: cards, lines of a list, form fields, or files with pictures. */
export type Shape = 'cards' | 'rows' | 'fields' | 'pictures';

type LoadingProps = {
  shape: Shape;
  /** Number of placeholders. */
  count?: number;
};

/**
 * Placeholder in the shape of the expected content. Content below it stays hidden (`page-frame.module.css`), because the loaded
 * content would push it away.
 */
export function Loading({ shape, count = 3 }: LoadingProps) {
  useLoadingMarker();
  return (
    <div role="status" data-coming className={styles[shape]}>
      <VisuallyHidden>{commonTexts.loading}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <Piece key={index} shape={shape} />
      ))}
    </div>
  );
}

let coming = 0;

/**
 * Sets `data-waits` on the root element while a placeholder is shown. With `:has` alone, content stayed hidden in Chromium, which
 * does not always re-evaluate such a rule. An attribute on the root works.
 */
export function useLoadingMarker(): void {
  useLayoutEffect(() => {
    coming += 1;
    document.documentElement.toggleAttribute('data-waits', true);
    return () => {
      coming -= 1;
      document.documentElement.toggleAttribute('data-waits', coming > 0);
    };
  }, []);
}

function Piece({ shape }: { shape: Shape }): ReactNode {
  switch (shape) {
    case 'cards':
      return (
        <Paper withBorder p="md" className={styles.card}>
          <Skeleton h="1.2rem" w="45%" />
          <Skeleton h="0.8rem" w="85%" />
          <Skeleton h="0.8rem" w="60%" />
        </Paper>
      );
    case 'rows':
      return (
        <div className={styles.row}>
          <Skeleton circle h="1.6rem" className={styles.sign} />
          <div className={styles.card}>
            <Skeleton h="0.95rem" w="70%" />
            <Skeleton h="0.75rem" w="40%" />
          </div>
        </div>
      );
    case 'fields':
      return (
        <div className={styles.card}>
          <Skeleton h="0.9rem" w="35%" />
          <Skeleton h="2.75rem" />
        </div>
      );
    case 'pictures':
      return (
        <Paper withBorder className={styles.picture}>
          <Skeleton radius={0} className={styles.shown} />
          <div className={styles.words}>
            <Skeleton h="1rem" w="70%" />
            <Skeleton h="0.8rem" w="50%" />
            <Skeleton h="2.25rem" w="40%" />
          </div>
        </Paper>
      );
  }
}
