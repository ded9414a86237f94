import type { Erasable } from '../../contract/admin/erase.ts';
import { ERASE_WORD, type ErasePart } from '../../domain/erasing.ts';
import { humanSize } from './amounts.ts';

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
