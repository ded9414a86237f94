import type { ErrorCode } from '../contract/errors.ts';
import type { DeniedReason } from '../domain/access.ts';
import {
  CAPTIONS,
  LONGEST_FILM_SECONDS,
  PASSPHRASE_LENGTH,
  PASSWORD_LENGTH,
  TIME_ZONE,
} from '../domain/limits.ts';
import { eveningErrorSentences } from './experience.ts';
import { dayAndHour, tooEarly } from './opening-time.ts';

/**
 * Sentences of all refusals (spec 8; docs/decisions for those that the specification doesn't have).
 * `{n}` is a number of seconds or of a line, `{id}` a request id, `{when}` a day and hour: see `errorSentence`.
 */
export const errorSentences: Record<ErrorCode, string> = {
  ...eveningErrorSentences,
  CODE_EMPTY: 'Inserisci il tuo codice',
  CODE_INVALID: 'Codice non valido o scaduto',
  CODE_EXPIRED: 'Codice scaduto',
  CODE_EXHAUSTED: 'Codice già utilizzato il numero massimo di volte',
  SITE_CLOSED: 'La sorpresa si è conclusa: questo sito non è più disponibile. Grazie della visita.',
  TOO_EARLY: tooEarly('{when}'),
  ATTEMPT_CONFLICT: 'Si è verificato un errore',
  TOO_MANY_ATTEMPTS: 'Troppi tentativi. Riprova tra {n} secondi.',

  VISIT_ENDED: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  DISCONNECTED: "Sei stato disconnesso dall'amministratore",
  STEP_REFUSED: 'Richiesta non consentita.',
  ANSWERS_CONFLICT: "Errore nell'invio delle risposte",
  ANSWERS_REFUSED: "Errore nell'invio delle risposte",
  NO_KEEPSAKE: 'Qui adesso non c’è niente da vedere.',
  KEEPSAKE_CLOSED: 'Scrivi di nuovo il tuo codice.',

  SIGN_IN_REQUIRED: 'Sessione scaduta. Accedi di nuovo.',
  BAD_CREDENTIALS: 'Credenziali non valide',
  REGISTRATION_CLOSED: 'Registrazione chiusa: esiste già un amministratore.',
  REGISTRATION_FAILED: 'Errore durante la registrazione',
  EMAIL_TAKEN: 'Con questa e-mail accede già un’altra persona.',
  SETUP_CODE_WRONG: 'Codice di installazione errato.',
  WEAK_PASSWORD: `Password troppo debole: usa almeno ${PASSWORD_LENGTH.min} caratteri.`,
  LONG_PASSWORD: `Password troppo lunga: usa al massimo ${PASSWORD_LENGTH.max} caratteri.`,
  COMMON_PASSWORD: 'Password troppo comune: è tra le prime che si provano. Scegline una tutta tua.',
  NAME_REQUIRED: 'Inserisci un nome per il token',
  STALE_VERSION:
    'La configurazione è stata modificata in un’altra finestra. Ricarica la pagina prima di salvare.',
  SONG_START_TOO_LATE: 'La canzone finisce prima di quel punto: scegline uno più vicino all’inizio.',
  NOT_CONFIGURED: 'Prima completa e salva le impostazioni.',
  BIN_PLACE_TAKEN:
    'Al suo posto adesso c’è altro: prima togli quello (finirà nel cestino), poi rimetti questo.',
  BIN_LIST_FULL: 'L’elenco è pieno: prima togli una frase, poi rimetti questa.',
  PASSPHRASE_SHORT: `Frase segreta troppo corta: usa almeno ${PASSPHRASE_LENGTH.min} caratteri.`,
  PASSPHRASE_LONG: `Frase segreta troppo lunga: usa al massimo ${PASSPHRASE_LENGTH.max} caratteri.`,
  ARCHIVE_LINK_OVER: 'Il link per scaricare la copia è scaduto: chiedila di nuovo.',
  INSTALL_IN_USE: 'Qui c’è già qualcosa: una copia si ripristina soltanto su un sito appena installato.',
  RESTORE_BUSY: 'È già in corso un ripristino: aspetta che finisca.',
  ARCHIVE_GONE: 'Il file non è più qui: sceglilo di nuovo.',
  ARCHIVE_TOO_LARGE:
    'Il file è troppo grande per arrivare da qui: ripristinalo con il comando «restore», sulla macchina del sito.',
  ARCHIVE_FOREIGN:
    'Questo file non è una copia di sicurezza di una sorpresa. Non è stato ripristinato niente.',
  ARCHIVE_DAMAGED: 'La copia è rovinata o non è intera. Non è stato ripristinato niente.',
  ARCHIVE_NEWER:
    'La copia è di una versione più recente: aggiorna prima questo sito. Non è stato ripristinato niente.',
  ARCHIVE_LOCKED: 'La copia è chiusa da una frase segreta: scrivila.',
  PASSPHRASE_WRONG: 'La copia non si apre con questa frase segreta. Controllala e riprova.',
  REHEARSAL_OVER:
    'La prova generale non è più aperta: il codice QR è scaduto o è stato chiuso. Creane uno nuovo dalla pagina di anteprima.',
  DIAGNOSIS_OVER:
    'Questo codice QR non apre più la prova del telefono: è scaduto o è stato chiuso. Fattene dare uno nuovo da chi te l’ha mandato.',

  UPLOAD_UNFINISHED: 'Il caricamento non è ancora completo.',
  UPLOAD_CONFLICT: 'Il caricamento prosegue in un’altra finestra.',
  UPLOAD_LOCKED: 'Questo caricamento è già in corso. Riprova tra poco.',
  FILES_BUSY: 'Sto ancora lavorando a un file: riprova quando ho finito.',
  UPLOADS_BUSY: 'Ci sono già troppi caricamenti in corso: attendi che finiscano e riprova.',
  FILE_REQUIRED: 'Seleziona un file',
  FILE_TOO_LARGE:
    'Il file è troppo grande. Sul telefono accorcialo con «Modifica», su un computer esportalo più piccolo, e riprova.',
  FILE_EMPTY:
    'Il file è vuoto: forse è ancora nel cloud. Su iPhone aprilo in «Foto» o in «File» finché si vede per intero, su Android scaricalo da Google Foto o Drive, su un computer copialo di nuovo; poi riprova.',
  FILE_TRUNCATED:
    'Il file è incompleto: manca una parte. Se è nel cloud, sul telefono aprilo finché si vede per intero; se l’hai copiato sul computer, copialo di nuovo. Poi riprova.',
  FILE_BROKEN:
    'Il file è danneggiato o incompleto e non si può aprire. Su iPhone salvalo di nuovo da «Foto» (Condividi, «Salva su File»), su Android o su un computer aprilo con l’app che l’ha fatto ed esportalo di nuovo; poi riprova.',
  FILE_PROTECTED:
    'Questo file è protetto: si può aprire soltanto con l’app in cui è stato comprato o noleggiato, e non si può mostrare altrove. Scegline uno tuo, per esempio girato con il telefono.',
  FILE_UNDECODABLE:
    'Questo file è in un formato che non so leggere. Su iPhone o Android condividilo da «Foto» o dalla galleria, su un computer esportalo come MP4 (H.264), MP3, JPEG o PDF; poi riprova.',
  FILE_TOO_LONG: `Dura più di ${LONGEST_FILM_SECONDS / 3_600} ore: taglialo, sul telefono con «Modifica» e su un computer con un programma di montaggio, e riprova.`,
  FILE_TOO_HARD:
    'Questo file richiede troppa memoria o troppo tempo, oppure blocca il programma che lo legge. Su iPhone o Android aprilo, modificalo di poco e salvane una copia; su un computer esportalo di nuovo, più piccolo. Poi riprova con quella.',
  FILE_NOT_VIDEO:
    'Questo file non è un video. Su iPhone e Android sceglilo da «Foto» o dalla galleria; su un computer va bene qualunque film: MP4, MOV, MKV, WebM, AVI…',
  FILE_NO_PICTURE:
    'In questo file non c’è nessuna immagine in movimento: se è una canzone, caricala nella pagina «Musica»; se no scegli il video originale, dalla galleria del telefono o dal computer.',
  FILE_VIDEO_TOO_BIG:
    'Le immagini di questo video sono più grandi di 8K. Esportalo in 4K o in 1080p, sul telefono con un’app di montaggio o su un computer, e riprova.',
  FILE_NOT_IMAGE:
    'Questo file non è una foto. Su iPhone e Android scegline una da «Foto» o dalla galleria; su un computer va bene qualunque immagine: JPEG, PNG, HEIC, WebP, TIFF…',
  FILE_SVG:
    'Le immagini SVG non sono accettate: aprila sul computer o sul telefono, fanne uno screenshot o esportala come PNG, e riprova.',
  FILE_IMAGE_TOO_BIG:
    'L’immagine ha troppi pixel: sul telefono aprila e fanne uno screenshot, su un computer riducila, e riprova.',
  FILE_NOT_TICKETS:
    'Questo file non è un biglietto che si possa aprire. Va bene il PDF ricevuto per e-mail, oppure una foto o uno screenshot del biglietto, dal telefono o dal computer.',
  FILE_PDF_LOCKED:
    'Questo PDF è protetto da password: aprilo, sul telefono o sul computer, stampalo su un nuovo PDF (Condividi, Stampa) e carica quello.',
  FILE_WALLET_PASS:
    'Questo è un biglietto per il Wallet (.pkpass): sul suo telefono non si aprirebbe. Chiedi il PDF a chi l’ha emesso, oppure apri il biglietto nel Wallet, fanne uno screenshot e carica quello.',
  FILE_NOT_JOINABLE:
    'Uno di questi file non si può unire agli altri: è firmato, protetto o con campi da compilare. Caricali separati, oppure stampali in un solo PDF e carica quello.',
  FILE_NOT_AUDIO: 'Seleziona un file audio valido',
  FILE_NO_SOUND:
    'In questo file non c’è nessun suono. Scegli una canzone (MP3, M4A, WAV, OGG…) dall’app «File» del telefono o dal computer, oppure un video che si senta.',
  CAPTIONS_EMPTY: 'Non c’è nessun sottotitolo: scrivine almeno uno, oppure scegli un file.',
  CAPTIONS_UNREADABLE:
    'Questi non sembrano sottotitoli: servono i tempi, come 00:00:05 --> 00:00:08, e sotto le parole. Vanno bene i file .srt e .vtt, come escono dal programma che li ha fatti.',
  CAPTIONS_TOO_LARGE: `Sono troppi per un video: al massimo ${CAPTIONS.count.toLocaleString('it-IT')} sottotitoli, in un testo di ${CAPTIONS.maxChars.toLocaleString('it-IT')} caratteri. Forse è il file di un altro video.`,
  CAPTION_TIMES:
    'Riga {n}: questi tempi non si leggono, oppure la fine non viene dopo l’inizio. Scrivili come 00:00:05 --> 00:00:08.',
  CAPTION_TOO_LONG: `Riga {n}: qui comincia un sottotitolo troppo lungo (al massimo ${CAPTIONS.maxCharsEach} caratteri). Dividilo in più sottotitoli, ognuno con i suoi tempi.`,
  STORAGE_FULL: 'Spazio esaurito sul server: libera spazio e riprova.',
  NO_FFMPEG:
    'Sul computer del sito manca FFmpeg, il programma che prepara film e canzoni: chi ha installato il sito avvii «sorpresa doctor», che dice che cosa fare.',

  BAD_INPUT: 'Dati non validi.',
  FORBIDDEN_ORIGIN: 'Richiesta non consentita.',
  NOT_FOUND: 'Elemento non trovato.',
  METHOD_NOT_ALLOWED: 'Richiesta non consentita.',
  BODY_TOO_LARGE: 'Dati troppo grandi.',
  UNSUPPORTED_TYPE: 'Formato dei dati non supportato.',
  WRONG_HOST: 'Indirizzo del sito non riconosciuto.',
  UNAVAILABLE: 'Servizio momentaneamente non disponibile. Riprova tra poco.',
  INTERNAL: 'Si è verificato un errore (codice {id}).',
};

