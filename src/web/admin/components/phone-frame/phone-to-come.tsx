import { Skeleton } from '@mantine/core';
import styles from './phone-preview.module.css';

/** The phone beside what is edited, until it is known what it shows: as large, and dark. */
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
