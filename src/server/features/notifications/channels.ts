import type { ChannelName } from '../../../domain/channels.ts';
import { decryptOrNull } from '../../auth/secrets.ts';
import type { Deps } from '../../deps.ts';
import type { ChannelCheck, Delivery, SendOptions } from './delivery.ts';
import { checkMailbox, type OutgoingEmail, sendEmail } from './email.ts';
import { type ChannelSettings, moveChat, readChannelSettings } from './notifications.repo.ts';

/** Sends a message; never rejects. `ask` only checks whether a message would be accepted. */
export type Send = ((message: OutgoingEmail, sending?: SendOptions) => Promise<Delivery>) & {
  ask(sending?: SendOptions): Promise<ChannelCheck>;
};

type ChannelDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'secret'>;
/** `unreadable`: set up, but its stored secret was encrypted with another key. */
type OpenedChannel = Send | 'unset' | 'unreadable';

/** Opens each channel with its present settings. */
export async function openChannels(deps: ChannelDeps): Promise<Record<ChannelName, OpenedChannel>> {
  const settings = await readChannelSettings(deps.db);
  if (settings === undefined) return { telegram: 'unset', email: 'unset' };
  return { telegram: openTelegram(deps, settings), email: openEmail(deps, settings) };
}

export const canSend = (opened: OpenedChannel): opened is Send => typeof opened === 'function';

/** Loads the client, about 20 MB, at the notifier's first check after a bot is set up, not at the first message. */
const telegram = () => import('./telegram.ts');

function openTelegram(
  { env, inTransaction, secret }: ChannelDeps,
  { telegram_bot_token, telegram_chat_id }: ChannelSettings,
): OpenedChannel {
  if (!telegram_bot_token || !telegram_chat_id) return 'unset';
  const token = decryptOrNull(secret, telegram_bot_token);
  if (token === null) return 'unreadable';
  const bot = { token, chat_id: telegram_chat_id };
  void telegram().catch(() => undefined);
  const send = async ({ text }: OutgoingEmail, sending?: SendOptions) => {
    const { sendMessage } = await telegram();
    const sent = await sendMessage(env.TELEGRAM_API_ROOT, bot, text, sending);
    if (sent.kind !== 'refused' || sent.moved_to === undefined) return sent;
    const chat_id = sent.moved_to;
    await inTransaction((tx) => moveChat(tx, bot.chat_id, chat_id));
    return sendMessage(env.TELEGRAM_API_ROOT, { ...bot, chat_id }, text, sending);
  };
  const ask = async (sending?: SendOptions) =>
    (await telegram()).checkBot(env.TELEGRAM_API_ROOT, bot, sending);
  return Object.assign(send, { ask });
}

function openEmail({ secret }: ChannelDeps, settings: ChannelSettings): OpenedChannel {
  const { smtp_host, smtp_user, smtp_password, email_from, email_to } = settings;
  if (smtp_host === null || email_from === null || email_to === null) return 'unset';
  if (smtp_user !== null && smtp_password === null) return 'unset';
  const password = smtp_password === null ? null : decryptOrNull(secret, smtp_password);
  if (smtp_user !== null && password === null) return 'unreadable';
  const mailbox = {
    host: smtp_host,
    port: settings.smtp_port,
    security: settings.smtp_security,
    user: smtp_user,
    password,
    from: email_from,
    to: email_to,
  };
  const send = (message: OutgoingEmail, sending?: SendOptions) => sendEmail(mailbox, message, sending);
  return Object.assign(send, { ask: (sending?: SendOptions) => checkMailbox(mailbox, sending) });
}
