/** Settings of `/admin/notifiche`: the bot, the chat, the mail server, the queue. */
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
  password: {
    label: 'Password',
    placeholder: '',
    kept: 'Resta sul server: da qui si può cambiare, non rileggere. Se cambi server di posta va riscritta.',
    invalid: 'La password può avere al massimo 200 caratteri, su una riga sola.',
    save: 'Salva password',
    saved: 'Password della posta salvata!',
    replace: 'Sostituisci',
    keep: 'Tieni quella salvata',
    removeQuestion: 'Rimuovere la password della posta?',
    removeDetail: 'Le e-mail si fermano finché non ne metti un’altra.',
    removed: 'Password della posta rimossa',
    changedElsewhere:
      'Intanto la password è stata cambiata in un’altra finestra: controlla qual è quella giusta e salva di nuovo.',
  },
  chat: {
    title: 'Chat',
    label: 'Chat ID',
    placeholder: '123456789',
    hint: 'Il numero della chat (quello di un gruppo comincia con il meno), oppure @nomecanale.',
    invalid:
      'Il Chat ID è un numero di 1–20 cifre, anche con il meno davanti, oppure @ e un nome di 5–32 lettere, cifre o trattini bassi.',
  },
  mail: {
    title: 'E-mail',
    hint: 'Gli stessi messaggi per posta, al posto di Telegram o insieme.',
    host: {
      label: 'Server di posta',
      placeholder: 'smtp.esempio.it',
      hint: 'Il server SMTP di chi spedisce, senza porta.',
      invalid:
        'Il server è un nome come smtp.esempio.it, oppure un indirizzo IP: senza https:// e senza porta.',
    },
    security: {
      label: 'Cifratura',
      hint: 'Come dice chi gestisce il server.',
      options: { tls: 'TLS', starttls: 'STARTTLS', none: 'Nessuna' },
      warning: 'Senza cifratura chiunque stia in mezzo legge i messaggi; la password, così, non parte.',
      invalid: 'Scegli come cifrare.',
    },
    port: {
      label: 'Porta',
      hint: '465 con TLS, 587 con STARTTLS.',
      invalid: 'La porta è un numero da 1 a 65535.',
    },
    user: {
      label: 'Utente',
      hint: 'Di solito è l’indirizzo intero. Se lo lasci vuoto, si spedisce senza password.',
      invalid: 'L’utente può avere al massimo 200 caratteri, su una riga sola.',
    },
    from: {
      label: 'Mittente',
      hint: 'L’indirizzo da cui partono.',
      invalid: 'Il mittente è un indirizzo e-mail, come nome@esempio.it.',
    },
    to: {
      label: 'Destinatario',
      hint: 'L’indirizzo a cui arrivano: può essere lo stesso.',
      invalid: 'Il destinatario è un indirizzo e-mail, come nome@esempio.it.',
    },
  },
  test: {
    title: 'Messaggio di prova',
    hint: 'Parte subito, con le impostazioni salvate.',
    failed: 'Errore durante l’invio',
    telegram: {
      send: 'Invia un messaggio di prova',
      sending: 'Chiedo a Telegram…',
      good: 'Messaggio inviato: guarda la chat.',
      bad: 'Telegram non lo ha accettato.',
      answer: 'Risposta di Telegram',
      notReady: 'Prima salva il token e la chat.',
    },
    email: {
      send: 'Invia un’e-mail di prova',
      sending: 'Chiedo al server di posta…',
      good: 'E-mail inviata: guarda la posta, anche lo spam.',
      bad: 'Il server di posta non l’ha accettata.',
      answer: 'Risposta del server',
      notReady: 'Prima salva server, mittente e destinatario; con un utente anche la password.',
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
  help: {
    telegram: {
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
          'Salva il token, apri la chat con il tuo bot e premi Avvia: finché non lo fai non ti può scrivere.',
          'La chat compare da sola sotto «Chat»: scegli la tua.',
          'Per un gruppo aggiungi il bot al gruppo: compare anche quello.',
        ],
      },
    },
    email: {
      gmail: {
        title: 'Con Gmail',
        steps: [
          'Server smtp.gmail.com, cifratura STARTTLS, porta 587.',
          'Utente, mittente e destinatario: il tuo indirizzo Gmail.',
          'La password è una «password per le app», non quella con cui accedi: si crea nell’account Google, con la verifica in due passaggi attiva.',
        ],
      },
      others: {
        title: 'Con un altro servizio',
        steps: [
          'Cerca «SMTP» nella sua guida: dice server, porta e cifratura.',
          'L’utente è quasi sempre l’indirizzo intero; il mittente dev’essere un indirizzo tuo presso quel servizio.',
          'Dove c’è la verifica in due passaggi serve una password per le app.',
        ],
      },
    },
  },
} as const;
