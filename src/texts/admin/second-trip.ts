/** Shown on the pages of a second trip that doesn't exist yet. */
export const secondTripUnseenTexts = {
  title: 'Per ora non si vede',
  hint: 'Il secondo viaggio si vede appena ha una frase, un’immagine o i biglietti. Fino ad allora quello che scrivi qui resta salvato, ma non lo vede nessuno.',
} as const;
