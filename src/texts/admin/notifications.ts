/** The settings of `/admin/notifiche`: the bot, the chat, the queue. */
export const notificationsTexts = {
  saved: 'Impostazioni salvate!',
  loadFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
  remove: 'Rimuovi',
  telegram: {
    title: 'Telegram',
    hint: 'Un messaggio quando qualcuno entra, quando un codice non funziona e quando arrivano le risposte.',
  },
  token: {
    label: 'Token del bot',
    placeholder: '123456789:AAE…',
    kept: 'Resta sul server: da qui si può cambiare, non rileggere.',
    invalid:
      'Un token è fatto di 6–12 cifre, i due punti e 30–64 lettere, cifre, trattini o trattini bassi: copialo intero da @BotFather.',
    save: 'Salva token',
    saved: 'Token del bot salvato!',
    replace: 'Sostituisci',
    keep: 'Tieni quello salvato',
    removeQuestion: 'Rimuovere il token del bot?',
    removeDetail: 'I messaggi si fermano finché non ne metti un altro.',
    removed: 'Token del bot rimosso',
    changedElsewhere:
      'Intanto il token è stato cambiato in un’altra finestra: controlla qual è quello giusto e salva di nuovo.',
  },
  chat: {
    title: 'Chat',
    label: 'Chat ID',
    placeholder: '123456789',
    hint: 'Il numero della chat (quello di un gruppo comincia con il meno), oppure @nomecanale.',
    invalid:
      'Il Chat ID è un numero di 1–20 cifre, anche con il meno davanti, oppure @ e un nome di 5–32 lettere, cifre o trattini bassi.',
  },
  test: {
    title: 'Messaggio di prova',
    hint: 'Parte subito, con le impostazioni salvate.',
    send: 'Invia un messaggio di prova',
    sending: 'Chiedo a Telegram…',
    good: 'Messaggio inviato: guarda la chat.',
    bad: 'Telegram non lo ha accettato.',
    answer: 'Risposta di Telegram',
    failed: 'Errore durante l’invio',
    notReady: 'Prima salva il token e la chat.',
  },
  queue: {
    title: 'In coda',
    loadFailed: 'Errore nel caricamento',
    none: 'Nessun messaggio in attesa.',
    waiting: (count: number) =>
      count === 1 ? '1 messaggio in attesa di partire' : `${count} messaggi in attesa di partire`,
    held: 'Partiranno appena Telegram è configurato.',
    takeBack: 'Togli dalla coda',
    takeBackQuestion: 'Togliere i messaggi in attesa?',
    takeBackDetail: 'Non partiranno più. Le risposte ricevute restano nella pagina delle domande.',
    takenBack: 'Coda svuotata',
    takeBackFailed: "Errore durante l'eliminazione",
    lastError: 'Ultimo errore',
    nextTry: 'Prossimo tentativo',
    lastSent: 'Ultimo messaggio inviato',
    neverSent: 'Nessun messaggio è ancora partito.',
    refresh: 'Aggiorna',
  },
  help: {
    token: {
      title: 'Come si ottiene il token',
      steps: [
        'Su Telegram apri una chat con @BotFather.',
        'Scrivi /newbot, poi un nome e un nome utente che finisca per «bot».',
        'Copia qui la riga lunga che ti risponde, con i due punti in mezzo.',
      ],
    },
    chat: {
      title: 'Come si trova il Chat ID',
      steps: [
        'Apri la chat con il tuo bot e premi Avvia: finché non lo fai non ti può scrivere.',
        'Scrivi un messaggio qualsiasi a @userinfobot: ti risponde con il tuo numero (Id).',
        'Per un gruppo aggiungi il bot al gruppo e usa il numero del gruppo, che comincia con il meno.',
      ],
    },
  },
} as const;

/** What Telegram's own words mean, and what to do about it; null where they say it themselves. `answer`: its status and its words. */
export function meaningOf(answer: string): string | null {
  return MEANINGS.find(([pattern]) => pattern.test(answer))?.[1] ?? null;
}

const MEANINGS: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [
    /^(401|404)\b/,
    'Telegram non riconosce il token del bot: è incompleto, o è stato sostituito. Copialo di nuovo da @BotFather e salvalo.',
  ],
  [
    /chat not found/i,
    'Telegram non trova la chat: controlla il Chat ID, apri la chat con il bot e premi Avvia.',
  ],
  [
    /^403\b/,
    'Il bot non può scrivere in questa chat: è stato bloccato o tolto. Riapri la chat e premi Avvia, o aggiungilo di nuovo al gruppo.',
  ],
  [/^429\b/, 'Telegram chiede di rallentare: i messaggi partiranno da soli tra poco.'],
  [/^5\d\d\b/, 'Telegram ha un problema: i messaggi partiranno da soli appena passa.'],
];
