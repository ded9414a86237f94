import { z } from 'zod';
import { CHANNELS, CHAT_KINDS, CHAT_PROBLEMS } from '../../domain/channels.ts';
import { EXIT_POINTS } from '../../domain/itinerary.ts';
import { REASON_IDS } from '../../domain/readiness-reasons.ts';
import { eachOf } from '../../domain/records.ts';
import { adminCall, errorMap } from '../errors.ts';
import { viaggioSchema } from '../model.ts';

/** Name of the code as the administrator wrote it; absent if it has none. */
const nome = z.string().optional();

const failedEntry = {
  token_value: z.string().optional(),
  success: z.literal(false),
  error_message: z.string(),
};

/** Bodies of `notify-telegram` (spec 7), extended by the name and by our own types. The queue stores them unchanged. */
export const notificationSchema = z.union([
  /** A refused code; without `token_value`, a failure in the page (missing video, loading, playing). */
  z.strictObject({ type: z.literal('access'), ...failedEntry }),
  /** The code has no uses left. */
  z.strictObject({ type: z.literal('access_exceeded'), ...failedEntry }),
  z.strictObject({
    type: z.literal('access'),
    token_value: z.string(),
    success: z.literal(true),
    device_id: z.string(),
    nome,
  }),
  z.strictObject({ type: z.literal('error'), ...failedEntry }),
  z.strictObject({
    type: z.literal('checkbox_response'),
    token_value: z.string(),
    risposta_1: z.boolean(),
    risposta_2: z.boolean(),
    viaggio: viaggioSchema,
    nome,
    /** Questions at the time of the answer. */
    domande: z.tuple([z.string(), z.string()]).optional(),
    /** Unused: present in messages queued by the previous version. */
    piano_b: z.literal(true).optional(),
  }),
  /** The visitor saw the evening to its end. */
  z.strictObject({ type: z.literal('visit_completed'), token_value: z.string(), nome }),
  /** The visitor left before the end and didn't return for some minutes. */
  z.strictObject({
    type: z.literal('visit_stopped'),
    token_value: z.string(),
    nome,
    exit_point: z.enum(EXIT_POINTS).nullable(),
  }),
  /** Readiness got worse: reasons that have become red. */
  z.strictObject({ type: z.literal('not_ready'), reasons: z.array(z.enum(REASON_IDS)) }),
  /** The published address no longer opens; `indirizzo` is the new one. */
  z.strictObject({ type: z.literal('address_changed'), indirizzo: z.string() }),
  /** The visitor replied from the keepsake. */
  z.strictObject({ type: z.literal('keepsake_reply'), token_value: z.string(), nome, testo: z.string() }),
]);

export type Notification = z.infer<typeof notificationSchema>;

const channelStatus = z.strictObject({
  in_attesa: z.int(),
  /**
   * Service's answer to the last attempt of the message that is next in the queue, and the time of its next attempt; null if no message
   * waits for a retry.
   */
  ultimo_errore: z.strictObject({ messaggio: z.string(), prossimo_tentativo: z.string() }).nullable(),
  ultimo_invio: z.string().nullable(),
});

/** Pages opened before there were several channels send none and mean Telegram. */
const channelInput = z.strictObject({ canale: z.enum(CHANNELS).default('telegram') });

const foundChat = z.strictObject({
  /** In the form of `telegram_chat_id`. */
  id: z.string(),
  tipo: z.enum(CHAT_KINDS),
  nome: z.string(),
  /** User name without its @. */
  utente: z.string().nullable(),
});

/** Messages to the administrator by Telegram, by e-mail or both (decision 055). Settings are saved with the configuration. */
export const notifications = {
  status: adminCall('GET', '/admin/notifications', 'What waits to be sent').output(
    z.strictObject(eachOf(CHANNELS, () => channelStatus)),
  ),
  /** Deletes all waiting messages of a channel, answers included; a message that is being sent is not stopped. */
  takeBack: adminCall('POST', '/admin/notifications/take-back', 'Take back what waits')
    .input(channelInput)
    .output(z.strictObject({ tolti: z.int() })),
  /** Sends a test message immediately and returns the service's answer. NOT_CONFIGURED if the channel isn't set up. */
  test: adminCall('POST', '/admin/notifications/test', 'Send a test message')
    .input(channelInput)
    .output(z.strictObject({ sent: z.boolean(), answer: z.string() }))
    .errors(errorMap('NOT_CONFIGURED')),
  /**
   * Lists the chats where the saved bot was seen lately, latest first, and selects none. `bot` is its user name, if Telegram reports it;
   * `problema` is the reason why Telegram refuses. NOT_CONFIGURED if no token is saved.
   */
  chats: adminCall('POST', '/admin/notifications/chats', 'Look for the bot’s chats')
    .output(
      z.strictObject({
        bot: z.string().nullable(),
        chat: z.array(foundChat),
        problema: z.enum(CHAT_PROBLEMS).nullable(),
      }),
    )
    .errors(errorMap('NOT_CONFIGURED')),
};
