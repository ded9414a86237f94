/** What the page says when no usable answer of the server arrived. */
export const networkTexts = {
  offline: 'Connessione assente. Controlla la rete e riprova.',
  unexpected: 'Si è verificato un errore',
} as const;
