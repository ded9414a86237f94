import type { Viaggio } from '../domain/content.ts';
/** What she reads around an evening that is seen without the site (decision 077). The evening itself speaks in its own texts. */
export const planBTexts = {
  footer: 'Questa sera non ha bisogno della rete: è tutta qui, chiusa a chiave dal tuo codice.',
  name: 'Piano B',
  keptFooter:
    'Questa sera è tutta su questo telefono, chiusa a chiave dal tuo codice: si apre anche senza rete.',
  looking: 'Un momento…',
  keeping:
    'Lo sto mettendo da parte su questo telefono. Resta su questa pagina finché compare la busta: con una rete lenta ci vuole qualche minuto.',
  cantKeep:
    'Questo browser non può tenere il piano B. Apri il link in Safari o in Chrome, non dentro un’altra app e non in una finestra privata; il sito deve avere un indirizzo https.',
  strangerTitle: 'Qui non c’è niente da vedere',
  stranger: 'Per tenere il piano B su questo telefono serve il codice QR di chi ha preparato la sorpresa.',
  overTitle: 'Il piano B non è più qui',
  over: 'Il permesso è scaduto o è stato ritirato: questo telefono ha cancellato tutto quello che teneva.',
  noneTitle: 'Il piano B non è ancora pronto',
  none: 'Chi prepara la sorpresa deve prima prepararlo dalla sua pagina. Poi riapri questa.',
  failedTitle: 'Non è andata',
  notKept:
    'Il piano B non è arrivato intero, o su questo telefono non c’è posto. Controlla la rete, libera un po’ di spazio e ricarica la pagina.',
  /** What became of her answers. */
  told: {
    waiting:
      'Le tue risposte sono su questo telefono, chiuse a chiave: partono da sole appena il sito risponde, finché tieni aperta questa pagina o quando la riapri. Se vuoi, mandale anche tu.',
    arrived: 'Le tue risposte sono arrivate a chi ti ha preparato la sorpresa.',
    refused: 'Il sito non ha preso le tue risposte: il codice non vale più. Puoi mandarle tu.',
  },

  stillReading: 'Un momento: la pagina si sta ancora aprendo. Riprova tra poco.',
  wrongCode: 'Codice non valido',
  notWhole: 'Questo file non è arrivato intero: chiedi che ti venga dato di nuovo.',
  damaged:
    'Non si è aperto: forse il file è rovinato, o questo dispositivo ha poca memoria. Ricarica la pagina e riprova.',
  noEngine: 'Questo browser non può aprirlo. Prova con un altro, o con un computer.',

  endTitle: 'La serata è finita',
  brokenTitle: 'La serata si è interrotta',
  brokenHint: 'Ricaricando la pagina e scrivendo di nuovo il codice, ricomincia dall’inizio.',
  answersHere:
    'Le tue risposte sono rimaste su questo dispositivo. Mandale a chi ti ha preparato la sorpresa: le aspetta.',
  /** Before each trip's answers in what is sent, where there are two. */
  trip: (viaggio: Viaggio) => (viaggio === 1 ? 'Primo viaggio' : 'Secondo viaggio'),
  message: 'Le mie risposte',
  share: 'Manda le risposte',
  copy: 'Copia le risposte',
  copied: 'Copiate.',
  copyFailed: 'Non si sono copiate: selezionale qui sopra e copiale a mano.',
  again: 'Rivedi dall’inizio',
} as const;
