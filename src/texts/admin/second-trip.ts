/** The switch of the second trip, with its effect in each state. */
export const secondTripSwitchTexts = {
  label: 'C’è un secondo viaggio',
  on: 'Comincia dopo le risposte del primo. Le frasi finali del primo viaggio non si vedono: la serata si chiude con quelle del secondo.',
  off: 'La serata finisce con il primo viaggio. Quello che hai preparato non si cancella: riaccendilo e torna tutto com’era.',
  unset:
    'Per ora la serata finisce con il primo viaggio. Il secondo si accende da qui, o da solo appena ha una frase, un’immagine o i biglietti.',
  parts: 'Le parti del secondo viaggio, nell’ordine in cui si vedono',
} as const;

/** Shown on the pages of a second trip that there isn't, above a link to its switch. */
export const secondTripUnseenTexts = {
  title: 'Per ora non si vede',
  hint: 'Il secondo viaggio è spento: quello che scrivi qui resta salvato, ma non lo vede nessuno finché non lo riaccendi.',
  /** While nobody has used the switch. */
  unset:
    'Il secondo viaggio si vede appena ha una frase, un’immagine o i biglietti, o quando lo accendi. Fino ad allora quello che scrivi qui resta salvato, ma non lo vede nessuno.',
} as const;
