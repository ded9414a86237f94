import type { ChannelName } from '../../../domain/channels.ts';
import { decryptOrNull } from '../../auth/secrets.ts';
import type { Deps } from '../../deps.ts';
import type { ChannelCheck, Delivery, OutgoingMessage } from './delivery.ts';
import { checkMailbox, sendEmail } from './email.ts';
import { type ChannelSettings, moveChat, readChannelSettings } from './notifications.repo.ts';
import { checkBot, sendMessage } from './telegram.ts';

type OpenChannel = {
  /** Sends a message; never rejects. */
  send(message: OutgoingMessage, signal?: AbortSignal): Promise<Delivery>;
  /** Checks whether a message would be accepted, without sending one. */
  ask(signal?: AbortSignal): Promise<ChannelCheck>;
};
/** `unreadable`: set up, but its stored secret was encrypted with another key. */
type Channel = OpenChannel | 'unset' | 'unreadable';
type ChannelDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'secret'>;

/** Opens each channel with its present settings. */
export async function openChannels(deps: ChannelDeps): Promise<Record<ChannelName, Channel>> {
  const settings = await readChannelSettings(deps.db);
  if (settings === undefined) return { telegram: 'unset', email: 'unset' };
  return { telegram: openTelegram(deps, settings), email: openEmail(deps, settings) };
}

export const canSend = (channel: Channel): channel is OpenChannel => typeof channel === 'object';

function openTelegram(
  { env: { TELEGRAM_API_ROOT: apiRoot }, inTransaction, secret }: ChannelDeps,
  { telegram_bot_token, telegram_chat_id: chat_id }: ChannelSettings,
): Channel {
  if (!telegram_bot_token || !chat_id) return 'unset';
  const token = decryptOrNull(secret, telegram_bot_token);
  if (token === null) return 'unreadable';
  const bot = { apiRoot, token, chat_id };
  return {
    async send({ text }, signal) {
      const sent = await sendMessage(bot, text, signal);
      if (sent.kind !== 'refused' || sent.moved_to === undefined) return sent;
      const { moved_to } = sent;
      await inTransaction((tx) => moveChat(tx, chat_id, moved_to));
      return sendMessage({ ...bot, chat_id: moved_to }, text, signal);
    },
    ask: (signal) => checkBot(bot, signal),
  };
}

function openEmail({ secret }: ChannelDeps, settings: ChannelSettings): Channel {
  const { smtp_host: host, smtp_user: user, smtp_password, email_from: from, email_to: to } = settings;
  if (host === null || from === null || to === null) return 'unset';
  if (user !== null && smtp_password === null) return 'unset';
  const password = smtp_password === null ? null : decryptOrNull(secret, smtp_password);
  if (user !== null && password === null) return 'unreadable';
  const { smtp_port: port, smtp_security: security } = settings;
  const mailbox = { host, port, security, user, password, from, to };
  return {
    send: (message, signal) => sendEmail(mailbox, message, signal),
    ask: (signal) => checkMailbox(mailbox, signal),
  };
}
