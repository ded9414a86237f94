/** Texts around and inside the phone preview. */
export const phoneTexts = {
  replay: 'Rivedi',
  /** Shown if the preview is small. */
  enlarge: 'Ingrandisci',
  /** Shown if the content exceeds the phone's screen. */
  scrollHint: 'Non sta tutto sullo schermo: scorrilo per vedere il resto, come si farà sul telefono vero.',
  scrollable: (label: string) => `${label}: schermo da scorrere`,
  /** Inside the phone, if there is no content to show. */
  noPhrases: 'Senza frasi questo momento viene saltato.',
  blankPhrase: 'Una frase vuota non si vede.',
} as const;
