import type { AddressCheck, SharingTrouble, TunnelName } from '../../contract/admin/site-address.ts';
import { type Reach, reachOf } from '../../domain/reach.ts';
import { longMoment, withArticle } from '../dates.ts';

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

export const onlineCheckTexts = {
  title: 'Prova l’indirizzo',
  hint: 'Lo apro dal suo nome, come farebbe chiunque, e guardo che cosa risponde.',
  label: 'Indirizzo da provare',
  invalid: 'Scrivi un indirizzo come https://sorpresa.example',
  check: 'Controlla',
  again: 'Controlla di nuovo',
  checking: 'Sto guardando: al massimo una ventina di secondi…',
  failed: 'Errore durante il controllo',
  marks: { good: 'A posto', note: 'Da sapere', bad: 'Da sistemare' },
  /** Covers what no check from this machine can find. */
  phone: 'L’ultima prova è la più vera: spegni il Wi-Fi del telefono e inquadra il codice.',
} as const;

/** One finding of the check. */
export type CheckFinding = { mark: keyof typeof onlineCheckTexts.marks; text: string };

const good = (text: string): CheckFinding => ({ mark: 'good', text });
const note = (text: string): CheckFinding => ({ mark: 'note', text });
const bad = (text: string): CheckFinding => ({ mark: 'bad', text });

/** Returns all findings, most important first. @param hostname host of the checked address, as in `URL` */
export function findingsOf(check: AddressCheck, hostname: string): CheckFinding[] {
  const { found, led_to, certificate } = check;
  const reach = reachIn(check, hostname);
  return [
    found === 'ours' ? good(FOUND.ours(check)) : bad(FOUND[found](check)),
    ...(isAnswer(found) && led_to !== null ? [note(`Da lì si viene mandati a ${led_to}.`)] : []),
    ...(certificate === null ? [] : [certificateFinding(certificate)]),
    ...(found === 'ours' ? localFindings(check, reach) : hairpin(check, reach)),
  ];
}

/** Returns the smaller reach of name and IP address: a public name may point into a home network. */
function reachIn({ ip }: AddressCheck, hostname: string): Reach {
  const reach = reachOf(hostname);
  return reach === 'public' && ip !== null ? reachOf(ip) : reach;
}

const isAnswer = (found: AddressCheck['found']) =>
  found === 'ours' || found === 'other_installation' || found === 'wrong_host' || found === 'not_ours';

const FOUND: Record<AddressCheck['found'], (check: AddressCheck) => string> = {
  ours: () => 'Risponde proprio questa sorpresa.',
  other_installation: () =>
    'Risponde una sorpresa, ma non questa: è un’altra installazione. Se è il tuo server nuovo, portaci la serata con una copia.',
  wrong_host: ({ address }) =>
    `Risponde una sorpresa che non conosce questo nome: avviala con PUBLIC_URL=${address} oppure con HTTPS_DOMAIN.`,
  not_ours: () => 'Risponde qualcos’altro, non la sorpresa.',
  no_name: () =>
    'Questo nome non porta ancora a nessun indirizzo: controlla il record A dove l’hai preso. Può volerci un’ora prima che si veda.',
  refused: ({ ip }) =>
    `Al suo indirizzo${within(ip)} nessuno risponde: la sorpresa è spenta, o la porta è chiusa.`,
  silent: ({ ip }) =>
    `Dal suo indirizzo${within(ip)} non arriva nessuna risposta: di solito è un firewall, o il router che non inoltra.`,
  unreachable: ({ ip }) =>
    `Il suo indirizzo${within(ip)} da qui non si raggiunge: questo computer è in rete?`,
  no_https: () =>
    'Qualcuno risponde, ma non in https. Se l’hai appena accesa, il certificato può volere un minuto; se no, il perché è scritto nel pannello di quella installazione.',
  redirects: () => 'Si viene mandati da un indirizzo all’altro senza arrivare mai.',
};

const within = (ip: string | null) => (ip === null ? '' : ` (${ip})`);

type Certificate = NonNullable<AddressCheck['certificate']>;

function certificateFinding({ flaw, valid_until, issuer, names }: Certificate): CheckFinding {
  const until = longMoment(valid_until);
  const by = issuer === '' ? '' : `, rilasciato da ${issuer},`;
  if (flaw === null) return good(`Il certificato https${by} è buono: scade ${withArticle('il', until)}.`);
  const FLAWS = {
    expired: `Il certificato https è scaduto ${withArticle('il', until)}.`,
    not_yet: 'Il certificato https non vale ancora: controlla l’ora di quel computer, e di questo.',
    other_name: `Il certificato https è di un altro nome (${names.join(', ')}).`,
    self_signed: 'Il certificato https se l’è fatto il server da solo: nessun telefono se ne fida.',
    untrusted: `Il certificato https${by} non viene da qualcuno di cui i telefoni si fidano.`,
  };
  return bad(`${FLAWS[flaw]} Chi apre il sito legge un avviso al posto della sorpresa.`);
}

/** Returns further findings for this installation: reach, plain http, firewall. */
function localFindings({ certificate, http, own }: AddressCheck, reach: Reach): CheckFinding[] {
  return [
    ...(reach === 'machine' ? [note('Però si apre solo da questo computer.')] : []),
    ...(reach === 'network' ? [note('Però si apre solo da chi è nella stessa rete.')] : []),
    ...(certificate === null
      ? [note('È senza https: il browser scrive «Non sicuro», e lo schermo può spegnersi tra le frasi.')]
      : []),
    ...(http === null ? [] : [HTTP[http]]),
    ...(own && reach === 'public'
      ? [note('Il sito è su questo stesso computer: un firewall davanti, da qui, non si vede.')]
      : []),
  ];
}

const HTTP: Record<NonNullable<AddressCheck['http']>, CheckFinding> = {
  leads: good('Chi scrive http:// viene portato a https.'),
  stays: note('Chi scrive http:// non viene portato a https: fallo fare a chi risponde lì.'),
  silent: note('Chi scrive http:// non trova niente: apri anche la porta 80.'),
};

/** Warns that many home routers don't route their own network's requests to the public address, or answer them themselves. */
function hairpin({ found, own }: AddressCheck, reach: Reach): CheckFinding[] {
  const isMet = found === 'refused' || found === 'silent' || found === 'unreachable' || found === 'not_ours';
  return isMet && !own && reach === 'public'
    ? [
        note(
          'Se il sito è in questa casa, da qui spesso non si può provare: il router non fa rientrare chi è già dentro. Conta solo la prova con il telefono, senza Wi-Fi.',
        ),
      ]
    : [];
}
