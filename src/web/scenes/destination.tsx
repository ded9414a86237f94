import type { CSSProperties } from 'react';
import styles from './destination.module.css';

type Props = {
  immagine_destinazione_url: string;
  titolo_destinazione: string;
  titolo_viaggio: string;
  /** How long it stays, in seconds. */
  seconds: number;
};

/** The picture opens slowly from a blur, its title over a soft shade, the trip's title beneath. */
export function Destination({
  immagine_destinazione_url,
  titolo_destinazione,
  titolo_viaggio,
  seconds,
}: Props) {
  return (
    <section
      className={styles.scene}
      style={{ '--seconds': `${seconds}s` } as CSSProperties}
      aria-live="polite"
    >
      <img className={styles.picture} src={immagine_destinazione_url} alt="" decoding="async" />
      <div className={styles.shade} />
      <div className={styles.titles}>
        <h1 className={styles.destination}>{titolo_destinazione}</h1>
        <p className={styles.trip}>{titolo_viaggio}</p>
      </div>
    </section>
  );
}
