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

/** Messages of `sorpresa doctor`: findings, and what to do about a problem. */
export const doctorTexts = {
  node: {
    good: (version: string) => `Node ${version}.`,
    old: (version: string, minimum: number) =>
      `Node ${version} è troppo vecchio: installa Node ${minimum} o più recente (https://nodejs.org).`,
  },
  settings: (problem: string) => `Le impostazioni: ${problem}`,
  folder: {
    good: (path: string) => `I dati stanno in ${path}, che si può scrivere.`,
    absent: (path: string) => `I dati staranno in ${path}: la cartella viene creata al primo avvio.`,
    shut: (path: string, owner: string) =>
      `Nella cartella dei dati ${path} questo utente non può scrivere (è di ${owner}): cambiane il proprietario, o indicane un’altra con DATA_DIR.`,
    noFolder: (path: string) =>
      `${path} non è una cartella: sposta il file che c’è lì, o indica un’altra cartella con DATA_DIR.`,
    open: (path: string) =>
      `Nella cartella dei dati ${path} può leggere chiunque su questa macchina, e non è di questo utente: indicane una sua con DATA_DIR.`,
  },
  data: {
    none: 'Non ci sono ancora dati.',
    current: 'I dati sono di questa versione.',
    older: 'I dati sono di una versione precedente: il prossimo avvio ne fa una copia e li aggiorna.',
  },
  bucket: {
    good: (where: string) => `I file stanno in un bucket che risponde (${where}).`,
    bad: (reason: string) =>
      `I file dovrebbero stare in un bucket, che non funziona (${reason}): correggi le variabili S3_….`,
  },
  disk: {
    good: (free: string) => `Spazio libero sul disco: ${free}.`,
    little: (free: string) => `Spazio libero sul disco: ${free}. Basta per la serata, ma non per molti film.`,
    none: (free: string) => `Spazio libero sul disco: ${free}. È troppo poco: liberane.`,
  },
  films: {
    good: 'Film, canzoni e immagini si possono preparare.',
    bad: (reason: string) => `Film e immagini non si possono preparare (${reason}): reinstalla il prodotto.`,
    none: (machine: string) =>
      `Film e canzoni non si possono preparare, perché manca FFmpeg per questa macchina (${machine}): reinstalla il prodotto con i pacchetti facoltativi di npm, o mettilo su Linux (con glibc), macOS o Windows a 64 bit.`,
  },
  port: {
    good: (where: string) => `${where} è libera.`,
    alreadyRunning: (where: string) => `Su ${where} il prodotto è già in funzione.`,
  },
  name: (name: string) => `${name} può portare a questo computer.`,
  address: {
    good: (url: string) => `La sorpresa si apre a ${url}.`,
    plain: (url: string) =>
      `La sorpresa si apre a ${url}: senza https il browser scrive «Non sicuro», e lo schermo del telefono può spegnersi tra le frasi.`,
    local: 'PUBLIC_URL manca o è di questa rete: per ora la sorpresa si apre solo da qui.',
  },
  ends: { good: 'Qui può funzionare tutto.', bad: 'Così non va: vedi i punti con ✗.' },
} as const;
