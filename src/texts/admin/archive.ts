import { longMoment, withArticle } from '../dates.ts';
import { humanShare, humanSize, humanTimeLeft } from './amounts.ts';

/** «Copia di sicurezza», and the restore of an archive before the first registration (decision 020). */
export const archiveTexts = {
  loadFailed: 'Errore nel caricamento',
  what: {
    title: 'Che cosa c’è dentro',
    lines: [
      'Tutto quello che serve a ricominciare altrove com’era qui: i testi, le domande, i file, i codici, le visite, le risposte e il registro.',
      'Anche il tuo accesso e le chiavi delle notifiche: per questo il file è chiuso da una frase segreta, e senza quella non lo apre nessuno. Nemmeno tu.',
      'Non c’è quello che sta nel cestino.',
    ],
    back: 'Per ripristinarla: su un sito appena installato, nella pagina dove ci si registra, «Hai una copia di sicurezza?».',
  },
  make: {
    title: 'Scaricala',
    hint: (bytes: number) =>
      `Pesa circa ${humanSize(bytes)}. Si può fare in qualunque momento: chi è dentro non se ne accorge.`,
    last: (at: string | null) =>
      at === null
        ? 'Non ne hai ancora scaricata nessuna.'
        : `Ultima copia: ${withArticle('il', longMoment(at))}.`,
    passphrase: 'Frase segreta',
    rule: (min: number) => `Almeno ${min} caratteri. Scrivila dove la ritroverai: qui non viene conservata.`,
    again: 'La stessa, un’altra volta',
    differ: 'Le due frasi segrete non sono uguali.',
    submit: 'Scarica la copia',
    begun: 'La copia ha cominciato a scaricarsi',
    underWay: 'L’avanzamento lo mostra il browser; quando è partita per intero, lo leggi anche qui.',
    done: 'Copia scaricata',
    makeFailed: 'Non sono riuscito a fare la copia',
  },
  restore: {
    open: 'Hai una copia di sicurezza?',
    title: 'Ripristina da una copia',
    hint: 'Il sito torna com’era quando è stata fatta. Poi si entra con l’e-mail e la password di allora.',
    close: 'Torna alla registrazione',
    file: 'Il file della copia',
    choose: 'Scegli il file',
    fileRequired: 'Scegli il file della copia',
    passphrase: 'Frase segreta della copia',
    passphraseHint: 'Quella scelta quando è stata scaricata.',
    submit: 'Ripristina',
    sending: (share: number, secondsLeft: number | null) =>
      secondsLeft === null
        ? `Caricamento: ${humanShare(share)}`
        : `Caricamento: ${humanShare(share)}, ancora ${humanTimeLeft(secondsLeft)}`,
    unpacking: 'La copia viene controllata e ripristinata…',
    restoreFailed: 'Il ripristino non è riuscito. Qui non è cambiato niente: riprova.',
    proxyLimit:
      'Il proxy davanti al sito rifiuta un file così grande: alza il suo limite (in nginx: client_max_body_size 0) o usa il comando «sorpresa restore».',
    done: 'Tutto è tornato com’era. Accedi con l’e-mail e la password di allora.',
    missing: (names: readonly string[]) => `Questi file mancavano già nella copia: ${names.join(', ')}.`,
  },
} as const;
