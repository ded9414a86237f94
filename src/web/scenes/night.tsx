import type { CSSProperties, ReactNode } from 'react';
import type { Viaggio } from '../../domain/content.ts';
import type { Hues } from '../../domain/hues.ts';
import type { SkyPhase } from './hours.ts';
import styles from './night.module.css';

type Props = {
  children: ReactNode;
  hour?: SkyPhase;
  /** Trip of the `journey` phase, and sky colours of each trip's picture. */
  viaggio?: Viaggio;
  hues?: Partial<Record<Viaggio, Hues | null>>;
  /** Pauses all animations while hidden. */
  still?: boolean;
  /** Disables all animations to save battery or data. */
  calm?: boolean;
};

/** One sky per trip, so that they can crossfade when the second follows directly. */
const JOURNEYS = [1, 2] as const;

/** The background of the whole evening: one sky whose phases crossfade, with stars drifting at two depths. Contains everything visible. */
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

/** Returns the custom properties for a picture's colours. */
export function paintedIn(hues: Hues | null | undefined): CSSProperties | undefined {
  return hues ? { '--journey-high': hues.high, '--journey-low': hues.low } : undefined;
}
