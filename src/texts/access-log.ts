import type { DeniedReason } from '../domain/access.ts';
import { errorSentences } from './errors.ts';

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
