/** What stands around and inside the phone that shows what she will see. */
export const phoneTexts = {
  replay: 'Rivedi',
  /** Leads to the phone where it stands far below. */
  show: 'Vai all’anteprima',
  /** Where there is more than fits the phone. */
  scrollHint: 'Non sta tutto sullo schermo: scorrilo per vedere il resto, come si farà sul telefono vero.',
  scrollable: (label: string) => `${label}: schermo da scorrere`,
  /** Inside the phone, where there is nothing to show. */
  noPhrases: 'Senza frasi questo momento viene saltato.',
  blankPhrase: 'Una frase vuota non si vede.',
} as const;
