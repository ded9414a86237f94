import type { ErrorCode } from '../contract/errors.ts';

/** The refusals whose sentences the evening says by itself, where no answer of the server brings them (spec 8): the others don't weigh on a phone. */
export const eveningErrorSentences = {
  NO_VISIT: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  CONFIG_MISSING: "Configurazione non trovata - Contatta l'amministratore",
  VIDEO_MISSING: "Video non ancora configurato dall'amministratore",
} satisfies Partial<Record<ErrorCode, string>>;
