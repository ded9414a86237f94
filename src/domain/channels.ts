import type { ConfigRecord } from '../contract/admin/config.ts';
import { CHAT_SEARCH } from './limits.ts';

/** Channels of notifications to the administrator. Each has a separate queue. */
export const CHANNELS = ['telegram', 'email'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Encryption of the connection to a mail server: from the first byte, after its reply to STARTTLS, or none. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

/** Defaults: mail submission with STARTTLS (RFC 6409). */
export const SMTP_DEFAULTS = { smtp_port: 587, smtp_security: 'starttls' } as const;

/** Mail services with fixed settings. The user name of all of them is the whole address. */
export const MAIL_PROVIDERS = {
  gmail: { smtp_host: 'smtp.gmail.com', smtp_security: 'tls', smtp_port: 465 },
  outlook: { smtp_host: 'smtp-mail.outlook.com', smtp_security: 'starttls', smtp_port: 587 },
  libero: { smtp_host: 'smtp.libero.it', smtp_security: 'tls', smtp_port: 465 },
  aruba: { smtp_host: 'smtps.aruba.it', smtp_security: 'tls', smtp_port: 465 },
} as const;
export type MailProvider = keyof typeof MAIL_PROVIDERS;

/** Maximum lengths in characters: an e-mail address (RFC 5321), and a user name or password. */
export const EMAIL_LIMITS = { address: 254, signIn: 200 } as const;

type ChannelSettings = Pick<
  ConfigRecord,
  | 'telegram_bot_token_masked'
  | 'telegram_chat_id'
  | 'smtp_host'
  | 'smtp_user'
  | 'smtp_password_kept'
  | 'email_from'
  | 'email_to'
>;

/** Returns which channels are set up, from the configuration that clients read. */
export function channelsSetUp(config: ChannelSettings): Record<ChannelName, boolean> {
  const { smtp_host, smtp_user, smtp_password_kept, email_from, email_to } = config;
  const signsIn = smtp_user === null || smtp_password_kept;
  return {
    telegram: config.telegram_bot_token_masked !== null && config.telegram_chat_id !== null,
    email: smtp_host !== null && email_from !== null && email_to !== null && signsIn,
  };
}

/** Kinds of chats of a bot; a supergroup is a group. */
export const CHAT_KINDS = ['private', 'group', 'channel'] as const;
export type ChatKind = (typeof CHAT_KINDS)[number];

/**
 * Reasons why a bot's chats can't be listed: Telegram doesn't know its token; its updates go to a webhook, or to another program that polls
 * them; there were too many requests; no readable reply arrives.
 */
export const CHAT_PROBLEMS = [
  'TOKEN_REFUSED',
  'WEBHOOK_SET',
  'READ_ELSEWHERE',
  'SLOWED_DOWN',
  'UNREACHABLE',
] as const;
export type ChatProblem = (typeof CHAT_PROBLEMS)[number];

/**
 * Returns true if another search may succeed: attempts are left, and the last one had no problem or no reply.
 * All other problems need an action first. @param attempts attempts made
 */
export const shouldKeepSearching = (attempts: number, problem: ChatProblem | null): boolean =>
  attempts < CHAT_SEARCH.maxPolls && (problem === null || problem === 'UNREACHABLE');

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Returns true for a loopback name or address. */
export const isThisMachine = (host: string): boolean => LOOPBACK.test(host);
