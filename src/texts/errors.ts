import type { ErrorCode } from '../contract/errors.ts';
import { PASSWORD_LENGTH } from '../domain/limits.ts';

/** How to make a video that every phone plays. */
const EXPORT_HINT =
  'Esportalo come MP4 con video H.264 e audio AAC (su iPhone: Fotocamera, Formati, «Più compatibile»).';

/**
 * The sentence of every refusal (spec 8, and docs/decisions for those the spec doesn't have).
 * `{n}` is a number of seconds, `{id}` a request id: see `errorSentence`.
 */
export const errorSentences: Record<ErrorCode, string> = {
  CODE_EMPTY: 'Inserisci il tuo codice',
  CODE_INVALID: 'Codice non valido o scaduto',
  CODE_EXPIRED: 'Codice scaduto',
  CODE_EXHAUSTED: 'Codice già utilizzato il numero massimo di volte',
  SITE_CLOSED: 'La sorpresa si è conclusa: questo sito non è più disponibile. Grazie della visita.',
  ATTEMPT_CONFLICT: 'Si è verificato un errore',
  TOO_MANY_ATTEMPTS: 'Troppi tentativi. Riprova tra {n} secondi.',
  CONFIG_MISSING: "Configurazione non trovata - Contatta l'amministratore",
  VIDEO_MISSING: "Video non ancora configurato dall'amministratore",

  NO_VISIT: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  VISIT_ENDED: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  DISCONNECTED: "Sei stato disconnesso dall'amministratore",
  STEP_REFUSED: 'Richiesta non consentita.',
  ANSWERS_CONFLICT: "Errore nell'invio delle risposte",
  ANSWERS_REFUSED: "Errore nell'invio delle risposte",

  SIGN_IN_REQUIRED: 'Sessione scaduta. Accedi di nuovo.',
  BAD_CREDENTIALS: 'Credenziali non valide',
  REGISTRATION_CLOSED: 'Registrazione chiusa: esiste già un amministratore.',
  REGISTRATION_FAILED: 'Errore durante la registrazione',
  EMAIL_TAKEN: 'Con questa e-mail accede già un’altra persona.',
  SETUP_CODE_WRONG: 'Codice di installazione errato.',
  WEAK_PASSWORD: `Password troppo debole: usa almeno ${PASSWORD_LENGTH.min} caratteri.`,
  LONG_PASSWORD: `Password troppo lunga: usa al massimo ${PASSWORD_LENGTH.max} caratteri.`,
  COMMON_PASSWORD: 'Password troppo comune: è tra le prime che si provano. Scegline una soltanto tua.',
  NAME_REQUIRED: 'Inserisci un nome per il token',
  STALE_VERSION:
    "La configurazione è stata modificata in un'altra finestra. Ricarica la pagina prima di salvare.",
  NOT_CONFIGURED: 'Prima salva il token del bot e la chat.',
  REHEARSAL_OVER:
    'La prova generale non è più aperta: il codice QR è scaduto o è stato chiuso. Creane uno nuovo dalla pagina di anteprima.',

  UPLOAD_UNFINISHED: 'Il caricamento non è ancora completo.',
  UPLOAD_CONFLICT: "Il caricamento prosegue in un'altra finestra.",
  UPLOADS_BUSY: 'Ci sono già troppi caricamenti in corso: attendi che finiscano e riprova.',
  FILE_REQUIRED: 'Seleziona un file',
  FILE_TOO_LARGE: 'Il file è troppo grande.',
  FILE_EMPTY: 'Il file è vuoto.',
  FILE_TRUNCATED: 'Il file è incompleto: manca una parte. Copialo o esportalo di nuovo e riprova.',
  FILE_BROKEN: 'Il file è danneggiato e non si può aprire. Esportalo di nuovo e riprova.',
  FILE_NOT_VIDEO: 'Questo file non è un video MP4.',
  FILE_VIDEO_HEVC: `Questo video è in formato HEVC (H.265) e non tutti i telefoni lo riproducono. ${EXPORT_HINT}`,
  FILE_VIDEO_AV1: `Questo video è in formato AV1 e non tutti i telefoni lo riproducono. ${EXPORT_HINT}`,
  FILE_VIDEO_VP9: `Questo video è in formato VP9 e non tutti i telefoni lo riproducono. ${EXPORT_HINT}`,
  FILE_VIDEO_CODEC: `Il formato di questo video non è riproducibile su tutti i telefoni. ${EXPORT_HINT}`,
  FILE_AUDIO_CODEC: `L'audio di questo video non è riproducibile su tutti i telefoni. ${EXPORT_HINT}`,
  FILE_NOT_IMAGE: "Questo file non è un'immagine JPEG o PNG.",
  FILE_HEIC:
    'Questa foto è in formato HEIC (iPhone). Esportala come JPEG: da «Foto» scegli Condividi, Opzioni, Formato «Più compatibile».',
  FILE_SVG: 'Le immagini SVG non sono accettate: esporta la figura come PNG o JPEG.',
  FILE_IMAGE_TOO_BIG: "L'immagine ha troppi pixel: riducila e riprova.",
  FILE_NOT_TICKETS: 'Questo file non è un PDF, un PNG o un JPEG.',
  FILE_PDF_LOCKED: 'Questo PDF è protetto da password: salvane una copia senza password e riprova.',
  FILE_NOT_AUDIO: 'Seleziona un file audio valido',
  STORAGE_FULL: 'Spazio esaurito sul server: libera spazio e riprova.',

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
 * The sentence of a refusal with its blanks filled.
 * @param blanks `n`: seconds to wait; `id`: the request id
 */
export function errorSentence(
  code: ErrorCode,
  blanks: { n?: number | undefined; id?: string | undefined } = {},
): string {
  return errorSentences[code]
    .replace('{n}', () => String(blanks.n ?? 0))
    .replace('{id}', () => blanks.id ?? '');
}
