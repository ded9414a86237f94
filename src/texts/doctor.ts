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
