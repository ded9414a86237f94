import { ERASE_WORD, type Erasable, type ErasePart } from '../../contract/admin/archive.ts';
import { longMoment, withArticle } from '../dates.ts';
import { humanShare, humanSize, humanTimeLeft } from './formats.ts';

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

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** «Cancella la serata» (decision 066). */
export const eraseTexts = {
  loadFailed: 'Errore nel caricamento',
  there: {
    title: 'Che cosa c’è',
    /** One line each. */
    lines: ({ visits, answers, replies, files, bytes, events, codes }: Erasable): string[] => [
      counted(visits, 'visita', 'visite'),
      counted(answers, 'coppia di risposte', 'coppie di risposte'),
      ...(replies === 0 ? [] : [counted(replies, 'messaggio lasciato dopo', 'messaggi lasciati dopo')]),
      files === 0 ? 'Nessun file' : `${counted(files, 'file', 'file')} (${humanSize(bytes)})`,
      counted(events, 'riga del registro', 'righe del registro'),
      counted(codes, 'codice', 'codici'),
    ],
    nothing: 'Non c’è più niente della serata: né visite, né risposte, né file.',
  },
  keep: {
    title: 'Che cosa tenere',
    parts: {
      codes: {
        label: 'I codici, con i loro nomi',
        hint: 'Restano com’erano: usati, scaduti o ancora validi.',
      },
      configuration: {
        label: 'La configurazione',
        hint: 'Frasi, testi, date, domande, il vestito e dove arrivano le notifiche. I file vengono tolti comunque.',
      },
      account: {
        label: 'Il mio accesso',
        hint: 'Senza, il sito torna come appena installato: il primo che apre /admin può registrarsi.',
      },
    } satisfies Record<ErasePart, { label: string; hint: string }>,
  },
  last: {
    title: 'Non si torna indietro',
    hint: 'Viene tolto tutto, dalla macchina su cui gira il sito: anche quello che sta nel cestino e i file in arrivo. Se un giorno vuoi riaverla, prima fanne una copia nella pagina «Copia di sicurezza». Quello che è già stato mandato su Telegram o per e-mail resta dov’è arrivato.',
    backups: (count: number) =>
      count === 0
        ? 'Le copie che hai fatto e messo altrove restano.'
        : `Restano le copie che hai messo altrove e ${counted(count, 'quella fatta', 'quelle fatte')} prima di un aggiornamento, nella cartella backups accanto ai dati: la serata è anche lì.`,
    living: (visits: number) =>
      visits === 1
        ? 'C’è una visita in corso: si chiuderebbe subito, con l’avviso della disconnessione.'
        : `Ci sono ${visits} visite in corso: si chiuderebbero subito, con l’avviso della disconnessione.`,
    label: `Per confermare scrivi ${ERASE_WORD}`,
    wrong: `Scrivi ${ERASE_WORD}, in maiuscolo.`,
    submit: 'Cancella la serata',
    failed: 'Errore durante l’eliminazione',
    done: 'La serata è stata cancellata.',
  },
} as const;
