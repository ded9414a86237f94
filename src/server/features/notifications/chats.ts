import type { InferContractRouterOutputs } from '@orpc/contract';
import { GrammyError } from 'grammy';
import { z } from 'zod';
import type { contract } from '../../../contract/contract.ts';
import type { ChatKind, ChatProblem } from '../../../domain/channels.ts';
import { CHAT_SEARCH } from '../../../domain/limits.ts';
import { apiOf } from './telegram.ts';

type FoundChats = InferContractRouterOutputs<typeof contract>['admin']['notifications']['chats'];
type Chat = FoundChats['chat'][number];

/** Maximum size of the reply in bytes: fifty messages of 4,096 characters, each escaped as up to twelve (`\\ud83d\\ude00`). */
const MAX_UPDATES_BYTES = 3 * 1024 ** 2;

/**
 * Returns the chats of recent updates, latest first; never rejects. No long polling, because two concurrent pollers
 * disconnect each other. The updates stay unread, so that another page sees the same ones. `signal` aborts the request.
 */
export async function findChats(
  apiRoot: string,
  token: string,
  signal: AbortSignal | undefined,
): Promise<FoundChats> {
  const api = apiOf(
    apiRoot,
    { token },
    { patience: CHAT_SEARCH.timeoutMs, signal, maxBytes: MAX_UPDATES_BYTES },
  );
  // A negative offset reads the latest updates, which matter for a bot with many messages.
  const latest = { offset: -CHAT_SEARCH.updates, limit: CHAT_SEARCH.updates, timeout: 0 };
  const [me, updates] = await Promise.allSettled([api.getMe(), api.getUpdates(latest)]);
  const bot = me.status === 'fulfilled' ? (userNameSchema.safeParse(me.value.username).data ?? null) : null;
  if (updates.status === 'rejected') return { bot, chat: [], problema: problemOf(updates.reason) };
  return { bot, chat: chatsIn(updates.value), problema: null };
}

function problemOf(error: unknown): ChatProblem {
  if (!(error instanceof GrammyError)) return 'UNREACHABLE';
  if (error.error_code === 409) return /webhook/i.test(error.description) ? 'WEBHOOK_SET' : 'READ_ELSEWHERE';
  return PROBLEMS[error.error_code] ?? 'UNREACHABLE';
}

const PROBLEMS: Readonly<Record<number, ChatProblem>> = {
  401: 'TOKEN_REFUSED',
  404: 'TOKEN_REFUSED',
  429: 'SLOWED_DOWN',
};

/** Becomes part of a URL (`https://t.me/…`). */
const userNameSchema = z.string().regex(/^\w{1,64}$/);

const chatSchema = z.object({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: z.string().default(''),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  username: userNameSchema.optional().catch(undefined),
});

const messageSchema = z.object({ chat: chatSchema, migrate_to_chat_id: z.int().optional() });

/** Parses only the parts of an update that identify a chat and ignores all others, also future ones. */
const updateSchema = z.object({
  message: messageSchema.optional().catch(undefined),
  channel_post: messageSchema.optional().catch(undefined),
  my_chat_member: z
    .object({ chat: chatSchema, new_chat_member: z.object({ status: z.string() }) })
    .optional()
    .catch(undefined),
});

/**
 * Returns the bot's chats after these updates, latest first. Updates are oldest first. Omits chats that removed the bot
 * or moved to another id.
 */
function chatsIn(updates: readonly unknown[]): Chat[] {
  const chats = new Map<number, Chat>();
  for (const update of updates) {
    const { message, channel_post, my_chat_member } = updateSchema.safeParse(update).data ?? {};
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
const KINDS: Record<z.output<typeof chatSchema>['type'], ChatKind> = {
  private: 'private',
  group: 'group',
  supergroup: 'group',
  channel: 'channel',
};

function toChat({ id, type, title, first_name, last_name, username }: z.output<typeof chatSchema>): Chat {
  const name = (title || `${first_name} ${last_name}`).trim();
  return {
    id: String(id),
    tipo: KINDS[type],
    nome: name || username || String(id),
    utente: username ?? null,
  };
}
