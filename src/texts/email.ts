import { MAIL_TIMEOUT_MS } from '../domain/limits.ts';

/** From whom the administrator's e-mails are, before the address. */
export const emailSender = 'Sorpresa';

/** The longest subject, in characters: what a phone shows of it. */
const LONGEST_SUBJECT = 100;

/** The subject of an e-mail with this text: its first line, without the picture before it and the colon after it. */
export function emailSubject(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const line = first.replace(/^[\p{Extended_Pictographic}\u{FE0F}\s]+/u, '').replace(/:$/, '');
  return [...line].length > LONGEST_SUBJECT ? `${[...line].slice(0, LONGEST_SUBJECT - 1).join('')}…` : line;
}

/** Why an e-mail could not be handed over, where the server itself has not said it. */
export const mailFailures = {
  network: 'Il server di posta non è raggiungibile',
  timeout: `Il server di posta non ha finito di rispondere entro ${MAIL_TIMEOUT_MS / 1_000} secondi`,
  stopped: 'Il sito si è fermato mentre l’e-mail partiva',
  unreadable: 'Quello che ha risposto non è un server di posta',
  certificate: 'Il certificato del server di posta non è valido per questo nome',
  tls: 'La cifratura con il server di posta non riesce',
  inTheClear: 'Senza cifratura la password non parte: scegli TLS o STARTTLS',
} as const;
