import { HOURS_AFTER_GRADUATION } from '../../domain/limits.ts';
import type { ProbeReasonId, ReadinessId, ReasonId } from '../../domain/readiness-reasons.ts';
import { keysOf } from '../../domain/records.ts';
import { withArticle } from '../dates.ts';

/** Sentences of each item: if it is missing, with what to do about it; if it is in place. */
export const readinessSentences: Record<ReadinessId, { lacks: string; there: string }> = {
  site_open: {
    lacks: `Il sito è chiuso: sono passate ${HOURS_AFTER_GRADUATION} ore dal giorno dell’occasione. Per riaprirlo, cambia o togli la data.`,
    there: 'Il sito è aperto.',
  },
  disk_room: {
    lacks:
      'Sul server lo spazio è quasi finito: la serata può continuare, ma non si possono caricare file. Elimina quelli che non servono, o libera spazio.',
    there: 'Sul server c’è spazio.',
  },
  main_video: {
    lacks: 'Manca il video principale: senza, nessuno può cominciare.',
    there: 'Il video principale c’è.',
  },
  post_phrases: {
    lacks: 'Mancano le frasi post-video: aggiungine almeno una.',
    there: 'Le frasi post-video ci sono.',
  },
  usable_code: {
    lacks: 'Manca un codice di accesso: creane uno per chi riceverà la sorpresa.',
    there: 'C’è un codice pronto per entrare.',
  },
  codes_closed: {
    lacks:
      'I codici che hai sono scaduti o disattivati. Per un’altra entrata prorogane o riattivane uno, oppure creane uno nuovo.',
    there: 'I codici aprono.',
  },
  code_taken: {
    lacks:
      'L’ultimo accesso del codice è già stato usato, e la sorpresa non è stata vista: chi lo ha adesso non entra. Con «+1 accesso» torna ad aprire, oppure creane uno nuovo.',
    there: 'Il codice ha ancora un accesso.',
  },
  address_here: {
    lacks:
      'Il messaggio e il cartoncino portano a un indirizzo che si apre solo da questo computer: chi riceve il codice non entra. Prima porta la sorpresa in rete.',
    there: 'L’indirizzo si apre anche da altri telefoni.',
  },
  code_until_graduation: {
    lacks: 'Nessun codice dura fino al giorno dell’occasione: con «Proroga» ne allunghi la durata.',
    there: 'C’è un codice che vale anche il giorno dell’occasione.',
  },
  code_soon: {
    lacks: 'Il codice scade entro tre giorni: se la serata è più in là, usa «Proroga».',
    there: 'Il codice non sta per scadere.',
  },
  code_at_opening: {
    lacks:
      'Un codice scade prima dell’ora dell’apertura: chi lo ha troverebbe chiuso. Con «Proroga» ne allunghi la durata.',
    there: 'I codici valgono all’ora dell’apertura.',
  },
  opening_before_closing: {
    lacks:
      'La serata si aprirebbe quando il sito è già chiuso: anticipa l’apertura o cambia il giorno dell’occasione.',
    there: 'La serata si apre prima che il sito si chiuda.',
  },
  address: {
    lacks:
      'Il messaggio e il cartoncino portano a un indirizzo che lontano da qui non si apre: prima porta la sorpresa in rete.',
    there: 'Il messaggio e il cartoncino portano all’indirizzo del sito.',
  },
  proxy: {
    lacks:
      'Le visite passano da un proxy che il sito non conosce: così le crede tutte della stessa persona, e chi sbaglia il codice ferma anche gli altri. Chi ha installato il sito deve indicarlo (TRUSTED_PROXIES).',
    there: 'Il sito distingue chi lo visita.',
  },
  video_sound: {
    lacks: 'Il video non ha audio: mentre si guarda ci sarà silenzio.',
    there: 'Il video ha l’audio.',
  },
  video_weight: {
    lacks: 'Il video è pesante per una rete mobile: l’inizio può farsi aspettare.',
    there: 'Il video parte in fretta anche su una rete mobile.',
  },
  song_file: {
    lacks: 'La canzone può farsi aspettare, o non suonare su qualche telefono: la sua pagina dice perché.',
    there: 'La canzone suona su ogni telefono.',
  },
  song_volume: {
    lacks:
      'La canzone si sente troppo piano o troppo forte: la sua pagina dice se alzarne o abbassarne il volume, con un programma audio, prima di caricarla di nuovo.',
    there: 'Il volume della canzone va bene.',
  },
  pre_phrases: {
    lacks: 'Senza frasi pre-video si comincia direttamente dal video.',
    there: 'Le frasi pre-video ci sono.',
  },
  song: {
    lacks: 'Senza una canzone, dopo il video c’è silenzio.',
    there: 'La canzone c’è.',
  },
  picture_1: {
    lacks: 'Senza l’immagine della destinazione si passa subito alla carta d’imbarco.',
    there: 'L’immagine della destinazione c’è.',
  },
  titles_1: {
    lacks:
      'Scrivi il nome della destinazione e del viaggio: senza, si legge «Destinazione» e «Il Nostro Viaggio».',
    there: 'I nomi della destinazione e del viaggio ci sono.',
  },
  tickets_1: {
    lacks: 'Senza i biglietti, sulla carta d’imbarco non c’è nulla da scaricare.',
    there: 'I biglietti ci sono.',
  },
  dates_1: {
    lacks: 'Partenza e ritorno: dove manca una data si legge «Da definire».',
    there: 'Le date del viaggio ci sono.',
  },
  questions_1: {
    lacks: 'Servono tutte e due le domande: altrimenti non se ne vede nessuna.',
    there: 'Le due domande ci sono.',
  },
  closing_phrases: {
    lacks: 'Le frasi finali sono tre, una per ogni esito delle risposte: scrivile tutte.',
    there: 'Le frasi finali ci sono.',
  },
  second_trip_unseen: {
    lacks:
      'Hai preparato qualcosa per un secondo viaggio, ma non si vedrà: accendilo, o aggiungi una frase, un’immagine o i biglietti.',
    there: 'Il secondo viaggio si vede.',
  },
  phrases_2: {
    lacks: 'Il secondo viaggio non ha ancora frasi.',
    there: 'Le frasi del secondo viaggio ci sono.',
  },
  picture_2: {
    lacks: 'Il secondo viaggio non ha ancora un’immagine.',
    there: 'L’immagine del secondo viaggio c’è.',
  },
  titles_2: {
    lacks:
      'Scrivi i nomi del secondo viaggio: senza, si legge «Seconda Destinazione» e «Il Nostro Secondo Viaggio».',
    there: 'I nomi del secondo viaggio ci sono.',
  },
  tickets_2: {
    lacks: 'Il secondo viaggio non ha ancora i biglietti.',
    there: 'I biglietti del secondo viaggio ci sono.',
  },
  dates_2: {
    lacks: 'Secondo viaggio, partenza e ritorno: dove manca una data si legge «Da definire».',
    there: 'Le date del secondo viaggio ci sono.',
  },
  questions_2: {
    lacks: 'Le domande del secondo viaggio servono tutte e due: altrimenti non se ne vede nessuna.',
    there: 'Le domande del secondo viaggio ci sono.',
  },
  final_phrases_2: {
    lacks: 'Il secondo viaggio non ha ancora le frasi finali.',
    there: 'Le frasi finali del secondo viaggio ci sono.',
  },
  her_name: {
    lacks:
      'Nei testi c’è {nome}, ma il nome non è scritto: si leggono senza. Scrivilo, oppure togli {nome} da lì.',
    there: 'Il nome c’è.',
  },
  notifications: {
    lacks: 'Collega Telegram o un’e-mail per sapere subito chi entra e cosa risponde.',
    there: 'Le notifiche sono collegate.',
  },
  contact: {
    lacks: 'Scrivi un contatto: lo vede chi viene disconnesso.',
    there: 'Il contatto c’è.',
  },
  graduation_date: {
    lacks: `Il piè di pagina parla di una laurea: scrivine il giorno (il sito si chiude ${HOURS_AFTER_GRADUATION} ore dopo), o scegli una frase tua.`,
    there: 'La data di laurea c’è.',
  },
};

