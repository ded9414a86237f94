import { Api, GrammyError, HttpError } from 'grammy';
import { deliveryFailures } from '../../../texts/notifications.ts';

const TIMEOUT = 5_000;
const LONGEST_ANSWER = 64 * 1024;
const LONGEST_ERROR = 300;

/** What became of a message. `error` is Telegram's own answer or the kind of network failure; the bot token is never in it. */
export type Delivery =
  | { kind: 'sent'; message_id: number }
  /** Telegram asks to wait, in seconds. */
  | { kind: 'limited'; retry_after: number; error: string }
  /** This message, or the chat it is for, is refused: others may fare better. */
  | { kind: 'refused'; error: string }
  /** Nothing can be sent at present: network, Telegram itself, or the bot token. */
  | { kind: 'failed'; error: string };

export type Bot = { token: string; chat_id: string };

/** Sends plain text (no markup is interpreted) through the Bot API at `apiRoot`; waits 5 s at most and never rejects. */
export async function sendMessage(apiRoot: string, bot: Bot, text: string): Promise<Delivery> {
  // Its own client speaks node-fetch; the types of the two differ, what we hand over is what it uses.
  const api = new Api(bot.token, { apiRoot, fetch: carefulFetch as never });
  try {
    const { message_id } = await api.sendMessage(bot.chat_id, text, {
      link_preview_options: { is_disabled: true },
    });
    return { kind: 'sent', message_id };
  } catch (error) {
    const delivery = deliveryOf(error);
    return { ...delivery, error: withoutToken(delivery.error, bot.token).slice(0, LONGEST_ERROR) };
  }
}

/** Follows no redirect, gives up after 5 s (the body included) and reads no more than 64 kB. */
async function carefulFetch(url: string, init: RequestInit): Promise<{ json(): Promise<unknown> }> {
  const { method, headers, body } = init;
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { method, headers, body, signal, redirect: 'error' } as RequestInit);
  const text = await readLimited(response);
  return { json: async () => JSON.parse(text) };
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > LONGEST_ANSWER) throw new Error('answer too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function deliveryOf(error: unknown): Exclude<Delivery, { kind: 'sent' }> {
  if (!(error instanceof GrammyError)) return { kind: 'failed', error: networkError(error) };
  const told = `${error.error_code} ${error.description}`;
  if (error.error_code === 429) {
    return { kind: 'limited', retry_after: error.parameters.retry_after ?? 30, error: told };
  }
  const aboutTheMessage = error.error_code === 400 || error.error_code === 403;
  return { kind: aboutTheMessage ? 'refused' : 'failed', error: told };
}

/** Only the kind of the failure: messages of network errors may quote the address, and the token is in it. */
function networkError(error: unknown): string {
  const cause = error instanceof HttpError ? error.error : error;
  if (!(cause instanceof Error)) return deliveryFailures.network;
  if (cause.name === 'TimeoutError') return deliveryFailures.timeout;
  if (cause instanceof SyntaxError) return deliveryFailures.unreadable;
  const code = (cause.cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? `${deliveryFailures.network} (${code})` : deliveryFailures.network;
}

/** Its second half alone is the secret, however the colon before it was written. To be called before anything is cut off. */
function withoutToken(text: string, token: string): string {
  const secret = token.slice(token.indexOf(':') + 1);
  return text.replaceAll(token, '…').replaceAll(secret, '…');
}
