import { HOURS_AFTER_GRADUATION, REFUSED_ENTRY_RETENTION_DAYS } from '../../domain/limits.ts';
import { withArticle } from '../dates.ts';

/** «La serata»: recipient, opening, dress, occasion, keepsake, contact, privacy and site address. */
export const eveningPageTexts = {
  saved: 'Impostazioni salvate!',
  loadFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
  recipient: {
    title: 'Per chi è',
    hint: 'Come lo diresti a voce: sta sulla lettera, sulla carta d’imbarco e nelle domande. Se lo lasci vuoto, il nome non compare.',
    /** Explains the name's use in other pages' texts. */
    inTexts: 'Nei testi che scrivi, {nome} diventa il suo nome; senza un nome sparisce, con la sua virgola.',
    label: 'Come si chiama',
    placeholder: 'Per esempio Giulia',
    /** Proposes the name of a code. */
    propose: (nome: string) => `Usa «${nome}»`,
    proposals: 'Dai nomi dei tuoi codici:',
  },
  opening: {
    title: 'Apertura',
    hint: 'Se scegli un’ora, prima di allora il codice non apre e non si consuma: chi lo scrive trova un conto alla rovescia e, quando arriva il momento, la sorpresa comincia da sola. La prova generale non aspetta.',
    label: 'Si apre il giorno e all’ora',
    zone: (zone: string) =>
      `L’orologio è quello di questo dispositivo: ${zone}. Chi riceve la sorpresa legge l’ora del posto in cui si trova.`,
    invalid:
      'Scegli un giorno tra il 2000 e il 2100 e un’ora che esista: in primavera, quando cambia l’ora, una manca.',
    none: 'Nessuna ora di apertura: il codice apre subito.',
    past: (moment: string) => `Quest’ora è già passata (${moment}): il codice apre subito.`,
    until: (moment: string) => `Il codice apre da ${moment}.`,
    preview: 'Chi arriva prima legge',
  },
  dress: {
    title: 'Il vestito',
    hint: 'I colori di tutta la serata: la lettera, il cielo, la carta d’imbarco, l’anteprima del link e il cartoncino con il codice.',
    label: 'Il vestito della serata',
    names: { notte: 'Notte e rosa', alba: 'Alba sul mare' },
  },
  soundEffects: {
    title: 'Piccoli suoni',
    hint: 'La ceralacca che si rompe, la carta, un soffio quando appare la destinazione: più piano della canzone, mai durante il video, e mai su un telefono che chiede meno movimento.',
    label: 'Suoni leggeri accanto alla canzone',
  },
  contact: {
    title: 'Contatto',
    hint: 'A chi si può rivolgere chi viene disconnesso.',
    label: 'Nome da contattare',
    placeholder: 'Per esempio @marco',
    preview: 'Chi viene disconnesso legge',
  },
  occasion: {
    title: 'L’occasione',
    hint: 'Una laurea, un compleanno, un anniversario: scegli che cosa dice il piè di pagina della schermata di accesso.',
    footer: 'La frase in fondo alla schermata di accesso',
    choices: { usual: 'Quella di sempre', own: 'Una mia frase', none: 'Nessuna' },
    own: 'La mia frase',
    /** The footer is read before a code is entered. */
    ownHint: 'La legge chiunque apra il sito, anche senza codice: per questo {nome} qui sparisce.',
    ownPlaceholder: 'Per esempio: Una cosa piccola, per un giorno grande.',
    day: 'Il giorno',
    dayHint: `Facoltativo, e vale con qualunque frase: ${HOURS_AFTER_GRADUATION} ore dopo il sito si chiude. Se è una laurea, la frase di sempre lo nomina.`,
    invalid: 'Scegli un giorno tra il 2000 e il 2100.',
    closes: (moment: string) => `Il sito si chiude ${withArticle('il', moment)}.`,
    never: 'Senza un giorno il sito resta aperto.',
    closed: (moment: string) =>
      `Il sito si è chiuso ${withArticle('il', moment)}: adesso i codici vengono rifiutati. Questa parte continua a funzionare.`,
    willBeClosed: (moment: string) =>
      `Con questa data il sito è già chiuso (${withArticle('dal', moment)}): appena salvi, i codici vengono rifiutati.`,
    preview: 'Il piè di pagina',
    nothing: 'Niente: sotto la lettera non c’è nessuna frase.',
  },
  keepsake: {
    title: 'Un ricordo',
    hint: 'Se scegli un giorno, fino ad allora il dispositivo su cui la serata è arrivata alla fine può rivederla com’era, riscrivendo il codice: frasi, film, immagini, biglietti e risposte. Da lì può anche scriverti due righe. Per toglierlo svuota il giorno; finisce anche se disattivi o elimini il codice.',
    label: 'Si può rivedere fino al giorno',
    none: 'Nessun ricordo: dopo la serata non resta niente.',
    until: (day: string) => `Chi arriva alla fine può rivederla fino ${withArticle('al', day)}.`,
    past: 'Il giorno è passato: nessuno può più rivedere la serata.',
    afterClosing: (moment: string) =>
      `Il sito si chiude prima, ${withArticle('il', moment)}: da allora si apre solo il ricordo.`,
  },
  privacy: {
    title: 'Dati personali',
    hint: 'Di chi entra restano: codice, ora, punto raggiunto, tipo di dispositivo e risposte. Nessun indirizzo di rete. «Cancella la serata» toglie tutto. Se scrivi qui qualcosa, sulla schermata di accesso compare «Informativa» e chi la tocca lo legge.',
    label: 'Informativa',
    days: 'Per quanti giorni tenere i tentativi rifiutati',
    kept: 'Vale anche per gli eventi del tuo accesso. Gli accessi riusciti restano finché non cancelli la serata.',
    invalid: `Scegli da ${REFUSED_ENTRY_RETENTION_DAYS.min} a ${REFUSED_ENTRY_RETENTION_DAYS.max} giorni.`,
  },
  address: {
    title: 'Indirizzo del sito',
    hint: 'È quello che si legge nel messaggio e sul cartoncino che consegni insieme al codice.',
    /** Shown if the installation sets the address. */
    set: 'Lo ha impostato chi ha installato il sito (PUBLIC_URL): da qui non si cambia.',
    /** Shown otherwise: the address at which this page was opened. */
    found:
      'È l’indirizzo da cui stai guardando questa pagina. Quello pubblico lo imposta chi ha installato il sito (PUBLIC_URL): da qui non si cambia.',
    copy: 'Copia l’indirizzo',
    copied: 'Indirizzo copiato!',
  },
} as const;
