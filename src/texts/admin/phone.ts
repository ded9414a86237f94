/** What stands around and inside the phone that shows what she will see. */
export const phoneTexts = {
  replay: 'Rivedi',
  /** Where the phone is small. */
  enlarge: 'Ingrandisci',
  /** Where there is more than fits the phone. */
  scrollHint: 'Non sta tutto sullo schermo: scorrilo per vedere il resto, come si farà sul telefono vero.',
  scrollable: (label: string) => `${label}: schermo da scorrere`,
  /** Inside the phone, where there is nothing to show. */
  noPhrases: 'Senza frasi questo momento viene saltato.',
  blankPhrase: 'Una frase vuota non si vede.',
} as const;
