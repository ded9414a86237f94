import type { ErrorCode } from '../contract/errors.ts';

/**
 * The sentence of every refusal (spec 8, and docs/decisions for those the spec doesn't have).
 * `{n}` is a number of seconds, `{id}` a request id: see `errorSentence`.
 */
export const errorSentences: Record<ErrorCode, string> = {
  CODE_EMPTY: 'Inserisci il tuo codice',
  CODE_INVALID: 'Codice non valido o scaduto',
  CODE_EXPIRED: 'Codice scaduto',
  CODE_EXHAUSTED: 'Codice già utilizzato il numero massimo di volte',
  SITE_CLOSED: 'La sorpresa si è conclusa: questo sito non è più disponibile. Grazie di essere passata.',
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
  SETUP_CODE_WRONG: 'Codice di installazione errato.',
  WEAK_PASSWORD: 'Password troppo debole: usa almeno 10 caratteri.',
  NAME_REQUIRED: 'Inserisci un nome per il token',
  STALE_VERSION:
    "La configurazione è stata modificata in un'altra finestra. Ricarica la pagina prima di salvare.",

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
