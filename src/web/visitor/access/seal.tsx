import styles from './seal.module.css';

/** The letter's flap and its wax; the wax warms while the code is checked. */
export function Seal({ warm }: { warm: boolean }) {
  return (
    <div className={styles.letter} aria-hidden="true">
      <svg className={styles.flap} viewBox="0 0 400 120" preserveAspectRatio="none">
        <path className={styles.paper} d="M0 0H400L212 110Q200 117 188 110Z" />
        <path className={styles.crease} d="M0 0 188 110Q200 117 212 110L400 0" />
      </svg>
      <div className={styles.seal} data-warm={warm}>
        <svg viewBox="0 0 100 100">
          <radialGradient id="wax" cx="0.36" cy="0.28" r="0.85">
            <stop offset="0" stopColor="#bb4a6b" />
            <stop offset="0.5" stopColor="#96304f" />
            <stop offset="1" stopColor="#6d1f3f" />
          </radialGradient>
          <path
            className={styles.wax}
            fill="url(#wax)"
            d="M50 3c8 0 11 5 18 7s14 1 19 7 4 13 7 19 6 9 5 17-7 11-9 17-1 14-8 19-13 3-19 5-9 5-17 4-11-6-17-8-14 0-19-7-3-13-5-19-6-9-4-17 7-10 8-17 1-14 7-18 12-3 17-5 9-4 17-4Z"
          />
          <circle className={styles.rim} cx="50" cy="50" r="33" />
          <path
            className={styles.heart}
            d="M50 68C39 60 33 53.500 33 46a9 9 0 0 1 17-4.200A9 9 0 0 1 67 46c0 7.500-6 14-17 22Z"
          />
        </svg>
      </div>
    </div>
  );
}
