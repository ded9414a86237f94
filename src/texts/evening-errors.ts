import type { ErrorCode } from '../contract/errors.ts';

/** Refusals whose sentences the evening needs without a reply of the server (spec 8). The others aren't loaded on a phone. */
export const eveningErrorSentences = {
  NO_VISIT: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  CONFIG_MISSING: "Configurazione non trovata - Contatta l'amministratore",
  VIDEO_MISSING: "Video non ancora configurato dall'amministratore",
} satisfies Partial<Record<ErrorCode, string>>;
