/** What to do, one thing after the other, on each way. A step that has a command says what it does; the commands themselves are made elsewhere. */
export const onlineSteps = {
  server: {
    rent: {
      title: 'Prendi un server',
      text: 'Da un fornitore qualunque (Hetzner, Netcup, OVH, Aruba…) il più piccolo con almeno 2 GB di memoria e 20 GB di disco, con Debian 12 o 13. Alla fine ti dà un indirizzo, come 203.0.113.7, e una password.',
    },
    name: {
      title: 'Prendi un nome',
      text: 'Da chi vende domini compra un nome, e nelle sue impostazioni DNS aggiungi un record A che porta all’indirizzo del server. Può volerci un’ora prima che si veda ovunque.',
    },
    backup: {
      title: 'Fai una copia della serata',
      text: 'Nel Terminale di questo computer, nella cartella da cui hai avviato la sorpresa. Se lì non hai ancora preparato niente, salta questo passo e «Porta la serata».',
    },
    send: {
      title: 'Manda tutto sul server',
      text: 'Chiede se ti fidi (scrivi yes) e la password del server. Se non hai fatto la copia, togli sorpresa.zip.',
    },
    enter: { title: 'Entra nel server', text: 'I prossimi comandi si scrivono lì.' },
    install: {
      title: 'Installa',
      text: 'Qualche minuto, senza domande. Gli avvisi EBADENGINE non contano: il Node giusto arriva insieme.',
    },
    restore: {
      title: 'Porta la serata',
      text: 'Rimette sul server tutto quello che hai preparato: password, codici e video compresi.',
    },
    start: {
      title: 'Accendi',
      text: 'Incolla tutto insieme. Da adesso parte da sola, anche dopo un riavvio, e chiede da sola il certificato: di solito bastano pochi secondi.',
    },
    register: {
      title: 'Solo se hai saltato la copia: registrati',
      text: 'Apri il sito con /admin in fondo. Chiede un codice di installazione, che si legge così:',
    },
  },
  casa: {
    name: {
      title: 'Prendi un nome',
      text: 'Un indirizzo di casa cambia: serve un nome che lo segua. Molti router ne danno uno gratis (cerca «DNS dinamico» o «DDNS» nelle sue impostazioni), altrimenti lo danno servizi come DuckDNS.',
    },
    router: {
      title: 'Fai inoltrare due porte dal router',
      text: 'Nelle impostazioni del router («port forwarding», «server virtuali» o «inoltro porte»), verso questo computer:',
      ports: (host: string) => [`porta 80 → ${host}, porta 8080`, `porta 443 → ${host}, porta 8443`],
      unknownHost: 'questo computer',
      caution:
        'Se il tuo operatore ti fa condividere l’indirizzo con altri («CGNAT»: succede spesso con il 5G e con alcune fibre) da fuori non si arriva: chiedigli un indirizzo pubblico, o prendi un’altra strada.',
    },
    start: {
      title: 'Avviala con il suo nome',
      text: 'Ferma quella che sta andando (Ctrl+C nel suo Terminale) e avviala così. Il certificato https lo chiede da sola.',
    },
    awake: {
      title: 'Tieni acceso il computer',
      text: 'Collegato alla corrente, con la sospensione disattivata, fino alla fine della serata. Se si spegne lui, si spegne la sorpresa.',
    },
  },
  tunnel: {
    open: {
      title: 'Apri il tunnel',
      text: 'Con Tailscale (gratis, il nome resta sempre lo stesso):',
      others:
        'Con Cloudflare o un altro: fallo arrivare a questo computer, porta e indirizzo come qui sotto. Un tunnel di prova di Cloudflare cambia nome a ogni avvio, e ngrok gratis mostra a chi apre una pagina di avviso: vanno bene per provare, non per la serata.',
    },
    name: {
      title: 'Scrivi qui il nome che ti ha dato',
      text: 'Per esempio computer.coda.ts.net, senza https://.',
    },
    start: {
      title: 'Dillo alla sorpresa',
      text: 'Ferma quella che sta andando (Ctrl+C nel suo Terminale) e avviala così, con il tunnel sempre aperto:',
    },
    awake: {
      title: 'Tieni acceso il computer',
      text: 'Con il tunnel aperto e la sospensione disattivata, fino alla fine della serata.',
    },
  },
} as const;
