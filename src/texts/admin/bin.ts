import type { BinKind, RestoreResult } from '../../domain/bin.ts';
import type { PhraseList } from '../../domain/configuration.ts';
import { BIN } from '../../domain/limits.ts';
import type { SlotName } from '../../domain/media.ts';
import { eachOf } from '../../domain/records.ts';
import { withArticle } from '../dates.ts';
import { dayOf } from './formats.ts';

const second = (what: string) => `${what} del secondo viaggio`;

const SLOTS: Record<SlotName, string> = {
  video: 'Video',
  canzone: 'Canzone',
  immagine: 'Immagine',
  biglietti: 'Biglietti',
  immagine_2: second('Immagine'),
  biglietti_2: second('Biglietti'),
};

const LISTS: Record<PhraseList, string> = {
  frasi_pre_video: 'Frase prima del video',
  frasi: 'Frase dopo il video',
  frasi_tra_viaggi: 'Frase tra i viaggi',
  frasi_secondo_viaggio: second('Frase'),
  frasi_finali_secondo_viaggio: second('Frase finale'),
};

const PLACES: Record<string, string> = {
  ...SLOTS,
  ...LISTS,
  ...eachOf(['domanda_1', 'domanda_2'], () => 'Domanda'),
  ...eachOf(['domanda_1_viaggio_2', 'domanda_2_viaggio_2'], () => second('Domanda')),
  ...eachOf(['entrambi_si', 'entrambi_no', 'misto'], () => 'Frase finale'),
};

/** The bin, and the notices after a deletion (decision 066). */
export const binTexts = {
  undo: 'Annulla',
  /** For questions and closing phrases. */
  emptied: (count: number) => (count === 1 ? 'Testo svuotato' : 'Testi svuotati'),
  /** Results of a restore. */
  came: {
    active: 'È di nuovo al suo posto, nella sorpresa',
    listed: 'È di nuovo nell’elenco. Intanto la sorpresa usa altro: per tornare indietro premi «Usa».',
    back: 'È di nuovo al suo posto',
  } satisfies Record<RestoreResult, string>,
  restoreFailed: 'Non sono riuscito a rimetterlo al suo posto. Riprova dal cestino.',

  lead: `Quello che elimini resta qui ${BIN.days} giorni, poi se ne va da solo. Se lo spazio sul server è poco, i file più vecchi se ne vanno prima, e ti avviso.`,
  list: 'Nel cestino',
  loadFailed: 'Errore nel caricamento',
  none: 'Il cestino è vuoto',
  noneHint: 'Se elimini un file, un codice o una frase, per 30 giorni puoi riprenderli da qui.',
  /** Name of an item's kind. */
  what: (kind: BinKind, place: string | null) =>
    kind === 'code' ? 'Codice' : (PLACES[place ?? ''] ?? 'Testo'),
  until: (until: string) => `fino ${withArticle('al', dayOf(until))}`,
  codeHint: 'Apre come prima, ma chi è stato disconnesso non riprende da dov’era.',
  look: 'Guarda',
  lookAt: (name: string) => `Guarda: ${name}`,
  restore: 'Rimetti dov’era',
  restoreOf: (name: string) => `Rimetti dov’era: ${name}`,
  empty: 'Svuota il cestino',
  emptyQuestion: 'Svuotare il cestino?',
  emptyDetail: 'Quello che c’è dentro non si potrà più riprendere.',
  wasEmptied: 'Cestino svuotato',
  emptyFailed: 'Non sono riuscito a svuotarlo',
} as const;
