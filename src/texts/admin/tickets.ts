import { humanSize } from './amounts.ts';

/** Several tickets of one trip that become one PDF. */
export const joinTexts = {
  /** What the new file is called in the list. */
  fileName: 'biglietti uniti.pdf',
  open: 'Unisci in un solo PDF',
  explained:
    'Scegli quali biglietti unire e in che ordine. Il PDF unito diventa quello attivo; gli altri restano nell’elenco.',
  list: 'Biglietti da unire',
  up: (nome: string) => `Sposta su ${nome}`,
  down: (nome: string) => `Sposta giù ${nome}`,
  tooFew: (min: number) => `Scegline almeno ${min}.`,
  tooMany: (max: number) => `Se ne possono unire al massimo ${max} alla volta.`,
  tooHeavy: (maxBytes: number) =>
    `Insieme superano ${humanSize(maxBytes)}, che il suo telefono aprirebbe a fatica: uniscine di meno.`,
  confirm: 'Unisci',
  working: 'Unisco i biglietti…',
  saved: 'Biglietti uniti in un solo PDF!',
  joinFailed: 'Non sono riuscito a unire i biglietti: riprova.',
} as const;
