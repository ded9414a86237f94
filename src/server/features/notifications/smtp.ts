import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpSecurity } from '../../../domain/channels.ts';

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

/** Time in which the server must close its side after QUIT, in ms. */
const QUIT_TIMEOUT_MS = 500;
/** Longest reply that is read, in bytes. */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * Sends one message in one connection. Returns the server's reply; rejects with nodemailer's error or the limit's
 * reason.
 * @param progress set as soon as the server may have the message without confirming it
 * @param limit aborts at once
 */
export async function sendMail(
  mailbox: Mailbox,
  content: Buffer,
  progress: { handedOver: boolean },
  limit: AbortSignal,
): Promise<string> {
  return connected(mailbox, limit, async (connection, step) => {
    await signIn(connection, mailbox, step);
    progress.handedOver = true;
    const { from, to } = mailbox;
    const { response } = await step<{ response: string }>((done) =>
      connection.send({ from, to }, content, done),
    );
    return response;
  });
}

/**
 * Signs in and disconnects; rejects like `sendMail`.
 * @param onReply called with each reply of the server
 */
export function verifyLogin(
  mailbox: Mailbox,
  limit: AbortSignal,
  onReply: (text: string) => void,
): Promise<void> {
  return connected(mailbox, limit, (connection, step) => signIn(connection, mailbox, step), onReply);
}

type SmtpStep = <T>(work: (done: NodeCallback<T>) => void) => Promise<T>;

async function connected<T>(
  mailbox: Mailbox,
  limit: AbortSignal,
  work: (connection: SMTPConnection, step: SmtpStep) => Promise<T>,
  onReply?: (text: string) => void,
): Promise<T> {
  limit.throwIfAborted();
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(optionsFor(mailbox, onReply));
  const broken = brokenOff(connection, limit);
  const step: SmtpStep = (stepped) => Promise.race([broken, settled(stepped)]);
  try {
    await step<void>((done) => connection.connect(done));
    const result = await work(connection, step);
    connection.quit();
    return result;
  } finally {
    connection.close();
  }
}

type NodeCallback<T> = (error?: Error | null, result?: T) => void;

function optionsFor({ host, port, security }: Mailbox, onReply?: (text: string) => void) {
  return {
    host,
    port,
    secure: security === 'tls',
    // Without it, a server or an attacker in between could force an unencrypted connection.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    socketCloseTimeout: QUIT_TIMEOUT_MS,
    maxResponseSize: MAX_REPLY_BYTES,
    // The library passes the server's greeting only to its logger.
    logger: onReply === undefined ? false : listener(onReply),
    transactionLog: onReply !== undefined,
  };
}

/** Creates a logger that reports the server's replies and never the client's commands. */
function listener(onReply: (text: string) => void) {
  const ignore = () => undefined;
  const debug = (entry: { tnx?: string }, text: unknown) => {
    if (entry.tnx === 'server') onReply(String(text));
  };
  return { level: ignore, trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore };
}

async function signIn(
  connection: SMTPConnection,
  { user, password }: Mailbox,
  step: SmtpStep,
): Promise<void> {
  if (user === null || password === null) return;
  await step<boolean>((done) => connection.login({ user, pass: password }, done));
}

/** Never resolves; rejects if the connection fails or ends, or the limit aborts. */
function brokenOff(connection: SMTPConnection, limit: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
    // A failed step reports its own error just after the end.
    connection.once('end', () => setImmediate(reject, new Error('connection ended')));
    limit.addEventListener('abort', () => reject(limit.reason), { once: true });
  });
  // No caller awaits it after a successful sending.
  broken.catch(() => {});
  return broken;
}

function settled<T>(work: (done: NodeCallback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    work((error, result) => {
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}