const BROKEN_REMEDY = 'sul server il file manca, è cambiato o non si decodifica più. Caricalo di nuovo.';

const TICKETS_REMEDY =
  'guarda le pagine come appariranno e, se non vanno bene, stampa il biglietto in un nuovo PDF o caricane una foto.';

/** Reasons other than missing content. Most sentences state the remedy. The number in an id is the trip. */
const probeTexts: Record<ProbeReasonId, string> = {
  video_broken: `Il video non si vedrebbe fino alla fine: ${BROKEN_REMEDY}`,
  poster_broken: `La copertina del video non si vedrebbe: ${BROKEN_REMEDY}`,
  light_broken:
    'La versione leggera del video non si vedrebbe: sul server il file manca, è cambiato o non si decodifica più. Spegnila, o carica di nuovo il video.',
  captions_broken: `I sottotitoli non si leggerebbero: ${BROKEN_REMEDY}`,
  song_broken: `La canzone non si sentirebbe: ${BROKEN_REMEDY}`,
  picture_1_broken: `L’immagine della destinazione non si vedrebbe: ${BROKEN_REMEDY}`,
  picture_2_broken: `L’immagine del secondo viaggio non si vedrebbe: ${BROKEN_REMEDY}`,
  tickets_1_broken: `I biglietti non si aprirebbero: ${BROKEN_REMEDY}`,
  tickets_2_broken: `I biglietti del secondo viaggio non si aprirebbero: ${BROKEN_REMEDY}`,
  tickets_1_unreadable: `Nei biglietti qualcosa non si vedrebbe: ${TICKETS_REMEDY}`,
  tickets_2_unreadable: `Nei biglietti del secondo viaggio qualcosa non si vedrebbe: ${TICKETS_REMEDY}`,
  tickets_1_font: `Nei biglietti manca un carattere, e se ne vede un altro: ${TICKETS_REMEDY}`,
  tickets_2_font: `Nei biglietti del secondo viaggio manca un carattere, e se ne vede un altro: ${TICKETS_REMEDY}`,
  address_changed:
    'Il link che hai dato non funziona più: l’indirizzo è cambiato. Manda quello nuovo, poi segna che l’hai mandato.',
  address_silent: 'All’indirizzo del sito non risponde nessuno: chi lo apre dal telefono non trova nulla.',
  address_other: 'All’indirizzo del sito risponde qualcos’altro, e non questa sorpresa.',
  address_plain:
    'L’indirizzo del sito non è in https: il telefono lo segnala, e quello che si scrive si può leggere lungo la strada.',
  certificate_bad:
    'Il certificato del sito non è valido: il telefono mostrerebbe un avviso al posto della sorpresa.',
  certificate_ends:
    'Il certificato del sito scade prima che la serata sia finita, e nessuno lo sta rinnovando.',
  telegram_bot:
    'Telegram non riconosce più il bot: le notifiche non partono. Incolla di nuovo la sua chiave.',
  telegram_chat:
    'Il bot non può scrivere nella chat: le notifiche non arrivano. Riapri la chat e premi «Avvia».',
  email_refused:
    'Il server di posta non accetta l’accesso: le e-mail non partono. Scrivi di nuovo la password.',
  email_server:
    'Il server di posta non si raggiunge così: le e-mail non partono. Controlla nome, porta e cifratura.',
  clock:
    'L’orologio del server è sbagliato di minuti: la serata si aprirebbe all’ora sbagliata. Chi ha installato il sito deve regolarlo.',
  trip_days_1:
    'Le date del viaggio non tornano: la partenza è prima della serata, o il ritorno prima della partenza.',
  trip_days_2:
    'Le date del secondo viaggio non tornano: la partenza è prima della serata, o il ritorno prima della partenza.',
  keepsake_before:
    'Il ricordo finisce prima della serata: non si aprirebbe mai. Sposta in avanti il suo ultimo giorno.',
  phone_bad:
    'Un telefono provato non ce la fa: rimedia e riprovalo, oppure toglilo se la sorpresa non si apre lì.',
  files_untried: 'Qualche file non è ancora stato letto fino in fondo.',
  shared_here:
    'La sorpresa è in rete da questo computer: deve restare acceso e attaccato alla corrente finché la serata non è finita.',
  address_untried: 'L’indirizzo del sito non è ancora stato provato da fuori.',
  certificate_renewal:
    'Il certificato del sito va rinnovato prima della serata: di solito succede da solo, settimane prima.',
  channel_untried: 'Non si sa se le notifiche arrivano: non è stato ancora chiesto, o nessuno ha risposto.',
  clock_untold: 'L’orologio del server non è verificato: collega Telegram.',
  opening_unset: 'La serata non ha un’ora di apertura: il codice apre da subito.',
  rehearsal_none: 'Nessuno ha ancora visto la prova generale fino alla fine su un telefono.',
  rehearsal_old: 'Dall’ultima prova generale su un telefono qualcosa è cambiato: rifalla, anche saltando.',
  phone_untried: 'Il suo telefono non è ancora stato provato, o non fino in fondo.',
  phone_beware: 'Il telefono provato ce la fa, ma qualcosa può disturbare: la sua pagina dice cosa.',
};

