const number = new Intl.NumberFormat('it-IT');

/** The administrator's home (spec 2 «Dashboard»). */
export const dashboardTexts = {
  title: 'Pannello',
  loadFailed: 'Errore nel caricamento',
  stats: {
    token_totali: 'Token Totali',
    token_attivi: 'Token Attivi',
    accessi_totali: 'Accessi Totali',
  },
  count: (value: number) => number.format(value),

  accesses: {
    title: 'Accessi negli ultimi 30 giorni',
    /** In one sentence what the chart draws. */
    summary: (granted: number, denied: number) =>
      `${granted === 1 ? '1 accesso riuscito' : `${number.format(granted)} accessi riusciti`}, ${
        denied === 1 ? '1 rifiutato' : `${number.format(denied)} rifiutati`
      }.`,
    none: 'Ancora nessun accesso. Quando qualcuno proverà un codice, lo vedrai qui.',
    day: 'Giorno',
    granted: 'Riusciti',
    denied: 'Rifiutati',
    table: 'Accessi giorno per giorno, dove ce ne sono stati',
  },

  events: {
    title: 'Cosa è successo',
    none: 'Ancora niente. Qui leggerai chi entra, chi esce e ogni codice creato.',
    all: 'Tutti gli eventi',
  },

  pages: 'Tutte le pagine',
} as const;
