import type { ProbeReasonId, ReasonId } from '../../domain/readiness-reasons.ts';
import { keysOf } from '../../domain/records.ts';
import { withArticle } from '../dates.ts';
import { readinessSentences } from './readiness.ts';

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
