/** What the commands run by the administrator say. */
export const resetPasswordTexts = {
  usage: 'Uso: npm run reset-password -- e-mail',
  prompt: 'Nuova password (Invio per farne creare una): ',
  unknown: 'Nessun amministratore registrato con questa e-mail.',
  noDatabase: (dataDir: string) =>
    `In ${dataDir} non c’è nessun database: indica la cartella che usa il server, DATA_DIR=… npm run reset-password -- e-mail.`,
  done: 'Password cambiata. Tutte le sessioni aperte sono state chiuse.',
  made: (password: string) => `Nuova password: ${password}`,
};

/** What a start says after the address she opens. */
export const startTexts = {
  prepare: 'La sorpresa si prepara qui',
  setupCode: (code: string) =>
    `Codice di installazione: ${code} (serve per registrarsi quando l’indirizzo è un nome e non un numero)`,
} as const;

export const backupTexts = {
  usage: 'Uso: npm run backup -- FILE (per esempio sorpresa.zip)',
  nothing: (dataDir: string) => `In ${dataDir} non c’è ancora niente da salvare.`,
  exists: (file: string) => `${file} esiste già: scegli un altro nome.`,
  newer: 'I dati sono di una versione più recente del prodotto: salvali con quella.',
  failed: (reason: string) => `La copia non è riuscita, e non ne resta niente: ${reason}`,
  missing: (names: readonly string[]) =>
    `Attenzione: questi file mancavano già, e nella copia non ci sono: ${names.join(', ')}`,
  done: (file: string, media: number) =>
    `Copia completa in ${file}: tutti i dati, ${media} file e i segreti. Tienila al sicuro: chi la legge può entrare.`,
};

export const restoreTexts = {
  usage: 'Uso: npm run restore -- FILE (in una DATA_DIR vuota)',
  absent: (file: string) => `${file} non c’è.`,
  notEmpty: {
    DATA_DIR: (dataDir: string, found: string) =>
      `${dataDir} non è vuota (${found}). Il ripristino non sovrascrive niente: scegli con DATA_DIR una cartella vuota.`,
    DATABASE_URL: (_dataDir: string, found: string) =>
      `Il database di DATABASE_URL non è vuoto (${found}). Il ripristino non sovrascrive niente: usane uno senza tabelle.`,
  },
  refused: {
    damaged: (file: string) =>
      `${file} non è una copia fatta da «npm run backup», oppure è danneggiata. Non è stato ripristinato niente.`,
    newer: (file: string) =>
      `${file} è di una versione più recente del prodotto: ripristinala con quella. Non è stato ripristinato niente.`,
  },
  failed: (reason: string) => `Il ripristino non è riuscito, e non ne resta niente: ${reason}`,
  missing: (names: readonly string[]) => `Questi file mancavano già nella copia: ${names.join(', ')}`,
  done: (dataDir: string, when: string) =>
    `Ripristinato in ${dataDir} tutto com’era il ${when}. Ora avvia il prodotto su questa cartella.`,
};
