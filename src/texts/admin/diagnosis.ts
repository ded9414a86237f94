import type { Verdict } from '../../domain/diagnosis.ts';

/** The administrator's page of the tested phones. */
export const diagnosisAdminTexts = {
  lead: 'Prova il suo telefono, o il tuo, qualche giorno prima: tre minuti, una domanda alla volta. Non mostra nulla della sorpresa.',
  loadFailed: 'Errore nel caricamento',
  none: 'Nessun telefono provato',
  noneHint: 'Crea un codice QR, inquadralo con il telefono da provare e segui la pagina. L’esito arriva qui.',
  make: 'Prova un telefono',
  nome: 'Di chi è il telefono',
  nomePlaceholder: 'Il telefono di Giulia',
  nomeHint: 'Lo leggi soltanto tu. Puoi lasciarlo vuoto.',
  create: 'Crea il codice QR',
  createFailed: 'Errore durante la creazione',
  /** Name of a phone without one. */
  unnamed: 'Un telefono',
  scan: 'Inquadra il codice con la fotocamera del telefono da provare: la prova si apre da sola.',
  qrLabel: 'Codice QR che apre la prova del telefono',
  linkLabel: 'Link della prova',
  copyLink: 'Copia link',
  copied: 'Link copiato!',
  validUntil: (day: string) => `Scade il giorno ${day}`,
  rule: 'Chi ha questo codice può soltanto provare il suo telefono: non vede nulla della sorpresa.',
  onlyHere:
    'Stai usando un indirizzo che vale solo su questo computer: il telefono non può aprirlo. Apri questa pagina dall’indirizzo pubblico del sito e crea lì il codice.',
  open: 'Codici aperti',
  close: 'Chiudi',
  closeLabel: (nome: string) => `Chiudi il codice: ${nome}`,
  closed: 'Il codice è chiuso e non vale più.',
  closeFailed: 'Errore durante la chiusura',
  phones: 'Telefoni provati',
  /** Short labels next to the sentence. */
  verdicts: {
    good: 'Pronto',
    beware: 'Quasi pronto',
    bad: 'Non pronto',
    unknown: 'Da finire',
  } satisfies Record<Verdict, string>,
  at: (device: string, moment: string) => `${device}, ${moment}`,
  copy: 'Copia l’esito',
  copyLabel: (nome: string) => `Copia l’esito: ${nome}`,
  resultCopied: 'Esito copiato!',
  remove: 'Elimina',
  removeLabel: (nome: string) => `Elimina: ${nome}`,
  removeQuestion: 'Eliminare l’esito di questo telefono?',
  removed: 'Esito eliminato.',
  removeFailed: 'Errore durante l’eliminazione',
} as const;
