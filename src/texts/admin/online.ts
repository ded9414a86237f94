/** «Portala in rete»: the ways there, what each costs and needs, and the steps of the one that was chosen. */
export const onlineTexts = {
  loadFailed: 'Errore nel caricamento',
  /** On the dashboard, and on top of the page. */
  notices: {
    machine: 'Per ora la vedi solo da questo computer',
    network: 'Per ora la vede solo chi è nella tua rete',
    plain: 'È in rete, ma senza https',
    detail: 'Il telefono di chi riceve la sorpresa, da un’altra parte, non la apre.',
    plainDetail:
      'Il browser scrive «Non sicuro», e mentre si leggono le frasi lo schermo del telefono può spegnersi.',
    lead: 'Portala in rete',
  },
  public: (address: string) => `La sorpresa è in rete: ${address}`,
  choose: 'Scegli una strada',
  chooseHint: 'Una basta. Se non sai quale: la prima.',
  otherWays: 'Le strade per portarla in rete',
  back: 'Scegli un’altra strada',
  cost: 'Costa',
  needs: 'Serve',
  time: 'Tempo',
  ways: {
    server: {
      title: 'Un piccolo server con un nome',
      summary: 'Un computer in affitto, sempre acceso. È la strada più sicura per la serata.',
      cost: 'circa 5 € al mese, più circa 10 € l’anno per il nome',
      needs: 'una carta, e il Terminale di questo computer',
      time: 'circa mezz’ora',
    },
    casa: {
      title: 'Questo computer, a casa',
      summary: 'Il tuo computer resta acceso, e il router gli fa arrivare chi viene da fuori.',
      cost: 'niente, o circa 10 € l’anno per un nome tuo',
      needs: 'la password del router, e un indirizzo pubblico dal tuo operatore',
      time: 'circa un’ora',
    },
    tunnel: {
      title: 'Un tunnel che hai già',
      summary: 'Tailscale, Cloudflare o simili portano fuori questo computer, senza toccare il router.',
      cost: 'niente, se lo usi già',
      needs: 'un programma per tunnel con il tuo account',
      time: 'circa dieci minuti',
    },
    wifi: {
      title: 'Lo stesso Wi-Fi',
      summary: 'Solo per provarla adesso sul tuo telefono. Per la serata non basta.',
      cost: 'niente',
      needs: 'telefono e computer nella stessa rete',
      time: 'un minuto',
    },
  },
  name: {
    label: 'Il nome del sito',
    hint: 'Scrivilo qui, e i comandi sotto lo avranno già dentro.',
    placeholder: 'sorpresa.example',
    invalid: 'Un nome è fatto così: sorpresa.example, senza https:// e senza spazi.',
  },
  copy: 'Copia il comando',
  commandCopied: 'Comando copiato!',
  addressCopied: 'Indirizzo copiato!',
  copyAddress: 'Copia l’indirizzo',
  qr: (address: string) => `Codice QR di ${address}`,
  wifi: {
    scan: 'Inquadra il codice con il telefono, collegato allo stesso Wi-Fi:',
    others: 'Se non si apre, prova anche:',
    noHosts:
      'Questo computer non ha un indirizzo in una rete di casa: collegalo al Wi-Fi, oppure prendi un’altra strada.',
    firewall:
      'Se il telefono aspetta e basta, il firewall di questo computer non lascia entrare: quando chiede il permesso per Node.js, consenti. Le reti per gli ospiti spesso non fanno parlare i dispositivi tra loro.',
    shut: 'Così com’è avviato adesso, risponde solo a questo computer o a un altro nome. Fermalo (Ctrl+C) e avvialo così:',
    withoutHttps: 'Senza https, sul telefono',
    works: 'Vanno: il codice, le frasi, il video, lo schermo intero, la canzone, le risposte.',
    lacks: [
      'Lo schermo può spegnersi mentre si leggono le frasi: durante il video resta acceso.',
      'Manca «Condividi» per i biglietti: si possono solo aprire e scaricare.',
      'Il browser scrive «Non sicuro», e chi è nella stessa rete potrebbe leggere quello che passa.',
      'In questa parte i pulsanti «Copia» mostrano il testo da copiare a mano.',
    ],
  },
} as const;

export type Way = keyof typeof onlineTexts.ways;
