import { HOURS_AFTER_GRADUATION } from '../../domain/limits.ts';
import type { ReadinessId } from '../../domain/readiness-ids.ts';

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
