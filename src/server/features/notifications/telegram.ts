import { Api, GrammyError, HttpError } from 'grammy';
import { TELEGRAM_TIMEOUT_MS } from '../../../domain/limits.ts';
import { deliveryFailures } from '../../../texts/notifications.ts';
import {
  type ChannelCheck,
  type Delivery,
  type FailedDelivery,
  parseDate,
  redactSecrets,
  type SendOptions,
} from './delivery.ts';

// Node stores fetched URLs in its performance timeline, and Telegram's URLs contain the bot token.
performance.setResourceTimingBufferSize(0);

const MAX_REPLY_BYTES = 64 * 1024;

export type Bot = { token: string; chat_id: string };

/** Sends plain text without markup through the Bot API at `apiRoot`; never rejects. */
export async function sendMessage(
  apiRoot: string,
  bot: Bot,
  text: string,
  { patience = TELEGRAM_TIMEOUT_MS, signal }: SendOptions = {},
): Promise<Delivery> {
  const api = apiOf(apiRoot, bot, { patience, signal });
  try {
    const { message_id } = await api.sendMessage(bot.chat_id, text, {
      link_preview_options: { is_disabled: true },
    });
    return { kind: 'sent', answer: `ok, message_id ${message_id}` };
  } catch (error) {
    const delivery = deliveryOf(error);
    return { ...delivery, error: redactSecrets(delivery.error, partsOf(bot.token)) };
  }
}

type ClientOptions = SendOptions & {
  onResponse?: (answer: Response) => void;
  /** Longest reply that is read, in bytes. */
  maxBytes?: number;
};

/**
 * Returns a client of the Bot API at `apiRoot` with timeout and size limit. It throws grammY's errors, which may quote
 * the token.
 */
export function apiOf(
  apiRoot: string,
  { token }: Pick<Bot, 'token'>,
  { patience = TELEGRAM_TIMEOUT_MS, signal, onResponse, maxBytes = MAX_REPLY_BYTES }: ClientOptions,
): Api {
  const signals = signal ? [signal] : [];
  const fetchWithin = (url: string, init: RequestInit) =>
    carefulFetch(
      url,
      init,
      AbortSignal.any([AbortSignal.timeout(patience), ...signals]),
      maxBytes,
      onResponse,
    );
  // grammY's types expect node-fetch; this function provides the parts that it uses.
  return new Api(token, { apiRoot, fetch: fetchWithin as never });
}

/**
 * Checks whether Telegram knows the bot and the bot knows the chat; sends nothing. `told`: the time in the reply. Never
 * rejects.
 */
export async function checkBot(
  apiRoot: string,
  bot: Bot,
  { signal, patience }: SendOptions = {},
): Promise<ChannelCheck> {
  let told: Date | null = null;
  const onResponse = (answer: Response) => {
    told = parseDate(answer.headers.get('date'));
  };
  const api = apiOf(apiRoot, bot, { ...(patience && { patience }), signal, onResponse });
  let isKnown = false;
  try {
    await api.getMe();
    isKnown = true;
    await api.getChat(bot.chat_id);
    return { state: 'good', told };
  } catch (error) {
    // Sending follows the chat to its new id.
    if (isKnown && movedTo(error) !== null) return { state: 'good', told };
    const code = error instanceof GrammyError ? error.error_code : 0;
    if (!isKnown) return { state: code === 401 || code === 404 ? 'refused' : 'silent', told };
    return { state: code === 400 || code === 403 ? 'unfound' : 'silent', told };
  }
}

/** Follows no redirect, aborts with `signal` (also while reading) and reads at most `longest` bytes. */
async function carefulFetch(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  longest: number,
  onResponse?: (answer: Response) => void,
): Promise<{ json(): Promise<unknown> }> {
  const response = await fetch(url, { ...init, signal, redirect: 'error' });
  onResponse?.(response);
  const text = await readLimited(response, longest);
  return { json: async () => JSON.parse(text) };
}

async function readLimited(response: Response, longest: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > longest) throw new Error('answer too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function deliveryOf(error: unknown): FailedDelivery {
  if (!(error instanceof GrammyError)) {
    return { kind: 'failed', error: networkError(error), uncertain: mayHaveArrived(error) };
  }
  const told = `${error.error_code} ${error.description}`;
  if (error.error_code === 429) {
    return { kind: 'limited', retry_after: error.parameters.retry_after ?? 30, error: told };
  }
  const aboutTheMessage = error.error_code === 400 || error.error_code === 403;
  const moved_to = movedTo(error);
  return aboutTheMessage
    ? { kind: 'refused', error: told, ...(moved_to !== null && { moved_to }) }
    : { kind: 'failed', error: told, uncertain: false };
}

/** Returns the id of the supergroup that replaced the group, if Telegram reports one. */
function movedTo(error: unknown): string | null {
  const id = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
  return id === undefined ? null : String(id);
}

/** Error codes without a connection, so the message can't have arrived. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function mayHaveArrived(error: unknown): boolean {
  return !NEVER_CONNECTED.has(codeOf(causeOf(error)));
}

/** Returns only the kind of failure: error messages may quote the URL, which contains the token. */
function networkError(error: unknown): string {
  const cause = causeOf(error);
  if (!(cause instanceof Error)) return deliveryFailures.network;
  if (cause.name === 'TimeoutError') return deliveryFailures.timeout;
  if (cause.name === 'AbortError') return deliveryFailures.stopped;
  if (cause instanceof SyntaxError) return deliveryFailures.unreadable;
  const code = codeOf(cause);
  return typeof code === 'string' ? `${deliveryFailures.network} (${code})` : deliveryFailures.network;
}

const causeOf = (error: unknown) => (error instanceof HttpError ? error.error : error);

function codeOf(error: unknown): unknown {
  if (!(error instanceof Error && error.cause instanceof Error)) return undefined;
  return 'code' in error.cause ? error.cause.code : undefined;
}

/** The part after the colon is secret on its own, in any encoding of the colon. */
const partsOf = (token: string) => [token, token.slice(token.indexOf(':') + 1)];
