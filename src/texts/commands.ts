export const interruptedText = 'Interrotto: non è stato fatto niente.';

/** Messages of the administrator's commands. */
export const resetPasswordTexts = {
  prompt: 'Nuova password (Invio per farne creare una): ',
  unknown: 'Nessun amministratore registrato con questa e-mail.',
  noDatabase: (dataDir: string) =>
    `In ${dataDir} non c’è nessun database: indica con DATA_DIR la cartella che usa il server.`,
  done: 'Password cambiata. Tutte le sessioni aperte sono state chiuse.',
  made: (password: string) => `Nuova password: ${password}`,
};

/** Lines after the site address at startup. */
export const startTexts = {
  prepare: 'La sorpresa si prepara qui',
  /** Shown if the product serves https itself: this address works even without a certificate. */
  fromHere: (address: string) => `Da questo stesso computer anche qui: ${address}`,
  setupCode: (code: string) =>
    `Codice di installazione: ${code} (lo chiede la registrazione, se il sito si apre anche da altri dispositivi)`,
} as const;

/** Messages of `sorpresa share` and `--share`. */
export const shareTexts = {
  notRunning:
    'Qui non c’è nessuna sorpresa in funzione: avviala prima, con le stesse DATA_DIR e PORT («sorpresa start --share» fa le due cose insieme).',
  hasAddress: 'Questa sorpresa ha già un indirizzo suo (PUBLIC_URL o HTTPS_DOMAIN): non serve altro.',
  agree: 'Va bene? [S/n] ',
  declined: 'Non ho scaricato niente. Con --yes non lo chiedo.',
  starting: 'La metto in rete…',
  online: (address: string) =>
    `La sorpresa è in rete: ${address}\nQuesto computer deve restare acceso. Si toglie con «sorpresa share --stop», o da «Portala in rete».`,
  stopped: 'La sorpresa non è in rete.',
} as const;

/** Messages about data of another version of the product. */
export const upgradeTexts = {
  newer: (where: string, dataVersion: string, productVersion: string) =>
    `I dati in ${where} sono di una versione più recente del prodotto (arrivano a ${dataVersion}, questa a ${productVersion}): avvia quella, o rimetti una copia fatta prima dell’aggiornamento in un’altra cartella (DATA_DIR=VUOTA sorpresa restore FILE; le copie stanno in backups).`,
  failed: (where: string, reason: string, copy: string | null) =>
    [
      `L’aggiornamento dei dati in ${where} non è riuscito, ed è rimasto tutto com’era: ${reason}`,
      `La versione precedente del prodotto funziona ancora con questi dati${copy === null ? '' : `; una copia di tutto è in ${copy}`}.`,
    ].join('\n'),
  noCopy: (folder: string, reason: string) =>
    `Prima di aggiornare i dati il prodotto ne fa una copia in ${folder}, e non ci è riuscito: ${reason}\nÈ rimasto tutto com’era. Fai posto sul disco, o correggi i permessi della cartella, e riprova.`,
} as const;

export const movedTexts = {
  alone: 'Su una macchina sola non c’è niente da dichiarare: database e file stanno nella stessa cartella.',
  noDatabase: (dataDir: string) =>
    `In ${dataDir} non c’è nessun database: indica con DATA_DIR, DATABASE_URL e S3_… quelli che usa il server.`,
  missing: (count: number) =>
    `Attenzione: lì mancano ${count} file che il database conosce. Copiali prima di avviare il prodotto.`,
  failed: (reason: string) => `Non ci sono riuscito, e non è cambiato niente: ${reason}`,
  done: (where: string) =>
    `Da adesso valgono questi segreti e questi file: ${where}. Avvia tutti i nodi così.`,
};

export const backupTexts = {
  nothing: (dataDir: string) => `In ${dataDir} non c’è ancora niente da salvare.`,
  exists: (file: string) => `${file} esiste già: scegli un altro nome.`,
  newer: 'I dati sono di una versione più recente del prodotto: salvali con quella.',
  failed: (reason: string) => `La copia non è riuscita, e non ne resta niente: ${reason}`,
  missing: (names: readonly string[]) =>
    `Attenzione: questi file mancavano già, e nella copia non ci sono: ${names.join(', ')}`,
  prompt: 'Frase segreta che chiude la copia (Invio per non chiuderla): ',
  again: 'La stessa, un’altra volta: ',
  differ: 'Le due frasi segrete non sono uguali. Non è stato salvato niente.',
  done: (file: string, media: number, isSealed: boolean) =>
    `Copia completa in ${file}: tutti i dati, ${media} file e i segreti. ${
      isSealed
        ? 'Si apre soltanto con la frase segreta: senza, non la recupera nessuno.'
        : 'Non è chiusa da una frase segreta: tienila al sicuro, chi la legge può entrare.'
    }`,
};

export const restoreTexts = {
  prompt: 'Frase segreta della copia: ',
  absent: (file: string) => `${file} non c’è.`,
  notEmpty: {
    DATA_DIR: (dataDir: string, found: string) =>
      `${dataDir} non è vuota (${found}). Il ripristino non sovrascrive niente: scegli con DATA_DIR una cartella vuota.`,
    DATABASE_URL: (_dataDir: string, found: string) =>
      `Il database di DATABASE_URL non è vuoto (${found}). Il ripristino non sovrascrive niente: usane uno senza tabelle.`,
    S3_BUCKET: (_dataDir: string, found: string) =>
      `Nel bucket di S3_BUCKET ci sono già dei file (${found}). Il ripristino non sovrascrive niente: usane uno vuoto.`,
  },
  refused: {
    ARCHIVE_FOREIGN: (file: string) =>
      `${file} non è una copia fatta da «backup». Non è stato ripristinato niente.`,
    ARCHIVE_DAMAGED: (file: string) =>
      `${file} è danneggiata o non è intera. Non è stato ripristinato niente.`,
    ARCHIVE_LOCKED: (file: string) =>
      `${file} è chiusa da una frase segreta: scrivila qui, o in ARCHIVE_PASSPHRASE. Non è stato ripristinato niente.`,
    PASSPHRASE_WRONG: (file: string) =>
      `${file} non si apre con questa frase segreta. Non è stato ripristinato niente.`,
    ARCHIVE_NEWER: (file: string) =>
      `${file} è di una versione più recente del prodotto: ripristinala con quella. Non è stato ripristinato niente.`,
  },
  failed: (reason: string) => `Il ripristino non è riuscito, e non ne resta niente: ${reason}`,
  missing: (names: readonly string[]) => `Questi file mancavano già nella copia: ${names.join(', ')}`,
  done: (dataDir: string, when: string) =>
    `Ripristinato in ${dataDir} tutto com’era il ${when}. Ora avvia il prodotto su questa cartella.`,
};
