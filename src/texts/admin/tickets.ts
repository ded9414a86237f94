import { humanSize } from './amounts.ts';

const REMEDY = 'stampa il biglietto in un nuovo PDF, oppure caricane una foto';
const pagesAre = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'Pagina' : 'Pagine'} ${new Intl.ListFormat('it').format(numbers.map(String))}`;

/** Pages of a PDF as the evening shows them. */
export const ticketPageTexts = {
  page: (number: number) => `Pagina ${number}, come si vedrà (si apre in un’altra scheda)`,
  undrawable: `Le pagine di questo file non si possono mostrare nella serata: ${REMEDY}.`,
  unreadable: (numbers: readonly number[]) =>
    `${pagesAre(numbers)}: qualcosa non si vede. Guarda qui come apparirà: se manca qualcosa, ${REMEDY}.`,
  missingFont: (numbers: readonly number[]) =>
    `${pagesAre(numbers)}: nel file manca un carattere, e se ne usa un altro. Guarda qui come apparirà: se non va bene, ${REMEDY}.`,
} as const;

/** Joining several tickets of a trip into one PDF. */
export const joinTexts = {
  /** Name of the new file in the list. */
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
