import { createContext } from 'react';
import type { Viaggio } from '../../../domain/content.ts';

/** Where a trip's tickets are to be had. A rehearsal has them at an address of its own. */
export const TicketsAddress = createContext(
  (viaggio: Viaggio): string => `/api/visit/tickets/${viaggio}/biglietti.pdf`,
);
