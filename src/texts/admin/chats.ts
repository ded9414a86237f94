import type { ChatKind, ChatProblem } from '../../domain/channels.ts';

/** Search for the chat that receives the messages (decision 055). */
export const chatTexts = {
  find: 'Trova la chat',
  open: (bot: string) => `Apri @${bot}`,
  scan: 'O inquadra questo codice con il telefono dove usi Telegram:',
  qr: (bot: string) => `Codice QR che apre @${bot}`,
  press:
    'Apri la chat con il bot e premi Avvia (o scrivigli, se l’avevi già premuto): compare qui da sola, e la scegli tu.',
  waiting: 'Guardo se qualcuno scrive al bot…',
  /** Precedes the chat's name. */
  found: 'Trovata:',
  kinds: { private: 'persona', group: 'gruppo', channel: 'canale' } satisfies Record<ChatKind, string>,
  trust: 'Chiunque trovi il bot può scrivergli: scegli solo la chat che riconosci.',
  use: 'Usa questa chat',
  takeFrom: (name: string) => `Usa questa chat: ${name}`,
  used: 'È la chat scelta',
  selectedChat: (name: string) => `È la chat scelta: ${name}`,
  none: 'Nessuna chat, per ora. Apri quella con il bot, premi Avvia o scrivigli un messaggio, poi cerca di nuovo. Per un gruppo aggiungi il bot al gruppo.',
  again: 'Cerca di nuovo',
  lookFailed: 'Errore durante la ricerca della chat',
  problems: {
    TOKEN_REFUSED:
      'Telegram non riconosce la chiave del bot: copiala di nuovo da @BotFather, salvala e cerca ancora.',
    WEBHOOK_SET:
      'Il bot è collegato a un altro servizio, che riceve i messaggi al posto nostro: crea un bot nuovo con @BotFather, oppure scrivi tu il numero della chat.',
    READ_ELSEWHERE:
      'Un altro programma sta leggendo i messaggi di questo bot: fermalo e cerca di nuovo, oppure scrivi tu il numero della chat.',
    SLOWED_DOWN: 'Telegram chiede di rallentare: aspetta un minuto e cerca di nuovo.',
    UNREACHABLE: 'Telegram non risponde: controlla che il server sia collegato a internet.',
  } satisfies Record<ChatProblem, string>,
} as const;
