import { connect } from 'node:net';
import type { NodemailerError, Transporter } from 'nodemailer';
import { withoutControls } from '../../../domain/blank.ts';
import { isThisMachine, type SmtpSecurity } from '../../../domain/channels.ts';
import { MAIL_TIMEOUT_MS } from '../../../domain/limits.ts';
import { emailSender, emailSubject, mailFailures } from '../../../texts/notifications.ts';
import {
  type ChannelCheck,
  type Delivery,
  type FailedDelivery,
  limitOf,
  type OutgoingMessage,
  parseDate,
  redactSecrets,
} from './delivery.ts';

/** A mail server with the sender and recipient of all messages. */
export type Mailbox = {
  host: string;
  port: number;
  security: SmtpSecurity;
  user: string | null;
  password: string | null;
  from: string;
  to: string;
};

/** Time in which the server must close its side after the last reply, in ms. The library sends no QUIT after a message. */
const CLOSE_TIMEOUT_MS = 500;
/** Longest reply that is read, in bytes. */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * Sends plain text by e-mail with its first line as the subject; never rejects.
 * @param signal aborts the sending; then it may be uncertain whether the message arrived
 */
export async function sendEmail(
  mailbox: Mailbox,
  { text, id }: OutgoingMessage,
  signal?: AbortSignal,
): Promise<Delivery> {
  if (exposesPassword(mailbox)) return { kind: 'failed', error: mailFailures.inTheClear, uncertain: false };
  const limit = limitOf(MAIL_TIMEOUT_MS, signal);
  const told = (words: string) => redactSecrets(withoutControls(words, ' ').trim(), secretsOf(mailbox));
  const { from, to } = mailbox;
  // From this command on the server may have the message: it may be pipelined with the text (RFC 2920).
  let isHandedOver = false;
  try {
    const transport = await openTransport(mailbox, limit, (speaker, words) => {
      if (speaker === 'client' && words.startsWith('MAIL FROM')) isHandedOver = true;
    });
    const { response } = await transport.sendMail({
      from: { name: emailSender, address: from },
      to: { name: '', address: to },
      subject: emailSubject(text),
      text,
      messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      // Suppresses automatic replies (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { kind: 'sent', answer: told(response) };
  } catch (error) {
    const delivery = deliveryOf(toMailError(error), isHandedOver, limit);
    return { ...delivery, error: told(delivery.error) };
  }
}

/** Checks whether a mail server accepts the credentials; sends nothing. `told`: the time in its greeting, if any. Never rejects. */
export async function checkMailbox(mailbox: Mailbox, signal?: AbortSignal): Promise<ChannelCheck> {
  if (exposesPassword(mailbox)) return { state: 'refused', told: null };
  const limit = limitOf(MAIL_TIMEOUT_MS, signal);
  let told: Date | null = null;
  try {
    const transport = await openTransport(mailbox, limit, (speaker, words) => {
      if (speaker === 'server') told ??= parseDate(words);
    });
    await transport.verify();
    return { state: 'good', told };
  } catch (error) {
    return { state: limit.aborted ? 'silent' : checkStateOf(toMailError(error)), told };
  }
}

/**
 * Opens a connection for one sending or check. Rejects with nodemailer's error or the limit's reason.
 * @param limit aborts at once
 * @param onLine called with each command and reply; secrets are masked
 */
async function openTransport(
  { host, port, security, user, password }: Mailbox,
  limit: AbortSignal,
  onLine: (speaker: string | undefined, text: string) => void,
): Promise<Transporter<{ response: string }>> {
  limit.throwIfAborted();
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host,
    port,
    secure: security === 'tls',
    // Without it, a server or an attacker in between could force an unencrypted connection.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // Signs in even if the server doesn't offer it: otherwise the message would leave without.
    ...(user !== null && password !== null && { auth: { user, pass: password }, forceAuth: true }),
    socketCloseTimeout: CLOSE_TIMEOUT_MS,
    maxResponseSize: MAX_REPLY_BYTES,
    disableFileAccess: true,
    disableUrlAccess: true,
    // The library can't abort a check.
    getSocket(_options, done) {
      const connection = connect({ host, port, signal: limit });
      connection.on('error', done).once('connect', () => done(null, { connection }));
    },
    // The library passes commands, and the server's greeting, only to its logger.
    logger: { debug: ({ tnx }: { tnx?: string }, text: unknown) => onLine(tnx, String(text)) },
    transactionLog: true,
  });
}

/** Returns `unfound` if no mail server, or the wrong one, answers; a temporary error (4xx) counts as `silent`. */
function checkStateOf({ responseCode = 0 }: NodemailerError): ChannelCheck['state'] {
  if (SIGN_IN_REFUSED.has(responseCode)) return 'refused';
  return responseCode >= 400 && responseCode < 500 ? 'silent' : 'unfound';
}

/** Returns true if the password would cross a network unencrypted. */
function exposesPassword({ host, security, user }: Mailbox): boolean {
  return security === 'none' && user !== null && !isThisMachine(host);
}

/** Replies about authentication, not about a message (RFC 4954): required, too weak, failed, or encryption required. */
const SIGN_IN_REFUSED: ReadonlySet<number> = new Set([530, 534, 535, 538]);
/** Code of a server that closes the connection, in reply to any command. */
const CLOSING = 421;

const toMailError = (error: unknown): NodemailerError =>
  error instanceof Error ? error : new Error(String(error));

function deliveryOf(error: NodemailerError, isHandedOver: boolean, limit: AbortSignal): FailedDelivery {
  const { response, responseCode = 0, command = '' } = error;
  // Output of any other service is never quoted.
  if (limit.aborted || response === undefined || !/^[2-5]\d\d[ -]/.test(response))
    return { kind: 'failed', error: failureOf(error, limit), uncertain: isHandedOver };
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

const CERTIFICATE = /CERT|ISSUER|SIGNATURE/;
const TLS = /^(ERR_SSL|EPROTO|ETLS)/;

/** Describes a failure in fixed phrases, because a library's message may quote anything. */
function failureOf(error: NodemailerError, { aborted, reason }: AbortSignal): string {
  if (aborted)
    return reason instanceof Error && reason.name === 'TimeoutError'
      ? mailFailures.timeout
      : mailFailures.stopped;
  const { response, code = '', originalCode = code } = error;
  if (response !== undefined || code === 'EPROTOCOL') return mailFailures.unreadable;
  if (CERTIFICATE.test(originalCode)) return `${mailFailures.certificate} (${originalCode})`;
  if (TLS.test(originalCode)) return `${mailFailures.tls} (${originalCode})`;
  return originalCode === '' ? mailFailures.network : `${mailFailures.network} (${originalCode})`;
}

/** Returns the password and its encoded forms (RFC 4616, AUTH LOGIN), because a server may echo them. */
function secretsOf({ user, password }: Mailbox): string[] {
  if (password === null) return [];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return [base64(`\0${user ?? ''}\0${password}`), base64(password), password];
}
