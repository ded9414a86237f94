/** Messages for requests without a usable reply of the server. */
export const networkTexts = {
  offline: 'Connessione assente. Controlla la rete e riprova.',
  unexpected: 'Si è verificato un errore',
} as const;
