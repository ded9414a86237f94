import type { SharingTrouble, TunnelName } from '../../contract/admin/sharing.ts';

const INSTALL =
  'https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/';

/** «Portala in rete»: sharing from this computer, and a page for owners of a server. */
export const siteAddressTexts = {
  loadFailed: 'Errore nel caricamento',
  /** At the top of the page. */
  notices: {
    machine: 'Per ora la vedi solo da questo computer',
    network: 'Per ora la vede solo chi è nella tua rete',
    plain: 'È in rete, ma senza https',
    detail: 'Da un’altra parte, il telefono di chi riceve la sorpresa non la apre.',
    plainDetail:
      'Il browser scrive «Non sicuro», e mentre si leggono le frasi lo schermo del telefono può spegnersi.',
    lead: 'Portala in rete',
  },
  public: (address: string) => `La sorpresa è in rete: ${address}`,
  qr: (address: string) => `Codice QR di ${address}`,
  off: {
    title: 'Si apre ovunque, da questo computer',
    what: 'Premi il pulsante: in un paio di minuti hai un indirizzo https che si apre da qualunque telefono, senza account e senza toccare il router. Resta finché non lo togli.',
    awake: 'Questo computer deve restare acceso e attaccato alla corrente finché la serata non è finita.',
    start: 'Mettila in rete da questo computer',
    through: {
      cloudflare:
        'Passa da Cloudflare, un servizio gratuito. L’indirizzo lo sceglie lui: se il suo programma si ferma, ne arriva un altro.',
      tailscale: 'Passa da Tailscale, che hai già. L’indirizzo resta sempre lo stesso.',
    } satisfies Record<TunnelName, string>,
    download:
      'La prima volta scarica il programma di Cloudflare (circa 40 MB) e ne controlla l’impronta prima di avviarlo.',
    install: 'Per questo computer il programma di Cloudflare non si scarica da qui:',
    installLink: 'installa «cloudflared»',
    installAddress: INSTALL,
    installAgain: 'poi torna su questa pagina.',
  },
  starting: {
    title: 'La metto in rete…',
    download: 'Scarico il programma.',
    program: 'Avvio il programma e aspetto il suo indirizzo.',
    reaching: (address: string) => `L’indirizzo c’è: ${address}. Aspetto che si apra da fuori.`,
    enable: 'Manca un permesso nel tuo account Tailscale: apri questa pagina, accetta e torna qui.',
    enableLink: 'Apri la pagina di Tailscale',
    cancel: 'Annulla',
  },
  online: {
    title: 'La sorpresa è in rete',
    keeps: 'L’indirizzo resta lo stesso anche se spegni e riaccendi il computer.',
    changes:
      'L’indirizzo resta anche se la sorpresa si riavvia. Cambia se il computer si spegne: allora «Pronta?» diventa rossa e ti arriva quello nuovo.',
    copy: 'Copia l’indirizzo',
    copied: 'Indirizzo copiato!',
    share: 'Condividi',
    stop: 'Togli dalla rete',
    stopQuestion: 'Vuoi togliere la sorpresa dalla rete?',
    stopDetail: 'Il link smette di aprirsi subito, anche per chi è dentro.',
  },
  lost: {
    title: 'Il link che hai dato non funziona più',
    detail: (before: string) =>
      `Era ${before}. Manda quello nuovo; chi era già dentro scrive di nuovo il codice e riprende da dov’era.`,
    sent: 'L’ho mandato',
  },
  again: 'Riprova',
  failed: 'Errore durante l’operazione',
  troubles: {
    download:
      'Il programma non si è potuto scaricare: controlla che questo computer sia in rete, poi riprova.',
    checksum:
      'Il programma scaricato non è quello atteso: l’ho cancellato senza avviarlo. Riprova da un’altra rete.',
    program: 'Il programma non si avvia su questo computer: installa «cloudflared» o Tailscale e riprova.',
    ended: 'Il programma si è fermato da solo: riprova tra qualche minuto.',
    no_address:
      'Il programma non ha dato nessun indirizzo: controlla che questo computer sia in rete, poi riprova.',
    not_https: 'Il programma ha dato un indirizzo senza https: non lo uso.',
    ports: 'Tailscale usa già per altro tutte le porte che può aprire (443, 8443 e 10000): liberane una.',
    unreachable:
      'L’indirizzo non si apre ancora da fuori. Continuo a provare: di solito manca la rete, il Wi-Fi chiede di accedere a una pagina, o non lascia passare (UDP 7844).',
    other_site: 'A quell’indirizzo risponde un altro sito: ho fermato tutto. Riprova.',
    port_taken: 'Un altro programma ha preso la porta del tunnel: riprova.',
  } satisfies Record<SharingTrouble, string>,
  helper: {
    lead: 'Ho un server o un nome mio',
    title: 'Con un server o un nome tuo',
    hint: 'Per chi ti aiuta. Un solo requisito: un indirizzo https che porti qui.',
    back: 'Torna indietro',
    steps: [
      'Un server sempre acceso: Debian 12 o 13, almeno 2 GB di memoria e 20 GB di disco, Node 24 o più recente.',
      'Un nome che porti al suo indirizzo (record A). Con HTTPS_DOMAIN=sorpresa.example la sorpresa chiede da sola il certificato: servono le porte 80 e 443 aperte.',
      'Dietro un proxy o un tunnel tuo: PUBLIC_URL=https://sorpresa.example e TRUSTED_PROXIES con l’indirizzo del proxy.',
      'La serata preparata qui si porta con una copia: «sorpresa backup sorpresa.zip» su questo computer, «sorpresa restore sorpresa.zip» sul server, nella cartella vuota.',
      '«sorpresa doctor» dice se lì può funzionare tutto. I comandi per intero sono nella documentazione, in docs/operations.md.',
    ],
  },
} as const;
