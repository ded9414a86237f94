import type { ReactNode } from 'react';
import styles from './night.module.css';

/** The ground of the whole experience: night and rose in a light that drifts very slowly. Everything visible lives inside it. */
export function Night({ children, still = false }: { children: ReactNode; still?: boolean }) {
  return (
    <main className={styles.night} data-still={still}>
      <div className={styles.light} aria-hidden="true" />
      {children}
    </main>
  );
}
