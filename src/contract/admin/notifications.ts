import { oc } from '@orpc/contract';
import { z } from 'zod';
import { CHANNELS, CHAT_KINDS, CHAT_PROBLEMS } from '../../domain/channels.ts';
import { eachOf } from '../../domain/records.ts';
import { errorMap } from '../error-map.ts';
import { signInErrors } from './sign-in-errors.ts';

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
  status: oc
    .route({ method: 'GET', path: '/admin/notifications', summary: 'What waits to be sent' })
    .output(z.strictObject(eachOf(CHANNELS, () => channelStatus)))
    .errors(signInErrors),
  /** Deletes all waiting messages of a channel, answers included; a message that is being sent is not stopped. */
  takeBack: oc
    .route({ method: 'POST', path: '/admin/notifications/take-back', summary: 'Take back what waits' })
    .input(channelInput)
    .output(z.strictObject({ tolti: z.int() }))
    .errors(signInErrors),
  /** Sends a test message immediately and returns the service's answer. NOT_CONFIGURED if the channel isn't set up. */
  test: oc
    .route({ method: 'POST', path: '/admin/notifications/test', summary: 'Send a test message' })
    .input(channelInput)
    .output(z.strictObject({ sent: z.boolean(), answer: z.string() }))
    .errors({ ...signInErrors, ...errorMap('NOT_CONFIGURED') }),
  /**
   * Lists the chats where the saved bot was seen lately, latest first, and selects none. `bot` is its user name, if Telegram reports it;
   * `problema` is the reason why Telegram refuses. NOT_CONFIGURED if no token is saved.
   */
  chats: oc
    .route({ method: 'POST', path: '/admin/notifications/chats', summary: 'Look for the bot’s chats' })
    .output(
      z.strictObject({
        bot: z.string().nullable(),
        chat: z.array(foundChat),
        problema: z.enum(CHAT_PROBLEMS).nullable(),
      }),
    )
    .errors({ ...signInErrors, ...errorMap('NOT_CONFIGURED') }),
};
