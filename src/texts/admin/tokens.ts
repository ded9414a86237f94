import { isBlank } from '../../domain/blank.ts';
import { MAX_ACCESSES, MAX_EXTENSION_DAYS } from '../../domain/limits.ts';
import { fillName } from '../../domain/recipient-name.ts';

const number = new Intl.NumberFormat('it-IT');
const between = (maximum: number) => `Scegli un numero intero tra 1 e ${number.format(maximum)}`;

/**
 * Parts of the message with a code: the administrator's text or null, the recipient's name or null, the address of the access screen, and
 * the code.
 */
type HandedOver = { own: string | null; name: string | null; url: string; token: string };

const CODE = /\{+\s*codice\s*\}+/giu;
const ADDRESS = /\{+\s*indirizzo\s*\}+/giu;
const USUAL_MESSAGE =
  '{nome}, ho preparato una sorpresa per te.\nApri {indirizzo} dal telefono e scrivi questo codice:\n\n{codice}\n\nPrenditi mezz’ora tranquilla, con il volume alto.';
const USUAL_TITLE = 'Una Sorpresa per Te';

const fill = (text: string, { name, url, token }: HandedOver) =>
  fillName(text, name)
    .replace(CODE, () => token)
    .replace(ADDRESS, () => url);

/** Returns the placeholders that the administrator's message lacks, although nobody can enter without their values. */
function lackingPlaces(handed: HandedOver): string[] {
  if (isBlank(handed.own)) return [];
  const message = fill(handed.own ?? '', handed);
  const address = message.includes(handed.url.replace(/\/$/, '')) ? [] : ['{indirizzo}'];
  return message.includes(handed.token) ? address : [...address, '{codice}'];
}