const contentTexts = Object.fromEntries(
  keysOf(readinessSentences).map((id) => [id, readinessSentences[id].lacks]),
) as Record<keyof typeof readinessSentences, string>;

/** Sentences of all reasons. */
export const reasonTexts: Record<ReasonId, string> = { ...contentTexts, ...probeTexts };

const countThings = (count: number) => (count === 1 ? 'una cosa' : `${count} cose`);

/** The page «Pronta?». */
export const readinessPageTexts = {
  loadFailed: 'Errore nel caricamento',
  ready: 'Sì, è pronta.',
  notReady: 'Non ancora.',
  over: 'La serata si è svolta.',
  /** Shown after the evening. */
  repeatHint: 'Se vuoi rifarla, crea un codice nuovo: qui torna la risposta.',
  red: (count: number) =>
    `Così non andrebbe: ${count === 1 ? 'c’è' : 'ci sono'} ${countThings(count)} da sistemare.`,
  /** No reason is red, some are amber. */
  open: (count: number) =>
    `Nulla lo impedisce: ${countThings(count)} ancora da verificare o, se vuoi, da aggiungere.`,
  /** After the first of several red reasons. */
  andMore: (count: number) => (count === 1 ? 'E un’altra cosa.' : `E altre ${count} cose.`),
  allChecked: 'È stato provato tutto, e nulla lo impedisce.',
  toFix: 'Da sistemare',
  optional: 'Se vuoi',
  unknown: 'Da verificare o da decidere',
  inPlace: (count: number) => (count === 1 ? '1 cosa pronta' : `${count} cose pronte`),
  levels: { red: 'Lo impedisce', amber: 'Non lo impedisce' },
  goTo: (title: string) => `Vai a «${title}»`,
  check: 'Controlla adesso',
  checkFailed: 'Il controllo non è partito',
  waiting: 'Il controllo sta per cominciare…',
  checking: (done: number, total: number) => `Controllo in corso: ${done} di ${total}`,
  neverChecked: 'Finora non è mai stato provato tutto.',
  lastChecked: (moment: string) => `Ultimo controllo: ${withArticle('il', moment)}.`,
  checkExplanation:
    'Il controllo legge ogni file fino in fondo, apre l’indirizzo da fuori e interroga bot e posta. Si ripete da solo ogni notte, e poi 24 ore, 2 ore e 15 minuti prima dell’apertura: se qualcosa peggiora, lo sai da Telegram o per e-mail.',
  phones: 'Telefoni provati',
  openPhones: 'Apri «Telefoni»',
} as const;
