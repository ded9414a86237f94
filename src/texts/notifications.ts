import type { Notification } from '../contract/admin/notifications.ts';
import { signsOf, withoutControls } from '../domain/blank.ts';
import type { ChannelName } from '../domain/channels.ts';
import { MAIL_TIMEOUT_MS, TELEGRAM_TIMEOUT_MS } from '../domain/limits.ts';
import { isReadLeftwards, withoutMarkers } from '../domain/phrases.ts';
import type { ReasonId } from '../domain/readiness-reasons.ts';
import { exitPointTexts } from './admin/logs.ts';
import { reasonTexts } from './admin/readiness.ts';
import { ordinalDate, withArticle } from './dates.ts';
import { deniedMessages } from './errors.ts';

/** Maximum message length in characters (Telegram accepts 4,096). */
const LONGEST = 1_000;
/** Age in ms from which a message includes the time of its event. */
const LATE = 2 * 60_000;
const MAX_REASONS = 5;
/** Suffix of a message that may arrive twice. */
const MAYBE_DUPLICATE: Readonly<Record<ChannelName, string>> = {
  telegram: '\n(Forse l’hai già ricevuto: la prima volta Telegram non ha confermato.)',
  email: '\n(Forse l’hai già ricevuto: la prima volta il server di posta non ha confermato.)',
};

/** Notifications sent as one message, newest first; `count` of them in all, the first at `since`. */
export type MessageGroup = {
  notifications: readonly Notification[];
  count: number;
  since: string;
  /** True if it was sent before without a confirmation. */
  uncertain: boolean;
};

type OfType<T extends Notification['type']> = Extract<Notification, { type: T }>;

const sentences: { [T in Notification['type']]: (notification: OfType<T>) => string } = {
  access: (notification) => (notification.success ? entry(notification) : failedEntry(notification)),
  access_exceeded: (notification) =>
    `🔒 Il codice ${code(notification)} è già stato usato tutte le volte concesse, e qualcuno lo ha provato ancora.`,
  error: (notification) =>
    `⚠️ La sorpresa ha avuto un problema.\n${brief(notification.error_message)}${fromCode(notification)}`,
  checkbox_response: (notification) =>
    `💛 ${who(notification)} ha risposto alle domande del ${trips[notification.viaggio]}!\n${answers(notification)}${fromCode(notification)}`,
  visit_completed: (notification) =>
    `🌅 ${who(notification)} ha visto la sorpresa fino alla fine.${fromCode(notification)}`,
  visit_stopped: (notification) =>
    `⏸️ ${who(notification)} ha lasciato la sorpresa prima della fine${place(notification)}.\nDallo stesso telefono può riprendere da lì.${fromCode(notification)}`,
  not_ready: ({ reasons }) =>
    `⚠️ La serata non è pronta: qualcosa è cambiato.\n${reasonLines(reasons)}\nLa pagina «Pronta?» dice dove rimediare.`,
  address_changed: ({ indirizzo }) =>
    `🔗 L’indirizzo della sorpresa è cambiato: il link che hai dato non funziona più.\nQuello nuovo: ${indirizzo}\nManda questo. Chi era già dentro scrive di nuovo il codice e riprende da dov’era.`,
  keepsake_reply: (notification) =>
    `💌 ${who(notification)} ti ha scritto, guardando di nuovo la serata:\n${lines(notification.testo)}\nLe sue parole restano nella pagina delle risposte.`,
};

function entry(notification: OfType<'access'> & { success: true }): string {
  return `💌 La sorpresa è cominciata! ${who(notification)} ha aperto la pagina.${fromCode(notification)}\nDispositivo: ${brief(notification.device_id)}`;
}

function answers({ domande, risposta_1, risposta_2 }: OfType<'checkbox_response'>): string {
  const [first, second] = domande ?? ['Prima domanda:', 'Seconda domanda:'];
  return `${brief(withoutMarkers(first))} ${yesNo(risposta_1)}\n${brief(withoutMarkers(second))} ${yesNo(risposta_2)}`;
}

function place({ exit_point }: OfType<'visit_stopped'>): string {
  return exit_point === null ? '' : `, ${exitPointTexts[exit_point]}`;
}

/** Lists the most severe reasons, as many as a phone shows. */
function reasonLines(reasons: readonly ReasonId[]): string {
  const more = reasons.length - MAX_REASONS;
  const lines = reasons.slice(0, MAX_REASONS).map((id) => `• ${reasonTexts[id]}`);
  return [...lines, ...(more > 0 ? [more === 1 ? '• e un’altra cosa' : `• e altre ${more} cose`] : [])].join(
    '\n',
  );
}

const trips = { 1: 'primo viaggio', 2: 'secondo viaggio' } as const;

/** Message that tests the settings. */
export const testMessages: Readonly<Record<ChannelName, string>> = {
  telegram: '✨ Messaggio di prova: le notifiche della sorpresa funzionano, e arriveranno in questa chat.',
  email: '✨ E-mail di prova\nLe notifiche della sorpresa funzionano, e arriveranno a questo indirizzo.',
};

