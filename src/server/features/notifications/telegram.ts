import type { InferContractRouterOutputs } from '@orpc/contract';
import { z } from 'zod';
import type { contract } from '../../../contract/contract.ts';
import type { ChatKind, ChatProblem } from '../../../domain/channels.ts';
import { CHAT_SEARCH, TELEGRAM_TIMEOUT_MS } from '../../../domain/limits.ts';
import { deliveryFailures } from '../../../texts/notifications.ts';
import {
  type ChannelCheck,
  type Delivery,
  type FailedDelivery,
  limitOf,
  parseDate,
  redactSecrets,
} from './delivery.ts';

// Node stores fetched URLs in its performance timeline, and Telegram's URLs contain the bot token.
performance.setResourceTimingBufferSize(0);

const MAX_REPLY_BYTES = 64 * 1024;
/** Maximum size of updates in bytes: fifty messages of 4,096 characters, each escaped as up to twelve (`\\ud83d\\ude00`). */
const MAX_UPDATES_BYTES = 3 * 1024 ** 2;

/** A bot with its server and, to send messages, its chat. */
type Bot = { apiRoot: string; token: string };
type BotChat = Bot & { chat_id: string };

/**
 * Sends plain text without markup; never rejects.
 * @param signal aborts the sending; then it is uncertain whether the message arrived
 */
export async function sendMessage(
  { chat_id, ...bot }: BotChat,
  text: string,
  signal?: AbortSignal,
): Promise<Delivery> {
  const message = { chat_id, text, link_preview_options: { is_disabled: true } };
  const reply = await callBot(bot, 'sendMessage', message, { signal });
  if (reply.ok) {
    const { message_id } = sentSchema.parse(reply.result);
    return { kind: 'sent', answer: `ok, message_id ${message_id}` };
  }
  const delivery = deliveryOf(reply);
  // The part after the colon is secret on its own, in any encoding of the colon.
  const secrets = [bot.token, bot.token.slice(bot.token.indexOf(':') + 1)];
  return { ...delivery, error: redactSecrets(delivery.error, secrets) };
}

/**
 * Checks whether Telegram knows the bot and the bot knows the chat; sends nothing. `told`: the time in the reply. Never
 * rejects.
 */
export async function checkBot({ chat_id, ...bot }: BotChat, signal?: AbortSignal): Promise<ChannelCheck> {
  const me = await callBot(bot, 'getMe', {}, { signal });
  if (!me.ok) return { state: [401, 404].includes(codeOf(me)) ? 'refused' : 'silent', told: me.told };
  const chat = await callBot(bot, 'getChat', { chat_id }, { signal });
  const told = chat.told ?? me.told;
  // Sending follows the chat to its new id.
  if (chat.ok || movedTo(chat) !== undefined) return { state: 'good', told };
  return { state: [400, 403].includes(codeOf(chat)) ? 'unfound' : 'silent', told };
}

/** `ok` is null without a readable reply; `told`: the time in the reply's head. */
type Reply = (z.output<typeof replySchema> | { ok: null; error: unknown }) & { told: Date | null };
type Failure = Exclude<Reply, { ok: true }>;

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error_code: z.int(),
    description: z.string().catch(''),
    parameters: z
      .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.int().optional() })
      .catch({}),
  }),
]);
const sentSchema = z.object({ message_id: z.int().optional() }).catch({});

/**
 * Calls a method of the Bot API; never rejects. Follows no redirect, aborts at the limit (also while reading) and reads
 * at most `maxBytes`. An error may quote the token.
 */
