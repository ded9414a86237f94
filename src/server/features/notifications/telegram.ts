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

// Node keeps the addresses of what was fetched for its performance timeline, and the bot token is in Telegram's.
performance.setResourceTimingBufferSize(0);

const LONGEST_ANSWER = 64 * 1024;

export type Bot = { token: string; chat_id: string };

/** Sends plain text (no markup is interpreted) through the Bot API at `apiRoot`; never rejects. */
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

type Listening = SendOptions & {
  heard?: (answer: Response) => void;
  /** The longest answer that is read, in bytes. */
  longest?: number;
};

/** The Bot API at `apiRoot`, asked with care; what goes wrong is thrown as grammY does, and may quote the token. */
export function apiOf(
  apiRoot: string,
  { token }: Pick<Bot, 'token'>,
  { patience = TELEGRAM_TIMEOUT_MS, signal, heard, longest = LONGEST_ANSWER }: Listening,
): Api {
  const given = signal ? [signal] : [];
  const fetchWithin = (url: string, init: RequestInit) =>
    carefulFetch(url, init, AbortSignal.any([AbortSignal.timeout(patience), ...given]), longest, heard);
  // Its own client speaks node-fetch; the types of the two differ, what we hand over is what it uses.
  return new Api(token, { apiRoot, fetch: fetchWithin as never });
}

/** Asks Telegram whether it knows the bot and the bot knows the chat; nothing is sent. `told`: the time in Telegram's answer. Never rejects. */
export async function checkBot(
  apiRoot: string,
  bot: Bot,
  { signal, patience }: SendOptions = {},
): Promise<ChannelCheck> {
  let told: Date | null = null;
  const heard = (answer: Response) => {
    told = parseDate(answer.headers.get('date'));
  };
  const api = apiOf(apiRoot, bot, { ...(patience && { patience }), signal, heard });
  let isKnown = false;
  try {
    await api.getMe();
    isKnown = true;
    await api.getChat(bot.chat_id);
    return { state: 'good', told };
  } catch (error) {
    // A message finds its way there.
    if (isKnown && movedTo(error) !== null) return { state: 'good', told };
    const code = error instanceof GrammyError ? error.error_code : 0;
    if (!isKnown) return { state: code === 401 || code === 404 ? 'refused' : 'silent', told };
    return { state: code === 400 || code === 403 ? 'unfound' : 'silent', told };
  }
}

/** Follows no redirect, gives up with `signal` (the body included) and reads no more than `longest` bytes. */
async function carefulFetch(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  longest: number,
  heard?: (answer: Response) => void,
): Promise<{ json(): Promise<unknown> }> {
  const response = await fetch(url, { ...init, signal, redirect: 'error' });
  heard?.(response);
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

/** The id of the supergroup that the group has become, if that is what Telegram says. */
function movedTo(error: unknown): string | null {
  const id = error instanceof GrammyError ? error.parameters.migrate_to_chat_id : undefined;
  return id === undefined ? null : String(id);
}

/** Where the connection was never made nothing can have arrived. */
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

/** Only the kind of the failure: messages of network errors may quote the address, and the token is in it. */
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

/** Its second half alone is the secret, however the colon before it was written. */
const partsOf = (token: string) => [token, token.slice(token.indexOf(':') + 1)];
