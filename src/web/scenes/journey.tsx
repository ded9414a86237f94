import { DEFAULT_TEXTS } from '../../domain/limits.ts';
import { experienceTexts as texts } from '../../texts/experience.ts';
import styles from './journey.module.css';

/** Dates from this length on have a smaller size and a separate line. */
const LONG_DATE = 24;
const isLong = (date: string) => date.length > LONG_DATE;

/** Returns true if both dates have the same text: a day trip, or dates not known yet. */
export const isOneDay = (partenza: string, ritorno: string): boolean =>
  partenza.toLowerCase() === ritorno.toLowerCase();

/** Shows the dates of the journey with an aeroplane between them; one date if both are equal or unknown. */
export function Journey({ partenza, ritorno }: { partenza: string; ritorno: string }) {
  if (isOneDay(partenza, ritorno)) {
    return (
      <dl className={styles.journey} data-form="one">
        <Plane />
        <DateOf label={texts.dayTrip} date={partenza} />
      </dl>
    );
  }
  return (
    <dl className={styles.journey} data-form={isLong(partenza) || isLong(ritorno) ? 'below' : 'side'}>
      <DateOf label={texts.departure} date={partenza} />
      <Plane />
      <DateOf label={texts.return} date={ritorno} />
    </dl>
  );
}

function DateOf({ label, date }: { label: string; date: string }) {
  return (
    <div className={styles.date} data-missing={date === DEFAULT_TEXTS.data} data-long={isLong(date)}>
      <dt>{label}</dt>
      <dd dir="auto">{date}</dd>
    </div>
  );
}

function Plane() {
  return (
    <div className={styles.plane} aria-hidden="true">
      <svg viewBox="0 0 24 24" width="22" height="22">
        <path
          fill="currentColor"
          d="M21.4 11.1 13.9 8.6 9.6 2.9c-.2-.3-.5-.4-.9-.4H7.6l2.1 6L5 8.2 3.3 6H2l1.2 5.1c.1.3.1.5 0 .8L2 17h1.3L5 14.8l4.7-.3-2.1 6h1.1c.4 0 .7-.1.9-.4l4.3-5.7 7.5-2.5c.5-.2.5-.7 0-.8Z"
        />
      </svg>
    </div>
  );
}
