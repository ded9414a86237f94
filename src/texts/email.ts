import { MAIL_TIMEOUT_MS } from '../domain/limits.ts';

/** Sender name of the administrator's e-mails. */
export const emailSender = 'Sorpresa';

/** Maximum length of a subject in characters, as shown by a phone. */
const LONGEST_SUBJECT = 100;

/** Returns the subject of an e-mail: the first line of its text, without a leading emoji and a final colon. */
export function emailSubject(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const line = first.replace(/^[\p{Extended_Pictographic}\u{FE0F}\s]+/u, '').replace(/:$/, '');
  return [...line].length > LONGEST_SUBJECT ? `${[...line].slice(0, LONGEST_SUBJECT - 1).join('')}…` : line;
}

/** Reasons why an e-mail could not be delivered, if the server itself reported none. */
export const mailFailures = {
  network: 'Il server di posta non è raggiungibile',
  timeout: `Il server di posta non ha finito di rispondere entro ${MAIL_TIMEOUT_MS / 1_000} secondi`,
  stopped: 'Il sito si è fermato mentre l’e-mail partiva',
  unreadable: 'Quello che ha risposto non è un server di posta',
  certificate: 'Il certificato del server di posta non è valido per questo nome',
  tls: 'La cifratura con il server di posta non riesce',
  inTheClear: 'Senza cifratura la password non parte: scegli TLS o STARTTLS',
} as const;
