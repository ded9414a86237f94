import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { SmtpSecurity } from '../../src/domain/channels.ts';
import { encrypt } from '../../src/server/auth/secrets.ts';
import type { Mailbox } from '../../src/server/features/notifications/email.ts';
import type { TestDatabase } from './databases.ts';
import { SECRET, saveChannel } from './notifier.ts';

export const MAIL_USER = 'lui@posta.example';
export const MAIL_PASSWORD = 'canarino-Segretissimo+42';

/**
 * Fault and its stage, until it is switched off. `hangs` never replies; `lost` accepts the message and disconnects;
 * `silent` accepts it without a reply.
 */
export type MailFault =
  | { at: 'none' }
  | { at: 'connect' | 'rcpt' | 'data'; code: number; text: string }
  | { at: 'connect' | 'rcpt' | 'data'; hangs: true }
  | { at: 'data'; lost: true }
  | { at: 'data'; silent: true };

export type MailServer = {
  port: number;
  /** Accepted messages, in order, unchanged. */
  letters: string[];
  /** Number of connections. */
  connections: number;
  /** Credentials used to sign in. */
  signedIn: string[];
  /** Number of intentionally missing replies. */
  hanging: number;
  fail(fault: MailFault): void;
  close(): Promise<void>;
};

export type Pem = { key: string; cert: string };

/** Creates a key and a self-signed certificate for 127.0.0.1. */
export function selfSigned(): Pem {
  const folder = mkdtempSync(join(tmpdir(), 'sorpresa-mail-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1';
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ${key} -out ${cert} ${subject}`;
  execFileSync('openssl', request.split(' '), { stdio: 'ignore' });
  const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  rmSync(folder, { recursive: true });
  return pem;
}

/**
 * Starts a real SMTP server that stores accepted messages, with faults to switch on. Requires the one user to sign in,
 * except with `none`.
 */
export async function mailServer(security: SmtpSecurity, pem?: Pem): Promise<MailServer> {
  let fault: MailFault = { at: 'none' };
  const failing = (at: MailFault['at'], done: (error?: Error | null) => void): boolean => {
    if (fault.at !== at || !('code' in fault || 'hangs' in fault)) return false;
    if ('code' in fault) done(Object.assign(new Error(fault.text), { responseCode: fault.code }));
    else server.hanging += 1;
    return true;
  };
  const options: SMTPServerOptions = {
    secure: security === 'tls',
    ...pem,
    authOptional: security === 'none',
    disabledCommands: security === 'none' ? ['STARTTLS', 'AUTH'] : [],
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onConnect(_session, done) {
      server.connections += 1;
      if (!failing('connect', done)) done();
    },
    onAuth({ username, password }, _session, done) {
      server.signedIn.push(`${username}`);
      if (username === MAIL_USER && password === MAIL_PASSWORD) return done(null, { user: username });
      done(Object.assign(new Error(`5.7.8 No ${password}`), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      if (!failing('rcpt', done)) done();
    },
    onData(stream, _session, done) {
      let letter = '';
      stream.on('data', (chunk: Buffer) => (letter += chunk.toString('utf8')));
      stream.on('end', () => {
        if (failing('data', done)) return;
        server.letters.push(letter);
        if ('lost' in fault) return hangUp();
        if ('silent' in fault) return;
        done();
      });
    },
  };
  const smtp = new SMTPServer(options);
  const sockets = new Set<{ destroy(): unknown }>();
  smtp.server.on('connection', (socket) => sockets.add(socket));
  smtp.on('error', () => {});
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const server: MailServer = {
    port: (smtp.server.address() as AddressInfo).port,
    letters: [],
    connections: 0,
    signedIn: [],
    hanging: 0,
    fail: (next) => (fault = next),
    close: async () => {
      const closed = new Promise<void>((resolve) => smtp.close(() => resolve()));
      hangUp();
      await closed;
    },
  };
  return server;
}

/** Returns the product's settings for this server. */
export function mailboxAt({ port }: MailServer, security: SmtpSecurity = 'starttls'): Mailbox {
  const signIn = security === 'none' ? { user: null, password: null } : SIGN_IN;
  return { host: '127.0.0.1', port, security, ...signIn, from: MAIL_USER, to: 'lei@posta.example' };
}
const SIGN_IN = { user: MAIL_USER, password: MAIL_PASSWORD };

/** Saves the mail settings of the notifications page. */
export function configureMail(database: TestDatabase, mailbox: Mailbox): Promise<void> {
  return saveChannel(database, {
    smtp_host: mailbox.host,
    smtp_port: mailbox.port,
    smtp_security: mailbox.security,
    smtp_user: mailbox.user,
    smtp_password: mailbox.password === null ? null : encrypt(SECRET, mailbox.password),
    email_from: mailbox.from,
    email_to: mailbox.to,
  });
}
