import { oc } from '@orpc/contract';
import { z } from 'zod';
import { CHANNELS, CHAT_KINDS, CHAT_PROBLEMS } from '../../domain/channels.ts';
import { eachOf } from '../../domain/records.ts';
import { errorMap } from '../error-map.ts';
import { signInErrors } from './sign-in-errors.ts';

const channelStatus = z.strictObject({
  in_attesa: z.int(),
  /** What the service answered to the last try of the message that is tried next, and when that will be; null when none waits because of an answer. */
  ultimo_errore: z.strictObject({ messaggio: z.string(), prossimo_tentativo: z.string() }).nullable(),
  ultimo_invio: z.string().nullable(),
});

/** A page that was opened before there were several means Telegram. */
const ofChannel = z.strictObject({ canale: z.enum(CHANNELS).default('telegram') });

const foundChat = z.strictObject({
  /** As it stands in `telegram_chat_id`. */
  id: z.string(),
  tipo: z.enum(CHAT_KINDS),
  nome: z.string(),
  /** Without its @. */
  utente: z.string().nullable(),
});

/** The messages to the administrator (decision 23), by Telegram, by e-mail or by both. Settings are saved with the configuration. */
export const notifications = {
  status: oc
    .route({ method: 'GET', path: '/admin/notifications', summary: 'What waits to be sent' })
    .output(z.strictObject(eachOf(CHANNELS, () => channelStatus)))
    .errors(signInErrors),
  /** Takes back everything that waits for a channel, answers too; what is being sent goes its way. */
  takeBack: oc
    .route({ method: 'POST', path: '/admin/notifications/take-back', summary: 'Take back what waits' })
    .input(ofChannel)
    .output(z.strictObject({ tolti: z.int() }))
    .errors(signInErrors),
  /** Sends a message at once and tells the service's own answer. NOT_CONFIGURED where the channel isn't set up. */
  test: oc
    .route({ method: 'POST', path: '/admin/notifications/test', summary: 'Send a test message' })
    .input(ofChannel)
    .output(z.strictObject({ sent: z.boolean(), answer: z.string() }))
    .errors({ ...signInErrors, ...errorMap('NOT_CONFIGURED') }),
  /**
   * Looks once at where the saved bot was met lately, the latest chat first, and chooses none. `bot` is its user name, where Telegram tells it;
   * `problema` is what Telegram says against it. NOT_CONFIGURED where no token is saved.
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
