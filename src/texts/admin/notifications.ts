import type { ChannelName, ChatKind, ChatProblem } from '../../domain/channels.ts';

/** Settings of `/admin/notifiche`: the bot, the chat, the mail server, the queue. */
export const notificationsTexts = {
  saved: 'Impostazioni salvate!',
  loadFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
  remove: 'Rimuovi',
  removed: 'Impostazioni rimosse',
  changedElsewhere:
    'Intanto un’altra finestra ha salvato qualcosa di diverso: ricarica la pagina per vederlo, o salva di nuovo per tenere questo.',
  telegram: {
    title: 'Telegram',
    hint: 'Un messaggio quando qualcuno entra, quando un codice non funziona e quando arrivano le risposte.',
    removeQuestion: 'Rimuovere il bot e la chat?',
    removeDetail: 'I messaggi su Telegram si fermano finché non ne metti altri.',
  },
  token: {
    label: 'Chiave del bot',
    placeholder: '123456789:AAE…',
    kept: (shown: string) => `Salvata: ${shown}. Da qui si può cambiare, non rileggere.`,
    new: 'Resta sul server.',
    open: 'Apri @BotFather',
    /** How to get one. */
    steps: [
      'Su Telegram apri una chat con @BotFather.',
      'Scrivi /newbot, poi un nome e un nome utente che finisca per «bot».',
      'Copia qui la riga lunga che ti risponde, con i due punti in mezzo, e salva.',
      'Apri la chat con il tuo bot e premi Avvia: compare qui da sola, e la scegli.',
    ],
    invalid:
      'Una chiave è fatta di 6–12 cifre, i due punti e 30–64 lettere, cifre, trattini o trattini bassi: copiala intera da @BotFather.',
  },
  chat: {
    label: 'Numero della chat',
    placeholder: '123456789',
    hint: 'Si riempie da solo quando scegli la chat. Quello di un gruppo comincia con il meno; per un canale va bene @nomecanale.',
    invalid:
      'Una chat è un numero di 1–20 cifre, anche con il meno davanti, oppure @ e un nome di 5–32 lettere, cifre o trattini bassi.',
  },
  mail: {
    title: 'E-mail',
    hint: 'Gli stessi messaggi per posta, al posto di Telegram o insieme.',
    removeQuestion: 'Rimuovere la casella di posta?',
    removeDetail: 'Le e-mail si fermano finché non ne metti un’altra.',
    provider: { label: 'Da quale posta partono?', choose: 'Scegli…', other: 'Un altro' },
    providers: { gmail: 'Gmail', outlook: 'Outlook', libero: 'Libero', aruba: 'Aruba' },
    /** About the password of each service. */
    passwords: {
      gmail:
        'Non quella con cui accedi: Gmail ne vuole una di 16 lettere, la «password per le app». Prima attiva la verifica in due passaggi.',
      outlook: 'Quella della casella, o una «password per le app» se ce l’hai.',
      libero:
        'Quella con cui entri in Libero Mail; con la verifica in due passaggi, una password per le app.',
      aruba: 'Quella della casella. Una PEC non va bene.',
      other: 'Quella della casella; dove c’è la verifica in due passaggi, una password per le app.',
    },
    createPassword: 'Crea la password per le app di Gmail',
    outlookRefuses:
      'Dal 2024 Outlook.com, Hotmail e Live quasi sempre rifiutano di spedire con una password, anche con quella per le app. Se il messaggio di prova non parte, spedisci da Gmail, Libero o Aruba: a un indirizzo Outlook i messaggi arrivano lo stesso.',
    host: {
      label: 'Server di posta',
      placeholder: 'smtp.esempio.it',
      hint: 'Il nome del server che spedisce («SMTP» nella guida del servizio), senza porta.',
      invalid:
        'Il server è un nome come smtp.esempio.it, oppure un indirizzo IP: senza https:// e senza porta.',
    },
    security: {
      label: 'Cifratura',
      options: {
        tls: 'SSL/TLS (di solito porta 465)',
        starttls: 'STARTTLS (di solito porta 587)',
        none: 'Nessuna',
      },
      warning: 'Senza cifratura chiunque stia in mezzo legge i messaggi; la password, così, non parte.',
      invalid: 'Scegli come cifrare.',
    },
    port: {
      label: 'Porta',
      invalid: 'La porta è un numero da 1 a 65535.',
    },
    user: {
      label: 'Utente',
      hint: 'Di solito è l’indirizzo intero. Se lo lasci vuoto, si spedisce senza password.',
      invalid: 'L’utente può avere al massimo 200 caratteri, su una riga sola. Serve, se c’è una password.',
    },
    from: {
      label: 'Indirizzo e-mail',
      hint: 'Quello da cui partono i messaggi.',
      invalid: 'Scrivi un indirizzo e-mail intero, come nome@esempio.it.',
    },
    password: {
      label: 'Password',
      kept: 'È salvata: scrivi qui solo per cambiarla.',
      invalid: 'Serve la password: al massimo 200 caratteri, su una riga sola.',
    },
    to: {
      label: 'Indirizzo a cui arrivano',
      hint: 'Se lo lasci vuoto arrivano allo stesso indirizzo.',
      invalid: 'Scrivi un indirizzo e-mail intero, come nome@esempio.it, o lascia vuoto.',
    },
  },
  test: {
    failed: 'Errore durante l’invio',
    telegram: {
      send: 'Invia un messaggio di prova',
      sending: 'Chiedo a Telegram…',
      good: 'Messaggio inviato: guarda la chat.',
      bad: 'Telegram non lo ha accettato.',
      answer: 'Risposta di Telegram',
    },
    email: {
      send: 'Invia un’e-mail di prova',
      sending: 'Chiedo al server di posta…',
      good: 'E-mail inviata: guarda la posta, anche lo spam.',
      bad: 'Il server di posta non l’ha accettata.',
      answer: 'Risposta del server',
    },
  },
  queue: {
    title: 'In coda',
    loadFailed: 'Errore nel caricamento',
    none: 'Nessun messaggio in attesa.',
    waiting: (count: number) =>
      count === 1 ? '1 messaggio in attesa di partire' : `${count} messaggi in attesa di partire`,
    channels: { telegram: 'Telegram', email: 'E-mail' },
    held: {
      telegram: 'Partiranno appena Telegram è configurato.',
      email: 'Partiranno appena l’e-mail è configurata.',
    },
    heldByBoth: 'Partiranno appena configuri Telegram o l’e-mail.',
    takeBack: 'Togli dalla coda',
    takeBackQuestion: 'Togliere i messaggi in attesa?',
    takeBackDetail: 'Non partiranno più. Le risposte ricevute restano nella pagina delle domande.',
    cleared: 'Coda svuotata',
    takeBackFailed: "Errore durante l'eliminazione",
    lastError: 'Ultimo errore',
    nextTry: 'Prossimo tentativo',
    lastSent: 'Ultimo messaggio inviato',
    neverSent: 'Nessun messaggio è ancora partito.',
    refresh: 'Aggiorna',
  },
} as const;

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
