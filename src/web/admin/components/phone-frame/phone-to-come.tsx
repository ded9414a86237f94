import { Skeleton } from '@mantine/core';
import styles from './phone-preview.module.css';

/** Placeholder of the phone next to an editor: the same size, and dark. */
export function PhoneSkeleton() {
  return (
    <figure className={styles.preview} aria-hidden>
      <div className={styles.phone}>
        <div className={styles.screen} style={{ aspectRatio: '390 / 844' }} />
      </div>
      <figcaption className={styles.caption}>
        <Skeleton h="0.85rem" w="8rem" />
      </figcaption>
    </figure>
  );
}
