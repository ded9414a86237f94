import { useLetter } from '../letter.ts';
import styles from './seal.module.css';

type Props = {
  /** The code is being checked. */
  warm: boolean;
  /** Number of refused codes; each makes the seal shake. */
  refusals: number;
};

/** The letter's flap and its wax seal, which warms while the code is checked. */
export function Seal({ warm, refusals }: Props) {
  const { Broken } = useLetter();
  return (
    <div className={styles.letter} data-broken={Broken !== null} aria-hidden="true">
      <svg className={styles.flap} viewBox="0 0 400 120" preserveAspectRatio="none">
        <g id="flap">
          <path className={styles.paper} d="M0 0H400L212 110Q200 117 188 110Z" />
          <path className={styles.crease} d="M0 0 188 110Q200 117 212 110L400 0" />
        </g>
      </svg>
      <div key={refusals} className={styles.seal} data-warm={warm} data-shaken={refusals > 0} data-wax>
        <svg viewBox="0 0 100 100">
          <radialGradient id="wax" cx="0.36" cy="0.28" r="0.85">
            <stop className={styles.lit} offset="0" />
            <stop className={styles.plain} offset="0.5" />
            <stop className={styles.shaded} offset="1" />
          </radialGradient>
          <g id="seal">
            <path
              className={styles.wax}
              fill="url(#wax)"
              d="M50 3c8 0 11 5 18 7s14 1 19 7 4 13 7 19 6 9 5 17-7 11-9 17-1 14-8 19-13 3-19 5-9 5-17 4-11-6-17-8-14 0-19-7-3-13-5-19-6-9-4-17 7-10 8-17 1-14 7-18 12-3 17-5 9-4 17-4Z"
            />
            <circle className={styles.rim} cx="50" cy="50" r="33" />
            <path
              id="sign"
              className={styles.heart}
              d="M50 68C39 60 33 53.500 33 46a9 9 0 0 1 17-4.200A9 9 0 0 1 67 46c0 7.500-6 14-17 22Z"
            />
          </g>
        </svg>
      </div>
      {Broken && <Broken />}
    </div>
  );
}
