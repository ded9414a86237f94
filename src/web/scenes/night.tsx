import type { CSSProperties, ReactNode } from 'react';
import type { Viaggio } from '../../domain/content.ts';
import type { Hues } from '../../domain/hues.ts';
import type { SkyPhase } from './hours.ts';
import styles from './night.module.css';

type Props = {
  children: ReactNode;
  hour?: SkyPhase;
  /** The journey whose hour it is, and what each one's sky takes from its picture. */
  viaggio?: Viaggio;
  hues?: Partial<Record<Viaggio, Hues | null>>;
  /** Nothing of it moves for now: nobody sees it. */
  still?: boolean;
  /** Nothing of it moves at all: the phone spares its battery or its data. */
  calm?: boolean;
};

/** A sky each: one passes into the other where a second journey follows at once. */
const JOURNEYS = [1, 2] as const;

/**
 * The ground of the whole experience: one sky whose hours pass into each other, with stars that drift at two depths. Everything visible lives
 * inside it.
 */
export function Night({
  children,
  hour = 'night',
  viaggio = 1,
  hues = {},
  still = false,
  calm = false,
}: Props) {
  return (
    <main className={styles.night} data-hour={hour} data-still={still} data-calm={calm}>
      <div className={styles.sky} aria-hidden="true" data-stays>
        <div className={styles.dusk} />
        <div className={styles.deep} />
        {JOURNEYS.map((each) => (
          <div
            key={each}
            className={styles.journey}
            data-on={hour === 'journey' && each === viaggio}
            style={paintedIn(hues[each])}
          />
        ))}
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

/** A scene's own hues. */
export function paintedIn(hues: Hues | null | undefined): CSSProperties | undefined {
  return hues ? { '--journey-high': hues.high, '--journey-low': hues.low } : undefined;
}
