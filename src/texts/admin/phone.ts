/** What stands around and inside the phone that shows what she will see. */
export const phoneTexts = {
  replay: 'Rivedi',
  /** Inside the phone, where there is nothing to show. */
  noPhrases: 'Senza frasi questo momento viene saltato.',
  blankPhrase: 'Una frase vuota non si vede.',
} as const;