/** Notification that only the disk space reserved for the evening is left. */
export const diskFull =
  'Spazio esaurito sul server: la serata può continuare, ma non si possono caricare file finché non si libera spazio.';

/** Notification that items left the bin early, because disk space was short. */
export const binShortened = (count: number) =>
  `Lo spazio sul server era poco: ${count === 1 ? 'un file più vecchio ha lasciato' : `${count} file più vecchi hanno lasciato`} il cestino prima dei 30 giorni.`;

/** Reasons why a message could not be delivered, if Telegram itself reported none. */
export const deliveryFailures = {
  network: 'Telegram non è raggiungibile',
  timeout: `Telegram non ha risposto entro ${TELEGRAM_TIMEOUT_MS / 1_000} secondi`,
  stopped: 'Il sito si è fermato mentre il messaggio partiva',
  unreadable: 'La risposta di Telegram non è leggibile',
} as const;

/**
 * Returns the text of a message: plain, at most 1,000 characters.
 * @param now current time; an event some time ago is dated
 * @param channel channel named in the note about a missing confirmation
 */
export function notificationText(group: MessageGroup, now: Date, channel: ChannelName): string {
  const duplicateNote = MAYBE_DUPLICATE[channel];
  const text = [...`${body(group)}${eventTime(group, now)}`]
    .slice(0, LONGEST - duplicateNote.length)
    .join('');
  return group.uncertain ? text + duplicateNote : text;
}

function body(group: MessageGroup): string {
  const [newest] = group.notifications;
  if (!newest) return '⚠️ È successo qualcosa, ma il messaggio che lo raccontava non è più leggibile.';
  return group.count === 1 ? single(newest) : many(group);
}

function single(notification: Notification): string {
  const sentence = sentences[notification.type] as (notification: Notification) => string;
  return sentence(notification);
}

/** Summarizes failed entries: number per reason. */
function many({ notifications, count }: MessageGroup): string {
  const reasons = new Map<string, { times: number; codice: string }>();
  for (const notification of notifications) {
    const reason = 'error_message' in notification ? reasonOf(notification) : notification.type;
    const known = reasons.get(reason);
    reasons.set(reason, { times: (known?.times ?? 0) + 1, codice: known?.codice ?? code(notification) });
  }
  const lines = [...reasons]
    .toSorted(([, a], [, b]) => b.times - a.times)
    .slice(0, MAX_REASONS)
    .map(
      ([reason, { times, codice }]) => `• ${reason}: ${times}${codice ? ` (l’ultima con ${codice})` : ''}`,
    );
  return [`🔒 ${count} tentativi non riusciti:`, ...lines].join('\n');
}

/** Replaces the log's word token by code. */
function reasonOf({ error_message }: { error_message: string }): string {
  return error_message === deniedMessages.token_unknown
    ? 'Codice inesistente o disattivato'
    : brief(error_message);
}

function failedEntry(notification: OfType<'access'> & { success: false }): string {
  const reason = reasonOf(notification);
  if (notification.token_value === undefined)
    return `⚠️ La pagina della sorpresa ha avuto un problema.\n${reason}`;
  return `🔒 Un accesso non è riuscito.\nCodice: ${code(notification)}\nMotivo: ${reason}`;
}

function fromCode(notification: Notification): string {
  const codice = code(notification);
  return codice ? `\nCodice: ${codice}` : '';
}

const code = (notification: Notification) =>
  brief(('token_value' in notification ? notification.token_value : undefined) ?? '');
/** Name of the code, as the administrator chose it. */
const who = ({ nome = '' }: { nome?: string | undefined }) => brief(nome) || 'Qualcuno';
const yesNo = (answer: boolean) => (answer ? 'Sì' : 'No');

/** Returns one line of at most 120 characters. Text read from right to left is isolated, so that the sentence around it keeps its order. */
function brief(text: string): string {
  const line = cut(withoutControls(text, ' ').trim(), 120);
  return isReadLeftwards(line) ? `\u2068${line}\u2069` : line;
}

/** Shortens a text with line breaks to what fits into a message. */
function lines(text: string): string {
  const plain = text.split('\n').map((line) => withoutControls(line, ' '));
  return cut(plain.join('\n').trim(), 700);
}

function cut(text: string, max: number): string {
  const signs = signsOf(text);
  return signs.length > max ? `${signs.slice(0, max - 1).join('')}…` : text;
}

const italianMoment = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/Rome',
});

function eventTime({ since, count }: MessageGroup, now: Date): string {
  const happened = new Date(since);
  if (now.getTime() - happened.getTime() < LATE) return '';
  const moment = ordinalDate(italianMoment.format(happened));
  return `\n(${count > 1 ? withArticle('dal', moment) : moment})`;
}

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
