import { useState } from 'react';
import type { TicketsAtHand } from '../../experience/selectors.ts';
import { TicketsView } from '../visitor/experience/tickets-view.tsx';

type Props = {
  trip: TicketsAtHand;
  /** Where they are to be had as a PDF. */
  address: string;
  onClose: () => void;
};

/** A trip's tickets in the evening's own viewer; in memory as long as it is open, and no longer. */
export function KeptTickets({ trip, address, onClose }: Props) {
  const [tickets] = useState(() => ({ bytes: () => fetchTickets(address) }));
  return <TicketsView trips={[{ ...trip, tickets }]} onClose={onClose} />;
}

async function fetchTickets(address: string): Promise<Blob> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`tickets: ${answer.status}`);
  return answer.blob();
}
