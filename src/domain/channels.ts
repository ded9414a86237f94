import { CHAT_SEARCH } from './limits.ts';

/** The ways a notice takes to the administrator. Each has a queue of its own. */
export const CHANNELS = ['telegram', 'email'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** How what is said to a mail server is kept from others: from the first byte, from its answer to STARTTLS on, or not at all. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

/** What stands there before anybody chose: the submission of mail with STARTTLS (RFC 6409). */
export const SMTP_DEFAULTS = { smtp_port: 587, smtp_security: 'starttls' } as const;
/** What may be written, in signs: the longest address there is (RFC 5321), and a name or password to sign in with. */
export const EMAIL_LIMITS = { address: 254, signIn: 200 } as const;

type TelegramSettings = { telegram_bot_token_masked: string | null; telegram_chat_id: string | null };
type EmailSettings = {
  smtp_host: string | null;
  smtp_user: string | null;
  smtp_password_kept: boolean;
  email_from: string | null;
  email_to: string | null;
};

/** Which channels are set up, as the configuration is read. */
export function channelsSetUp(config: TelegramSettings & EmailSettings): Record<ChannelName, boolean> {
  const { smtp_host, smtp_user, smtp_password_kept, email_from, email_to } = config;
  const signsIn = smtp_user === null || smtp_password_kept;
  return {
    telegram: config.telegram_bot_token_masked !== null && config.telegram_chat_id !== null,
    email: smtp_host !== null && email_from !== null && email_to !== null && signsIn,
  };
}

/** What a chat is that a bot was met in; a supergroup is a group, too. */
export const CHAT_KINDS = ['private', 'group', 'channel'] as const;
export type ChatKind = (typeof CHAT_KINDS)[number];

/**
 * Why a bot's chats can't be looked for: Telegram doesn't know its token; what is written to it goes to a webhook, or to another program that
 * asks, too; too much was asked; nothing that can be read comes back.
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
 * Is there sense in looking for a chat once more, after so many looks, the last of which met this? Where nothing comes back it may yet;
 * everything else wants something done first.
 */
export const shouldKeepSearching = (looks: number, problem: ChatProblem | null): boolean =>
  looks < CHAT_SEARCH.looks && (problem === null || problem === 'UNREACHABLE');

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Is it this very machine, by its name or its number? */
export const isThisMachine = (host: string): boolean => LOOPBACK.test(host);
