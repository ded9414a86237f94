import type { PlanBBlocker, PlanBFailure } from '../../contract/admin/rehearsal.ts';
import { humanSize, momentOf } from './formats.ts';

const blockers: Record<PlanBBlocker, string> = {
  no_content: 'Non c’è ancora nulla da mettere al sicuro: prepara prima la serata.',
  no_film: 'Manca il video: senza, la serata non comincia.',
  no_code: 'Nessun codice apre la serata adesso: creane uno, il piano B si chiude con quello.',
  many_codes: 'I codici attivi sono più di 32: disattiva quelli che non servono.',
  too_large:
    'Video e canzone pesano più di 256 MB: nessun telefono li terrebbe in memoria. Usa un video più corto, o la sua versione leggera.',
};

const failures: Record<PlanBFailure, string> = {
  no_room: 'Sul disco del server non c’è posto. Liberane un po’ e riprova.',
  failed: 'Non ci sono riuscito. Controlla che la serata sia completa e riprova.',
};

/** The page of Piano B (decision 077). */
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
  hindrance: (why: PlanBBlocker): string => blockers[why],
  failure: (why: PlanBFailure): string => failures[why],

  howTitle: 'Come si usa',
  how: [
    'Si apre con un doppio clic su un computer, da una chiavetta USB, o su un telefono Android dall’app File. Poi si scrive il codice.',
    'Su iPhone e iPad un file così si apre ma non parte: per quella sera tieni pronto un altro dispositivo.',
    'Provalo prima, con la rete spenta, sul dispositivo di quella sera.',
    'Alla fine le risposte restano su quel dispositivo: lei te le può mandare con un messaggio.',
  ],
  limitsTitle: 'Che cosa non può fare',
  limits: [
    'Un codice che disattivi, che scade o che ha finito gli accessi apre lo stesso il piano B già scaricato, tutte le volte che si vuole.',
    'L’ora di apertura la decide l’orologio del dispositivo: chi lo sposta avanti, apre prima.',
    'Non c’è limite ai tentativi: lo protegge solo il codice. Per indovinarne uno creato qui servono in media circa 20.000 euro di macchine e corrente, meno se i codici attivi sono di più. Uno scritto a mano si indovina molto prima: non usarlo.',
    'Se la pagina si chiude, la serata ricomincia dall’inizio.',
    'Quello che succede lì dentro non compare in sessioni, registro e notifiche.',
  ],
} as const;