async function callBot(
  { apiRoot, token }: Bot,
  method: string,
  parameters: object,
  {
    signal,
    timeoutMs = TELEGRAM_TIMEOUT_MS,
    maxBytes = MAX_REPLY_BYTES,
  }: { signal?: AbortSignal | undefined; timeoutMs?: number; maxBytes?: number } = {},
): Promise<Reply> {
  let told: Date | null = null;
  try {
    const response = await fetch(`${apiRoot}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      signal: limitOf(timeoutMs, signal),
      redirect: 'error',
    });
    told = parseDate(response.headers.get('date'));
    return { ...replySchema.parse(JSON.parse(await readLimited(response, maxBytes))), told };
  } catch (error) {
    return { ok: null, error, told };
  }
}

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  let read = Buffer.alloc(0);
  for await (const chunk of response.body ?? []) {
    read = Buffer.concat([read, chunk]);
    if (read.length > maxBytes) throw new Error('answer too long');
  }
  return read.toString();
}

const codeOf = (reply: Failure) => (reply.ok === false ? reply.error_code : 0);

function deliveryOf(reply: Failure): FailedDelivery {
  if (reply.ok === null) return networkFailure(reply.error);
  const { error_code, description, parameters } = reply;
  const error = `${error_code} ${description}`;
  if (error_code === 429) return { kind: 'limited', retry_after: parameters.retry_after ?? 30, error };
  // Only these concern the message.
  if (error_code !== 400 && error_code !== 403) return { kind: 'failed', error, uncertain: false };
  const moved_to = movedTo(reply);
  return { kind: 'refused', error, ...(moved_to !== undefined && { moved_to }) };
}

/** Returns the id of the supergroup that replaced the group, if Telegram reports one. */
const movedTo = (reply: Failure) =>
  reply.ok === false ? reply.parameters.migrate_to_chat_id?.toString() : undefined;

/** Error codes without a connection, so the message can't have arrived. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns only the kind of failure: error messages may quote the URL, which contains the token. */
function networkFailure(error: unknown): FailedDelivery {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const failed = (text: string): FailedDelivery => ({
    kind: 'failed',
    error: text,
    uncertain: !NEVER_CONNECTED.has(code),
  });
  if (error instanceof SyntaxError || error instanceof z.ZodError) return failed(deliveryFailures.unreadable);
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return failed(deliveryFailures.timeout);
  if (name === 'AbortError') return failed(deliveryFailures.stopped);
  return failed(
    typeof code === 'string' ? `${deliveryFailures.network} (${code})` : deliveryFailures.network,
  );
}

type FoundChats = InferContractRouterOutputs<typeof contract>['admin']['notifications']['chats'];
type Chat = FoundChats['chat'][number];

/**
 * Returns the chats of recent updates, latest first; never rejects. No long polling, because two concurrent pollers
 * disconnect each other. The updates stay unread, so that another page sees the same ones.
 */
export async function findChats(bot: Bot): Promise<FoundChats> {
  const { timeoutMs } = CHAT_SEARCH;
  // A negative offset reads the latest updates, which matter for a bot with many messages.
  const latest = { offset: -CHAT_SEARCH.updates, limit: CHAT_SEARCH.updates, timeout: 0 };
  const [me, updates] = await Promise.all([
    callBot(bot, 'getMe', {}, { timeoutMs }),
    callBot(bot, 'getUpdates', latest, { timeoutMs, maxBytes: MAX_UPDATES_BYTES }),
  ]);
  const name = botSchema.parse(me.ok ? me.result : null).username ?? null;
  if (!updates.ok) return { bot: name, chat: [], problema: problemOf(updates) };
  return { bot: name, chat: chatsIn(updatesSchema.parse(updates.result)), problema: null };
}

function problemOf(reply: Failure): ChatProblem {
  if (reply.ok === false && reply.error_code === 409)
    return /webhook/i.test(reply.description) ? 'WEBHOOK_SET' : 'READ_ELSEWHERE';
  return PROBLEMS[codeOf(reply)] ?? 'UNREACHABLE';
}

const PROBLEMS: Readonly<Record<number, ChatProblem>> = {
  401: 'TOKEN_REFUSED',
  404: 'TOKEN_REFUSED',
  429: 'SLOWED_DOWN',
};

/** Becomes part of a URL (`https://t.me/…`). */
const userNameSchema = z
  .string()
  .regex(/^\w{1,64}$/)
  .optional()
  .catch(undefined);
const botSchema = z.object({ username: userNameSchema }).catch({ username: undefined });

const chatSchema = z.object({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: z.string().default(''),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  username: userNameSchema,
});

const messageSchema = z
  .object({ chat: chatSchema, migrate_to_chat_id: z.int().optional() })
  .optional()
  .catch(undefined);

/** Parses only the parts of an update that identify a chat and ignores all others, also future ones. */
const updateSchema = z.object({
  message: messageSchema,
  channel_post: messageSchema,
  my_chat_member: z
    .object({ chat: chatSchema, new_chat_member: z.object({ status: z.string() }) })
    .optional()
    .catch(undefined),
});
const updatesSchema = z.array(updateSchema.catch({})).catch([]);

/**
 * Returns the bot's chats after these updates, latest first. Updates are oldest first. Omits chats that removed the bot
 * or moved to another id.
 */
function chatsIn(updates: z.output<typeof updatesSchema>): Chat[] {
  const chats = new Map<number, Chat>();
  for (const { message, channel_post, my_chat_member } of updates) {
    const source = message ?? channel_post ?? my_chat_member;
    if (source === undefined) continue;
    chats.delete(source.chat.id);
    const isGone = my_chat_member !== undefined && GONE.has(my_chat_member.new_chat_member.status);
    const hasMoved = message?.migrate_to_chat_id !== undefined;
    if (!isGone && !hasMoved) chats.set(source.chat.id, toChat(source.chat));
  }
  return [...chats.values()].toReversed();
}

const GONE: ReadonlySet<string> = new Set(['left', 'kicked']);

function toChat({ id, type, title, first_name, last_name, username }: z.output<typeof chatSchema>): Chat {
  const name = (title || `${first_name} ${last_name}`).trim();
  const tipo: ChatKind = type === 'supergroup' ? 'group' : type;
  return { id: String(id), tipo, nome: name || username || String(id), utente: username ?? null };
}
