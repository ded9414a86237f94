import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpSecurity } from '../../../domain/channels.ts';

/** A mail server, and between which addresses it is to carry what we write. */
export type Mailbox = {
  host: string;
  port: number;
  security: SmtpSecurity;
  user: string | null;
  password: string | null;
  from: string;
  to: string;
};

/** A server that doesn't close its side after we have said goodbye has so long, in ms. */
const GOODBYE = 500;
/** The longest answer that is read, in bytes. */
const LONGEST_ANSWER = 64 * 1024;

/**
 * One message in one connection. Returns the server's answer to it; rejects with nodemailer's error, or with the limit's reason.
 * @param progress is told when the server may have the message though it never says so
 * @param limit gives up at once
 */
export async function converse(
  mailbox: Mailbox,
  content: Buffer,
  progress: { handedOver: boolean },
  limit: AbortSignal,
): Promise<string> {
  limit.throwIfAborted();
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(optionsFor(mailbox));
  const broken = brokenOff(connection, limit);
  const step = <T>(work: (done: Done<T>) => void) => Promise.race([broken, settled(work)]);
  try {
    await step<void>((done) => connection.connect(done));
    await signIn(connection, mailbox, step);
    progress.handedOver = true;
    const { from, to } = mailbox;
    const { response } = await step<{ response: string }>((done) =>
      connection.send({ from, to }, content, done),
    );
    connection.quit();
    return response;
  } finally {
    connection.close();
  }
}

type Done<T> = (error?: Error | null, result?: T) => void;

function optionsFor({ host, port, security }: Mailbox) {
  return {
    host,
    port,
    secure: security === 'tls',
    // Without it a server, or whoever stands between, could have us speak in the clear.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    socketCloseTimeout: GOODBYE,
    maxResponseSize: LONGEST_ANSWER,
    logger: false,
  };
}

async function signIn(
  connection: SMTPConnection,
  { user, password }: Mailbox,
  step: (work: (done: Done<boolean>) => void) => Promise<boolean>,
): Promise<void> {
  if (user === null || password === null) return;
  await step((done) => connection.login({ user, pass: password }, done));
}

/** Never resolves; rejects when the connection fails or ends, or the limit is reached. */
function brokenOff(connection: SMTPConnection, limit: AbortSignal): Promise<never> {
  const broken = new Promise<never>((_resolve, reject) => {
    connection.on('error', reject);
    // Where a step has failed it says so itself, just after the end.
    connection.once('end', () => setImmediate(reject, new Error('connection ended')));
    limit.addEventListener('abort', () => reject(limit.reason), { once: true });
  });
  // Once the message is through nobody asks any more.
  broken.catch(() => {});
  return broken;
}

function settled<T>(work: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    work((error, result) => {
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}
