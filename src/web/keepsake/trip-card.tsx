import { useState } from 'react';
import type { StageContent } from '../../domain/stage-content.ts';
import { keepsakeTexts as texts } from '../../texts/keepsake.ts';
import { ActionButton, ActionLink } from '../scenes/action.tsx';
import { isOneDay } from '../scenes/journey.tsx';
import { TicketsView } from '../visitor/experience/tickets-view.tsx';
import styles from './page.module.css';

type Card = Extract<StageContent, { stage: 'card' }>;
type Props = {
  card: Card;
  /** The dates are readable, so that a calendar file exists. */
  hasDays: boolean;
};

/** Shows a trip: destination, dates, tickets and calendar file. */
export function TripCard({ card, hasDays }: Props) {
  const { viaggio, titolo_destinazione, titolo_viaggio, biglietti_url } = card;
  return (
    <section className={styles.card} aria-label={titolo_viaggio}>
      <p dir="auto" className={styles.small}>
        {titolo_viaggio}
      </p>
      <h2 dir="auto" className={styles.destination}>
        {titolo_destinazione}
      </h2>
      <dl className={styles.dates}>
        {daysOf(card).map(([label, day]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{day}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.ways}>
        {biglietti_url !== null && <Tickets trip={card} />}
        {hasDays && (
          <ActionLink quiet href={`/api/keepsake/calendar/${viaggio}/viaggio.ics`}>
            {texts.calendar}
          </ActionLink>
        )}
      </div>
    </section>
  );
}

/** Returns the dates with labels; equal dates appear once, as on the boarding pass. */
function daysOf({ data_partenza, data_ritorno }: Card): [label: string, day: string][] {
  if (isOneDay(data_partenza, data_ritorno)) return [[texts.dayTrip, data_partenza]];
  return [
    [texts.departure, data_partenza],
    [texts.return, data_ritorno],
  ];
}

/** Offers the tickets to download and to view in the page. */
function Tickets({ trip }: { trip: Card }) {
  const address = `/api/keepsake/tickets/${trip.viaggio}/biglietti.pdf`;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionLink href={address} download="biglietti.pdf" target="_blank" rel="noopener">
        {texts.download}
      </ActionLink>
      <ActionButton quiet onClick={() => setOpen(true)}>
        {texts.view}
      </ActionButton>
      {isOpen && <TicketsView trips={[{ ...trip, address }]} onClose={() => setOpen(false)} />}
    </>
  );
}