/**
 * Returns the sentence of a refusal with its placeholders filled.
 * @param blanks `n`: seconds to wait, or number of the faulty line; `id`: request id; `opens_at`: opening time, formatted on Italian clocks
 */
export function errorSentence(
  code: ErrorCode,
  blanks: { n?: number | undefined; id?: string | undefined; opens_at?: string | undefined } = {},
): string {
  return errorSentences[code]
    .replace('{n}', () => String(blanks.n ?? 0))
    .replace('{id}', () => blanks.id ?? '')
    .replace('{when}', () => (blanks.opens_at === undefined ? '' : dayAndHour(blanks.opens_at, TIME_ZONE)));
}

/** Text of a denied entry in `access_logs`, the event and the notification (spec 7 and 8). */
export const deniedMessages: Record<DeniedReason, string> = {
  code_empty: 'Nessun codice scritto',
  too_many_attempts: 'Troppi tentativi',
  token_unknown: 'Token non valido',
  token_revoked: 'Token non valido',
  token_expired: errorSentences.CODE_EXPIRED,
  token_exhausted: errorSentences.CODE_EXHAUSTED,
  attempt_conflict: 'Richiesta già ricevuta',
  site_closed: 'Sito chiuso',
  too_early: 'Troppo presto: la serata non è ancora aperta',
  config_missing: errorSentences.CONFIG_MISSING,
  video_missing: errorSentences.VIDEO_MISSING,
};
