import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

export const BOT_TOKEN = '123456789:AAcanarinocanarinocanarinocanarino_-';
export const BOT_NAME = 'sorpresa_di_prova_bot';
export const CHAT_ID = '-1001234567890';

/** Fault, until it is switched off. `lost` accepts the message and drops the connection instead of replying. */
export type Fault =
  | { kind: 'none' }
  /** `of`: only for this method. */
  | { kind: 'status'; status: number; description: string; of?: string }
  | { kind: 'limited'; retry_after: number }
  /** The group has become a supergroup with another id. */
  | { kind: 'moved'; to: string }
  | { kind: 'slow'; ms: number }
  | { kind: 'redirect'; to: string }
  | { kind: 'html' }
  | { kind: 'endless' }
  | { kind: 'closed' }
  /** Accepts the request and does not reply. */
  | { kind: 'silent' }
  | { kind: 'lost' };

export type Message = { chat_id: string; text: string; [parameter: string]: unknown };

export type Update = { update_id: number; [kind: string]: unknown };

export type TelegramServer = {
  /** For `TELEGRAM_API_ROOT`. */
  root: string;
  /** Messages accepted up to now, in order. */
  messages: Message[];
  /** Number of requests, failed ones included. */
  requests: number;
  /** Unconfirmed updates of the bot, oldest first. */
  updates: Update[];
  fail(fault: Fault): void;
  close(): Promise<void>;
};

/**
 * A small server for the Bot API's `sendMessage`, `getMe`, `getChat` and `getUpdates`, with one bot, one chat, and
 * faults to switch on.
 */
export async function telegramServer(token = BOT_TOKEN): Promise<TelegramServer> {
  let fault: Fault = { kind: 'none' };
  const server = createServer((request, response) => {
    telegram.requests += 1;
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request).catch(() => ({}))) as Message & { offset?: number; limit?: number };
    const method = new RegExp(`^/bot${token}/(\\w+)$`).exec(request.url ?? '')?.[1];
    const isMeant = !('of' in fault && fault.of !== method);
    const faultReply = FAULTS[fault.kind];
    if (isMeant && faultReply !== undefined) return void faultReply(fault as never, response);
    const { chat_id, offset = 0, limit = 100 } = body;
    if (fault.kind === 'moved' && chat_id !== undefined && chat_id !== fault.to) {
      const parameters = { migrate_to_chat_id: Number(fault.to) };
      return refuse(response, 400, 'Bad Request: group chat was upgraded to a supergroup chat', parameters);
    }
    if (method === undefined) return refuse(response, 401, 'Unauthorized');
    const good = (result: unknown) => reply(response, 200, { ok: true, result });
    if (method === 'getMe')
      return good({ id: 123456789, is_bot: true, first_name: 'Sorpresa', username: BOT_NAME });
    if (method === 'getUpdates') {
      // Updates before the offset are confirmed and dropped.
      const remaining = offset < 0 ? telegram.updates.slice(offset) : telegram.updates;
      telegram.updates = remaining.filter(({ update_id }) => offset <= 0 || update_id >= offset);
      return good(telegram.updates.slice(0, limit));
    }
    if (method === 'getChat') {
      if (chat_id !== CHAT_ID) return refuse(response, 400, 'Bad Request: chat not found');
      return good({ id: Number(CHAT_ID), type: 'group', title: 'Noi' });
    }
    telegram.messages.push(body);
    if (fault.kind === 'lost') return void response.destroy();
    if ('ms' in fault) await delay(fault.ms, null, { ref: false });
    good({ message_id: telegram.messages.length, date: 0, chat: { id: -1 } });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const telegram: TelegramServer = {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages: [],
    requests: 0,
    updates: [],
    fail: (next) => (fault = next),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return telegram;
}

/** An update of a message to the bot, or in one of its chats; `more` are further fields of the message. */
export const messageUpdate = (update_id: number, chat: object, more: object = {}): Update => ({
  update_id,
  message: { message_id: update_id, date: 0, chat, text: '/start', ...more },
});

/** An update of the bot joining a chat, or being removed from it. */
export const joined = (update_id: number, chat: object, status = 'member'): Update => ({
  update_id,
  my_chat_member: { chat, date: 0, old_chat_member: {}, new_chat_member: { status } },
});

/** A person's chat with the bot. */
export const giulia = {
  id: 7_000_000_001,
  type: 'private',
  first_name: 'Giulia',
  last_name: 'Bianchi',
  username: 'giulia',
};

type FaultOf<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

/** Replies of the faults; the others are handled above. */
const FAULTS: { [K in Fault['kind']]?: (fault: FaultOf<K>, response: ServerResponse) => unknown } = {
  status: ({ status, description }, response) => refuse(response, status, description),
  limited: ({ retry_after }, response) =>
    refuse(response, 429, `Too Many Requests: retry after ${retry_after}`, { retry_after }),
  redirect: ({ to }, response) => response.writeHead(307, { location: to }).end(),
  html: (_fault, response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  endless: (_fault, response) => {
    const pour = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' '))) {
        if (response.writableLength > 1e6) break;
      }
    };
    response.writeHead(200, { 'content-type': 'application/json' }).on('drain', pour);
    pour();
  },
  silent: () => undefined,
  closed: (_fault, response) => response.destroy(),
};

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, description: string, parameters?: object): void {
  reply(response, status, { ok: false, error_code: status, description, parameters });
}
