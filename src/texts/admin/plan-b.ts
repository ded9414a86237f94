import type { PlanBFailure, PlanBHindrance } from '../../domain/plan-b.ts';
import { humanSize } from './amounts.ts';
import { momentOf } from './times.ts';

const hindrances: Record<PlanBHindrance, string> = {
  no_content: 'Non c’è ancora nulla da mettere al sicuro: prepara prima la serata.',
  no_film: 'Manca il video: senza, la serata non comincia.',
  no_code: 'Nessun codice apre la serata adesso: creane uno, il piano B si chiude con quello.',
  many_codes: 'I codici attivi sono più di 32: disattiva quelli che non servono.',
  too_large:
    'Video e canzone pesano più di 256 MB: nessun telefono lo terrebbe in memoria. Usa un video più corto, o la sua versione leggera.',
};

const failures: Record<PlanBFailure, string> = {
  no_room: 'Sul disco del server non c’è posto. Liberane un po’ e riprova.',
  failed: 'Non è riuscito. Guarda che la serata sia completa e riprova.',
};

/** The page of the evening that is seen without the site (decision 077). */
export const planBPageTexts = {
  lead: 'Se quella sera il server o la rete non ci sono: tutta la serata in un solo file, chiuso con i codici attivi. Senza codice non se ne legge nulla, nemmeno i titoli.',
  loadFailed: 'Errore nel caricamento',
  make: 'Prepara il piano B',
  makeAgain: 'Preparalo di nuovo',
  makeFailed: 'Errore durante la creazione',
  download: 'Scarica il piano B',
  none: 'Non c’è ancora un piano B',
  noneHint: 'Si prepara in meno di un minuto, e intanto puoi fare altro.',
  making: 'Lo sto preparando: puoi lasciare la pagina.',
  waits: 'Qualcuno sta vivendo la serata: lo preparo appena è finita.',
  current: 'È la serata com’è adesso.',
  old: 'Da allora hai cambiato qualcosa, o i codici: il file che hai apre ancora la serata di prima. Preparalo e scaricalo di nuovo.',
  made: (moment: string, size: number) =>
    `Preparato ${momentOf(moment)}. Il file pesa circa ${humanSize(size)}.`,
  needs: (size: number) => `Chi lo apre ha bisogno di circa ${humanSize(2 * size)} di memoria libera.`,
  hindrance: (why: PlanBHindrance): string => hindrances[why],
  failure: (why: PlanBFailure): string => failures[why],
  keepTitle: 'Tienilo su un telefono',
  keepLead:
    'Il suo, o il tuo: si apre una volta con la rete, e da allora anche senza. È l’unico modo per iPhone e iPad.',
  keepFirst: 'Prima prepara il piano B: il telefono prende quello che c’è.',
  keep: 'Tieni il piano B su questo telefono',
  nome: 'Di chi è il telefono',
  nomePlaceholder: 'Il telefono di Giulia',
  nomeHint: 'Lo leggi soltanto tu. Un codice QR nuovo con lo stesso nome prende il posto di quello di prima.',
  create: 'Crea il codice QR',
  createFailed: 'Errore durante la creazione',
  scan: 'Inquadra il codice con la fotocamera del telefono, e aspetta lì finché compare la busta. Poi basta riaprire quella pagina nello stesso browser: mettila tra i preferiti.',
  qrLabel: 'Codice QR che tiene il piano B su un telefono',
  linkLabel: 'Link del piano B',
  copyLink: 'Copia link',
  copied: 'Link copiato!',
  validUntil: (day: string) => `Vale fino al giorno ${day}`,
  rule: 'Chi ha questo codice tiene la serata chiusa a chiave: senza il codice della sorpresa non ne legge nulla.',
  onlyHere:
    'Stai usando un indirizzo che vale solo su questo computer: il telefono non può aprirlo. Apri questa pagina dall’indirizzo pubblico del sito e crea lì il codice.',
  unnamed: 'Un telefono',
  phones: 'Chi lo tiene',
  neverSeen: 'Non l’ha ancora aperto',
  seen: (device: string, moment: string) => `${device}, visto ${moment}`,
  keeps: {
    nothing: 'Non tiene ancora nulla',
    old: 'Tiene una serata vecchia',
    current: 'Aggiornato',
  },
  withdraw: 'Ritira',
  withdrawLabel: (nome: string) => `Ritira il piano B: ${nome}`,
  withdrawQuestion: (nome: string) => `Ritirare il piano B da «${nome}»?`,
  withdrawHint:
    'Al prossimo contatto con il sito quel telefono cancella tutto; fino ad allora, senza rete, lo tiene ancora. Le risposte già date lì arrivano lo stesso.',
  withdrawn: 'Ritirato: il telefono lo cancella al prossimo contatto.',
  withdrawFailed: 'Errore durante il ritiro',

  howTitle: 'Come si usa',
  how: [
    'Si apre con un doppio clic su un computer, da una chiavetta USB, o su un telefono Android dall’app File. Poi si scrive il codice.',
    'Su iPhone e iPad un file così si vede ma non parte: lì si tiene sul telefono, con il codice QR.',
    'Provalo prima, con la rete spenta, sul dispositivo di quella sera.',
    'Dal file, alla fine le risposte restano su quel dispositivo: lei te le può mandare con un messaggio. Dal telefono che lo tiene arrivano da sole appena il sito risponde e la pagina è aperta, come «Piano B» tra sessioni e risposte, e non consumano accessi.',
  ],
  limitsTitle: 'Che cosa non può fare',
  limits: [
    'Un codice che disattivi, che scade o che ha finito gli accessi apre lo stesso il piano B già scaricato o tenuto, e per ogni volta che vuole. Le risposte date con un codice disattivato o eliminato però il sito non le prende.',
    'L’ora di apertura è quella dell’orologio del dispositivo: chi lo sposta, apre prima.',
    'Non c’è limite ai tentativi: lo protegge solo il codice. Per indovinarne uno creato qui servono in media circa 20.000 euro di macchine e corrente, meno se i codici attivi sono di più. Uno scritto a mano si indovina molto prima: non usarlo.',
    'Se la pagina si chiude, la serata ricomincia dall’inizio.',
    'Quello che succede lì dentro non compare in sessioni, registro e notifiche, se non le risposte quando arrivano.',
    'Un telefono che lo tiene si aggiorna solo quando riapre la pagina con la rete. Un iPhone può buttarlo via dopo sette giorni che la pagina non viene aperta: riaprila il giorno prima.',
  ],
} as const;
