import type { NodemailerError } from 'nodemailer';
import { withoutControls } from '../../../domain/blank.ts';
import { isThisMachine, type SmtpSecurity } from '../../../domain/channels.ts';
import { MAIL_TIMEOUT_MS } from '../../../domain/limits.ts';
import { emailSender, emailSubject, mailFailures } from '../../../texts/notifications.ts';
import {
  type ChannelCheck,
  type Delivery,
  type FailedDelivery,
  parseDate,
  redactSecrets,
  type SendOptions,
} from './delivery.ts';
import { type Mailbox, sendMail, verifyLogin } from './smtp.ts';

export type OutgoingEmail = {
  text: string;
  /** Stays equal across attempts, so that mail programs detect duplicates. */
  id: string;
};

/** Sends plain text by e-mail with its first line as the subject; never rejects. */
export async function sendEmail(
  mailbox: Mailbox,
  email: OutgoingEmail,
  { patience = MAIL_TIMEOUT_MS, signal }: SendOptions = {},
): Promise<Delivery> {
  if (exposesPassword(mailbox)) return { kind: 'failed', error: mailFailures.inTheClear, uncertain: false };
  const limit = AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]);
  const progress = { handedOver: false };
  const told = (text: string) => redactSecrets(oneLine(text), secretsOf(mailbox));
  try {
    const content = await compose(mailbox, email);
    return { kind: 'sent', answer: told(await sendMail(mailbox, content, progress, limit)) };
  } catch (error) {
    const delivery = deliveryOf(error, progress.handedOver, limit);
    return { ...delivery, error: told(delivery.error) };
  }
}

/** Checks whether a mail server accepts the credentials; sends nothing. `told`: the time in its greeting, if any. Never rejects. */
export async function checkMailbox(
  mailbox: Mailbox,
  { patience = MAIL_TIMEOUT_MS, signal }: SendOptions = {},
): Promise<ChannelCheck> {
  if (exposesPassword(mailbox)) return { state: 'refused', told: null };
  const limit = AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]);
  let told: Date | null = null;
  try {
    await verifyLogin(mailbox, limit, (words) => {
      told ??= parseDate(words);
    });
    return { state: 'good', told };
  } catch (error) {
    return { state: limit.aborted ? 'silent' : checkStateOf(error), told };
  }
}

/** Returns `unfound` if no mail server, or the wrong one, answers; a temporary error (4xx) counts as `silent`. */
function checkStateOf(error: unknown): ChannelCheck['state'] {
  const { responseCode = 0 }: NodemailerError = error instanceof Error ? error : new Error('');
  if (SIGN_IN_REFUSED.has(responseCode)) return 'refused';
  return responseCode >= 400 && responseCode < 500 ? 'silent' : 'unfound';
}

/** Returns true if the password would cross a network unencrypted. */
function exposesPassword({ host, security, user }: Mailbox): boolean {
  return security === ('none' satisfies SmtpSecurity) && user !== null && !isThisMachine(host);
}

async function compose({ from, to }: Mailbox, { text, id }: OutgoingEmail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const mail = new MailComposer({
    from: { name: emailSender, address: from },
    to: { name: '', address: to },
    subject: emailSubject(text),
    text,
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return mail.compile().build();
}

/** Replies about authentication, not about a message (RFC 4954): required, too weak, failed, or encryption required. */
const SIGN_IN_REFUSED: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** Code of a server that closes the connection, in reply to any command. */
const CLOSING = 421;

function deliveryOf(error: unknown, handedOver: boolean, limit: AbortSignal): FailedDelivery {
  const {
    response,
    responseCode = 0,
    command = '',
  }: NodemailerError = error instanceof Error ? error : new Error(mailFailures.network);
  if (limit.aborted || response === undefined || !isAnswer(response))
    return { kind: 'failed', error: failureOf(error, limit), uncertain: handedOver };
  return isAboutTheMessage(responseCode, command)
    ? { kind: 'refused', error: response }
    : { kind: 'failed', error: response, uncertain: false };
}

/**
 * Returns true if the error concerns only this message. All messages have the same sender and recipient, so a temporary
 * refusal of one concerns all, which then wait in order. A permanent refusal, or one after DATA, concerns this message.
 */
function isAboutTheMessage(code: number, command: string): boolean {
  if (code === CLOSING || SIGN_IN_REFUSED.has(code)) return false;
  if (command === 'DATA') return true;
  return code >= 500 && (command === 'MAIL FROM' || command === 'RCPT TO');
}

/** Returns true for an SMTP reply. Output of any other service is never quoted. */
const isAnswer = (text: string) => /^[2-5]\d\d[ -]/.test(text);

const CERTIFICATE = /CERT|ISSUER|SIGNATURE/;
const TLS = /^(ERR_SSL|EPROTO|ETLS)/;

/** Describes a failure in fixed phrases, because a library's message may quote anything. */
function failureOf(error: unknown, limit: AbortSignal): string {
  if (limit.aborted) return isTimeout(limit.reason) ? mailFailures.timeout : mailFailures.stopped;
  if (!(error instanceof Error)) return mailFailures.network;
  const { response, code = '', originalCode = code }: NodemailerError = error;
  if (response !== undefined || code === 'EPROTOCOL') return mailFailures.unreadable;
  if (CERTIFICATE.test(originalCode)) return `${mailFailures.certificate} (${originalCode})`;
  if (TLS.test(originalCode)) return `${mailFailures.tls} (${originalCode})`;
  return originalCode === '' ? mailFailures.network : `${mailFailures.network} (${originalCode})`;
}

const isTimeout = (reason: unknown) => reason instanceof Error && reason.name === 'TimeoutError';

const oneLine = (text: string) => withoutControls(text, ' ').trim();

/** Returns the password and its encoded forms (RFC 4616, AUTH LOGIN), because a server may echo them. */
function secretsOf({ user, password }: Mailbox): string[] {
  if (password === null) return [];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [base64(`\0${user ?? ''}\0${password}`), base64(password), password];
}
