import type { ReactNode } from 'react';
import { experienceTexts as texts } from '../../texts/experience.ts';
import styles from './boarding-pass.module.css';

type Props = {
  titolo_destinazione: string;
  titolo_viaggio: string;
  data_partenza: string;
  data_ritorno: string;
  testo_istruzioni_biglietti: string;
  /** The stub: what can be done with the tickets. */
  children: ReactNode;
};

/** The trip card as a boarding pass: titles, the two dates, and a perforated stub with the tickets. */
export function BoardingPass(props: Props) {
  return (
    <section className={styles.scene}>
      <article className={styles.pass}>
        <div className={styles.main}>
          <header className={styles.head}>
            <p className={styles.kind}>{texts.boardingPass}</p>
            <h1 className={styles.trip}>{props.titolo_viaggio}</h1>
            <p className={styles.destination}>{props.titolo_destinazione}</p>
          </header>
          <dl className={styles.dates}>
            <DateOf label={texts.departure} date={props.data_partenza} />
            <Flight />
            <DateOf label={texts.return} date={props.data_ritorno} />
          </dl>
        </div>
        <footer className={styles.stub}>
          {props.children}
          <p className={styles.instructions}>{props.testo_istruzioni_biglietti}</p>
        </footer>
      </article>
    </section>
  );
}

function DateOf({ label, date }: { label: string; date: string }) {
  return (
    <div className={styles.date}>
      <dt>{label}</dt>
      <dd>{date}</dd>
    </div>
  );
}

function Flight() {
  return (
    <div className={styles.flight} aria-hidden="true">
      <svg viewBox="0 0 24 24" width="22" height="22">
        <path
          fill="currentColor"
          d="M21.4 11.1 13.9 8.6 9.6 2.9c-.2-.3-.5-.4-.9-.4H7.6l2.1 6L5 8.2 3.3 6H2l1.2 5.1c.1.3.1.5 0 .8L2 17h1.3L5 14.8l4.7-.3-2.1 6h1.1c.4 0 .7-.1.9-.4l4.3-5.7 7.5-2.5c.5-.2.5-.7 0-.8Z"
        />
      </svg>
    </div>
  );
}
