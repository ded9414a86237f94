/** Texts of the program `sorpresa`. */
export const programTexts = {
  description:
    'Una sorpresa romantica e privata sul web. I dati stanno in ./data, o dove dice DATA_DIR; le altre impostazioni sono nel README.',
  commands: {
    usage: 'COMANDO',
    start: 'avvia il prodotto e dice dove si prepara la sorpresa',
    demo: 'avvia una sorpresa d’esempio completa, in una cartella sua (./data-demo)',
    reset: 'la ricomincia da capo',
    share: 'mette in rete la sorpresa da questo computer, con un indirizzo https',
    shareToo: 'e la mette in rete da questo computer',
    shareStop: 'la toglie dalla rete',
    shareYes: 'scarica senza chiedere il programma che serve',
    backup: 'salva tutto in un solo file, anche mentre il prodotto è in funzione',
    backupFile: 'il file da scrivere, per esempio sorpresa.zip',
    restore: 'rimette tutto com’era nella copia, in una DATA_DIR vuota',
    restoreFile: 'una copia fatta da backup',
    moved: 'dichiara che segreti o file di questo database sono stati spostati apposta',
    resetPassword: 'cambia la password di chi prepara la sorpresa',
    email: 'l’e-mail con cui si è registrato',
    doctor: 'controlla se qui può funzionare tutto, e dice che cosa fare',
    help: 'mostra questo aiuto',
    version: 'mostra la versione',
  },
  /** Headings of the command library. */
  headings: {
    'Usage:': 'Uso:',
    'Arguments:': 'Argomenti:',
    'Options:': 'Opzioni:',
    'Commands:': 'Comandi:',
  } as Record<string, string>,
  wrong: {
    missing: (what: string) => `Manca qualcosa: ${what}.`,
    unknownCommand: (name: string) => `Il comando «${name}» non esiste.`,
    unknownOption: (name: string) => `L’opzione «${name}» non esiste.`,
    excess: 'C’è un argomento di troppo.',
    other: 'Il comando non è scritto bene.',
    more: 'Con --help vedi i comandi e le opzioni.',
  },
} as const;
