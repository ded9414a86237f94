import type { ReactNode } from 'react';
import type { Hour } from './hours.ts';
import styles from './night.module.css';

type Props = {
  children: ReactNode;
  hour?: Hour;
  /** Nothing of it moves for now: nobody sees it. */
  still?: boolean;
  /** Nothing of it moves at all: the phone spares its battery or its data. */
  calm?: boolean;
};

/**
 * The ground of the whole experience: one sky whose hours pass into each other, with stars that drift at two depths. Everything visible lives
 * inside it.
 */
export function Night({ children, hour = 'night', still = false, calm = false }: Props) {
  return (
    <main className={styles.night} data-hour={hour} data-still={still} data-calm={calm}>
      <div className={styles.sky} aria-hidden="true" data-stays>
        <div className={styles.dusk} />
        <div className={styles.deep} />
        <div className={styles.journey} />
        <div className={styles.dawn} />
        <div className={styles.light} />
        <div className={styles.far} />
        <div className={styles.near} />
        <div className={styles.grain} />
      </div>
      {children}
    </main>
  );
}
