import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Viaggio } from '../../../domain/content.ts';
import {
  type AvailableTickets,
  availableTickets,
  isEnding,
  screenOf,
} from '../../../experience/selectors.ts';
import { experienceTexts as texts } from '../../../texts/experience.ts';
import { ActionButton } from '../../scenes/action.tsx';
import { openTickets, type Tickets } from '../media/tickets.ts';
import { prefetchPages } from './prefetch.ts';
import type { ScreenProps } from './screen-props.ts';
import { TicketsAddress } from './tickets-address.ts';
import styles from './tickets-shelf.module.css';
import { TicketsView } from './tickets-view.tsx';
import { useSelector } from './use-selector.ts';

export type TicketsContextValue = {
  /** Returns a trip's tickets; the same object each time. */
  of(viaggio: Viaggio): Tickets;
  /** Opens the viewer. */
  openViewer(): void;
};

const TicketsContext = createContext<TicketsContextValue | null>(null);

/** Returns the evening's tickets, inside a `TicketsProvider`. */
export function useTickets(): TicketsContextValue {
  const contextValue = useContext(TicketsContext);
  if (contextValue === null) throw new Error('There is no shelf of tickets around');
  return contextValue;
}

/**
 * Makes the tickets available (decision 023). They are fetched with their card, for use without a network, and stay until the evening
 * ends. The viewer opens over any stage, and the evening waits until it is closed. A quiet button above every stage opens it again,
 * except on the card, which has buttons for it.
 */
export function TicketsProvider({ actor, children }: ScreenProps & { children: ReactNode }) {
  const address = useContext(TicketsAddress);
  const [ticketStore] = useState(() => keepTickets(address));
  useEffect(() => ticketStore.close, [ticketStore]);
  const available = useSelector(actor, availableTickets, sameTickets);
  useEffect(() => {
    for (const { viaggio, ticket_pages } of available) {
      ticketStore.of(viaggio).fetchAhead();
      prefetchPages(ticket_pages ?? []);
    }
  }, [available, ticketStore]);
  const screen = useSelector(actor, screenOf);
  const [shown, setShown] = useState<readonly AvailableTickets[]>([]);
  const openViewer = () => {
    actor.send({ type: 'VIEW' });
    setShown(available);
  };
  const close = () => {
    actor.send({ type: 'VIEW_CLOSED' });
    setShown([]);
  };
  const hasButton = available.length > 0 && screen !== 'card';
  const ending = useSelector(actor, isEnding);
  // The last scene keeps its layout while it leaves.
  const [head, setHead] = useState(hasButton);
  if (!ending && head !== hasButton) setHead(hasButton);
  return (
    <TicketsContext value={{ of: ticketStore.of, openViewer }}>
      <div className={styles.layers} data-head={head}>
        {children}
        {hasButton && (
          <div className={styles.above}>
            <ActionButton quiet className={styles.open} onClick={openViewer}>
              {texts.tickets}
            </ActionButton>
          </div>
        )}
      </div>
      {shown.length > 0 && screen !== 'disconnected' && screen !== 'over' && (
        <TicketsView
          trips={shown.map((trip) => ({ ...trip, address: address(trip.viaggio) }))}
          onClose={close}
        />
      )}
    </TicketsContext>
  );
}

/** Opens each trip's tickets once and closes all of them with the evening. */
function keepTickets(address: (viaggio: Viaggio) => string) {
  const opened = new Map<Viaggio, Tickets>();
  const of: TicketsContextValue['of'] = (viaggio) => {
    const tickets = opened.get(viaggio) ?? openTickets(address(viaggio));
    opened.set(viaggio, tickets);
    return tickets;
  };
  const close = () => {
    for (const tickets of opened.values()) tickets.close();
  };
  return { of, close };
}

/** The selector returns a new list each time; compares the contents. */
function sameTickets(a: readonly AvailableTickets[], b: readonly AvailableTickets[]): boolean {
  return a.length === b.length && a.every(({ viaggio }, index) => viaggio === b[index]?.viaggio);
}