/** The page of the codes (spec 2 «Token page», 5, 8). */
export const tokensTexts = {
  loadFailed: 'Errore nel caricamento',
  refresh: 'Aggiorna',
  list: 'I codici',
  empty: 'Nessun codice',
  emptyHint: 'Creane uno qui sopra: con quello entra chi riceve la sorpresa.',

  create: {
    title: 'Nuovo codice',
    nome: 'Nome',
    nomeHint: 'Per riconoscerlo: lo vedi solo tu',
    nomePlaceholder: 'Giulia',
    max_accessi: 'Accessi massimi',
    max_accessiHint: 'Quante volte può entrare',
    giorni: 'Scadenza in giorni',
    giorniHint: 'Contati da oggi',
    never: 'Senza scadenza',
    submit: 'Crea il codice',
    nameRequired: 'Inserisci un nome per il token',
    badAccesses: between(MAX_ACCESSES),
    badDays: between(MAX_EXTENSION_DAYS),
    created: 'Token creato!',
    failed: 'Errore durante la creazione',
  },

  made: {
    title: (nome: string) => `Il codice di ${nome} è pronto`,
    hint: 'Mandalo in un messaggio, o consegna il cartoncino: lo ritrovi sempre qui sotto.',
    /** Reminder that trying a code consumes a use. */
    dontTry: 'Non provarlo tu: ogni entrata conta. Per vedere come sarà c’è la',
    rehearsal: 'prova generale',
    done: 'Fatto',
  },

  columns: {
    nome: 'Nome',
    token: 'Token',
    accessi: 'Accessi',
    scadenza: 'Scadenza',
    stato: 'Stato',
    azioni: 'Azioni',
  },
  accesses: (used: number, max: number) => `${number.format(used)}/${number.format(max)}`,
  never: 'Mai',
  active: 'Attivo',
  inactive: 'Disattivo',
  /** Names a row's button or switch for screen readers. */
  of: (action: string, nome: string) => `${action}: ${nome}`,

  expired: 'Scaduto',
  exhausted: 'Esaurito',
  /** Explains why a code doesn't open, and what to do about it. */
  remedies: {
    CODE_INVALID: 'Non apre: riattivalo con l’interruttore.',
    CODE_EXPIRED: 'Non apre più: usa «Proroga» per allungarne la durata.',
    CODE_EXHAUSTED: 'Non apre più: usa «+1 accesso» per un’altra entrata.',
  },

  copy: 'Copia il codice',
  copied: 'Token copiato!',
  messageCopied: 'Messaggio copiato!',
  copyByHand: 'Copia a mano',
  copyByHandHint: 'Il browser non permette di copiare da solo: il testo è già selezionato, copialo da qui.',
  /** Texts that the administrator can replace. */
  own: {
    edit: { share_message: 'Cambia il messaggio', card_title: 'Cambia il titolo' },
    label: { share_message: 'Il tuo messaggio', card_title: 'Il titolo del cartoncino' },
    places: {
      share_message: 'Dove metti questi segni si leggono il nome, l’indirizzo e il codice:',
      card_title: 'Dove metti questo segno si legge il nome:',
    },
    insert: (place: string) => `Inserisci ${place}`,
    every: 'Vale per tutti i codici.',
    usual: 'Torna al testo di prima',
    /** Undoes `usual` while the dialog is open. */
    mine: 'Riprendi il mio testo',
    lacks: (places: readonly string[]) =>
      `Nel testo non c’è ${places.join(' né ')}: senza, chi lo riceve non entra. Lo aggiungo in fondo.`,
    saved: 'Testo salvato!',
    saveFailed: 'Errore durante il salvataggio',
  },
  usualMessage: USUAL_MESSAGE,
  lackingPlaces,
  /**
   * Message with a code: the administrator's, with what it lacks at its end, or the usual one. The link opens the access screen; the code
   * is next to it, never part of it.
   */
  message: (handed: HandedOver) =>
    fill([isBlank(handed.own) ? USUAL_MESSAGE : handed.own, ...lackingPlaces(handed)].join('\n\n'), handed),

  share: {
    action: 'Condividi',
    title: (nome: string) => `Condividi il codice di ${nome}`,
    message: 'Il messaggio',
    withCard: 'Anche il cartoncino, come immagine',
    withCardHint: 'Alcune app tengono solo l’immagine: il codice e l’indirizzo si leggono anche lì.',
    submit: 'Condividi…',
    whatsApp: 'Scrivi su WhatsApp',
    copy: 'Copia il messaggio',
    /** Shown if the browser has no share sheet. */
    none: 'Questo browser non sa condividere: apri WhatsApp, o copia il messaggio e incollalo dove vuoi.',
    never: 'Niente parte da solo: il codice va a chi scegli tu, quando lo mandi.',
    failed: 'La condivisione non è partita: copia il messaggio e incollalo dove vuoi.',
    whatsAppLink: (message: string) => `https://wa.me/?text=${encodeURIComponent(message)}`,
  },

  card: {
    action: 'Cartoncino',
    usualTitle: USUAL_TITLE,
    /** The administrator's title with the recipient's name filled in, or the usual one. */
    title(own: string | null, name: string | null): string {
      const title = fillName(own ?? '', name).trim();
      return isBlank(title) ? USUAL_TITLE : title;
    },
    to: 'per',
    scan: 'Inquadra qui',
    orGo: 'oppure vai su',
    type: 'e scrivi il tuo codice',
    footer: 'È solo per te: tienilo al sicuro.',
    /** Content of the card for screen readers. `title` and `name` as on the card. */
    description: ({ title, name, url, token }: Omit<HandedOver, 'own'> & { title: string }) =>
      `${title}${name === null ? '' : `, per ${name}`}. Un codice QR porta a ${url}, dove si scrive il codice: ${token}.`,
    pdf: 'Scarica il PDF',
    picture: 'Scarica l’immagine',
    pdfName: 'cartoncino.pdf',
    pictureName: 'cartoncino.png',
    failed: 'Non sono riuscito a preparare il cartoncino: riprova.',
    print: 'Stampa',
    printHint:
      'Formato A6, 105 × 148 mm: un quarto di foglio A4. Su un foglio A4 stampalo in dimensioni reali (100%) e ritaglialo; se il browser lo chiede, attiva lo sfondo.',
  },

  addAccess: '+1 accesso',
  accessAdded: 'Un accesso in più',
  extend: 'Proroga',
  extendTitle: (nome: string) => `Proroga il codice di ${nome}`,
  extendDays: 'Giorni in più',
  extendHint: 'Contati dalla scadenza, o da oggi se è già passata.',
  extended: 'Scadenza prorogata',

  remove: 'Elimina',
  removeQuestion: 'Eliminare questo token?',
  removeDetail: (nome: string) =>
    `Il codice di ${nome} non aprirà più nulla, e chi è dentro con questo codice verrà disconnesso subito.`,
  removed: 'Token eliminato',
  removeFailed: "Errore durante l'eliminazione",

  revoke: 'Disattiva',
  revokeQuestion: (nome: string) => `Disattivare il codice di ${nome}?`,
  revokeDetail: 'Qualcuno è dentro adesso con questo codice: verrà disconnesso subito.',
  revoked: 'Codice disattivato',
  restored: 'Codice riattivato',
  saveFailed: 'Errore nel salvataggio',
} as const;
