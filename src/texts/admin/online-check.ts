import type { AddressCheck } from '../../contract/admin/site-address.ts';
import { type Reach, reachOf } from '../../domain/reach.ts';
import { longMoment, withArticle } from '../dates.ts';

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
