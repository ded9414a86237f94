import type { ChannelName } from '../../domain/channels.ts';

/** Explains a service's answer and what to do about it; null if the answer explains itself. @param answer status and text of the answer */
export function meaningOf(channel: ChannelName, answer: string): string | null {
  return MEANINGS[channel].find(([pattern]) => pattern.test(answer))?.[1] ?? null;
}

type Meanings = readonly (readonly [pattern: RegExp, meaning: string])[];

const TELEGRAM: Meanings = [
  [
    /^(401|404)\b/,
    'Telegram non riconosce la chiave del bot: è incompleta, o è stata sostituita. Copiala di nuovo da @BotFather e salvala.',
  ],
  [
    /chat not found/i,
    'Telegram non trova la chat: controlla il numero della chat, apri la chat con il bot e premi Avvia.',
  ],
  [
    /^403\b/,
    'Il bot non può scrivere in questa chat: è stato bloccato o tolto. Riapri la chat e premi Avvia, o aggiungilo di nuovo al gruppo.',
  ],
  [/^429\b/, 'Telegram chiede di rallentare: i messaggi partiranno da soli tra poco.'],
  [/^5\d\d\b/, 'Telegram ha un problema: i messaggi partiranno da soli appena passa.'],
];

const EMAIL: Meanings = [
  [
    /basic authentication is disabled/i,
    'Microsoft non lascia più spedire con una password da questa casella: scegli Gmail, Libero o Aruba. Il destinatario può restare questo.',
  ],
  [
    /^(53[0458])\b/,
    'Il server di posta non accetta utente e password: controllali. Gmail e altri vogliono una password per le app.',
  ],
  [/^(421|4\d\d)\b/, 'Il server di posta chiede di riprovare più tardi: le e-mail partiranno da sole.'],
  [
    /^55[013]\b/,
    'Il server di posta rifiuta il mittente o il destinatario: controlla i due indirizzi, e che il mittente sia tuo.',
  ],
  [/^50\d\b/, 'Il server di posta non capisce la richiesta: prova l’altra cifratura, TLS o STARTTLS.'],
  [/^552\b/, 'La casella del destinatario è piena.'],
  [/^5\d\d\b/, 'Il server di posta ha rifiutato l’e-mail.'],
  [
    /^Il certificato del server/,
    'Scrivi il server con il nome che dà chi lo gestisce, non con un indirizzo IP.',
  ],
  [/^La cifratura con/, 'Prova l’altra: TLS va con la porta 465, STARTTLS con la 587.'],
  [/^Il server di posta non (è|ha)/, 'Controlla nome del server, porta e cifratura.'],
];

const MEANINGS: Readonly<Record<ChannelName, Meanings>> = { telegram: TELEGRAM, email: EMAIL };
