import { createContext } from 'react';
import type { Viaggio } from '../../../domain/content.ts';

/** Returns the URL of a trip's tickets; rehearsal and Piano B provide another one. */
export const TicketsAddress = createContext(
  (viaggio: Viaggio): string => `/api/visit/tickets/${viaggio}/biglietti.pdf`,
);
