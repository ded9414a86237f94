/** On the pages of a second trip that isn't one yet (decision 12 of the product's rules). */
export const secondTripUnseenTexts = {
  title: 'Per ora non si vede',
  hint: 'Il secondo viaggio si vede appena ha una frase, un’immagine o i biglietti. Fino ad allora quello che scrivi qui resta salvato, ma non lo vede nessuno.',
} as const;
