import type { CertificateTrouble } from '../contract/admin/site-address.ts';
import { longMoment, withArticle } from './dates.ts';

/** The certificate requested automatically: on the console, in the log, on the dashboard and by plain http. */
export const certificateTexts = {
  /** Reply of the names by http while there is no certificate. The visitor may read it. */
  notYet: 'Questo indirizzo non è ancora pronto: riprova fra qualche minuto.',
  title: 'L’indirizzo https non è ancora pronto',
  /** A certificate exists but could not be renewed. */
  titleOld: 'Il certificato https non si rinnova',
  requesting: 'Sto chiedendo il certificato: di solito bastano pochi secondi.',
  servesUntil: (moment: string) =>
    `Intanto il sito funziona con il certificato che c’è: scade ${withArticle('il', longMoment(moment))}.`,
  expired: (moment: string) =>
    `Il certificato che c’è è scaduto ${withArticle('il', longMoment(moment))}: il sito non si apre.`,
  nextTry: (moment: string) => `Riprovo da solo ${withArticle('il', longMoment(moment))}.`,
  soon: 'Riprovo da solo ogni minuto.',
  /** Heading of the original message of the authority or the system, for experts. */
  originalMessage: 'Il messaggio originale',
};

/** A problem, and what to do about it. */
type TroubleWords = { what: string; todo: string };

export function troubleWords(trouble: CertificateTrouble): TroubleWords {
  return WORDS[trouble.kind](trouble);
}

/** Formats a problem for the console, with the time of the next attempt. */
export function certificateSentence(trouble: CertificateTrouble, next: Date | null): string {
  const { what, todo } = troubleWords(trouble);
  const again = next === null ? certificateTexts.soon : certificateTexts.nextTry(next.toISOString());
  return `${certificateTexts.title}. ${what} ${todo} ${again}`;
}

/** Announces a certificate. */
export function certificateReady(names: readonly string[], until: Date): string {
  return `Certificato https per ${names.join(', ')}: scade ${withArticle('il', longMoment(until))}, e si rinnova da solo.`;
}

const listed = (addresses: readonly string[]) =>
  addresses.length === 0 ? 'nessun indirizzo' : addresses.join(', ');
const name = (trouble: CertificateTrouble) => trouble.name ?? 'Il nome';

const WORDS: Record<CertificateTrouble['kind'], (trouble: CertificateTrouble) => TroubleWords> = {
  no_address: (trouble) => ({
    what: `${name(trouble)} non ha ancora un indirizzo.`,
    todo: `Dove hai comprato il nome, aggiungi un record A con l’indirizzo pubblico di questo computer (qui vedo ${listed(trouble.ours)}). Può volerci un’ora prima che si veda ovunque.`,
  }),
  points_elsewhere: (trouble) => ({
    what: `${name(trouble)} porta a ${listed(trouble.found)}, ma questo computer è ${listed(trouble.ours)}.`,
    todo: 'Dove hai comprato il nome, cambia i record A e AAAA: devono portare qui.',
  }),
  unreachable: (trouble) => ({
    what: `Da fuori la porta 80 di ${name(trouble)} (${listed(trouble.found)}) non risponde.`,
    todo: `Apri le porte 80 e 443 nel firewall; in casa, fai inoltrare dal router tutte e due a questo computer (${listed(trouble.ours)}).`,
  }),
  other_answers: (trouble) => ({
    what: `Alla porta 80 di ${name(trouble)} (${listed(trouble.found)}) risponde qualcun altro.`,
    todo: `Il nome deve portare a questo computer (${listed(trouble.ours)}), e il router deve inoltrare qui le porte 80 e 443.`,
  }),
  port_refused: ({ port }) => ({
    what: `Chi ha avviato il programma non può usare la porta ${port}.`,
    todo: 'Due vie d’uscita: dargli quel diritto (con systemd AmbientCapabilities=CAP_NET_BIND_SERVICE), oppure impostare HTTP_PORT=8080 e HTTPS_PORT=8443 e far arrivare lì le porte 80 e 443.',
  }),
  port_taken: ({ port }) => ({
    what: `La porta ${port} la sta già usando un altro programma.`,
    todo: 'Fermalo (spesso è un altro server web), oppure metti quello davanti a questo: allora niente HTTPS_DOMAIN, ma PUBLIC_URL e TRUSTED_PROXIES.',
  }),
  port_closed: ({ port, detail }) => ({
    what: `La porta ${port} non si può aprire (${detail ?? ''}).`,
    todo: 'Controlla HOST: dev’essere un indirizzo di questo computer, o niente.',
  }),
  wait: () => ({
    what: 'Chi rilascia i certificati chiede di aspettare: ne sono stati chiesti troppi.',
    todo: 'Non serve fare niente.',
  }),
  authority_away: () => ({
    what: 'Chi rilascia i certificati non risponde.',
    todo: 'Se questo computer è in rete e può uscire sulla porta 443, non serve fare niente.',
  }),
  refused: ({ detail }) => ({
    what: `Chi rilascia i certificati ha detto di no: «${detail ?? ''}».`,
    todo: 'Controlla HTTPS_DOMAIN, HTTPS_EMAIL e ACME_DIRECTORY.',
  }),
  not_kept: () => ({
    what: 'Il certificato non si può salvare in DATA_DIR.',
    todo: 'Libera spazio sul disco e controlla che la cartella sia di chi ha avviato il programma.',
  }),
};
