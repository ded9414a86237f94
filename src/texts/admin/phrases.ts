import type { PhraseList } from '../../domain/configuration.ts';
import { PHRASE_SECONDS } from '../../domain/limits.ts';

/** The lists of phrases (spec 2, 5 and 8). */
export const phraseListTexts = {
  lists: {
    frasi_pre_video: 'Frasi Pre-Video',
    frasi: 'Frasi Post-Video',
    frasi_tra_viaggi: 'Frasi tra i viaggi',
    frasi_secondo_viaggio: 'Frasi del secondo viaggio',
    frasi_finali_secondo_viaggio: 'Frasi finali del secondo viaggio',
  } satisfies Record<PhraseList, string>,
  /** Moment of each list, above its preview. */
  previews: {
    frasi_pre_video: 'Prima del video',
    frasi: 'Dopo il video',
    frasi_tra_viaggi: 'Tra i due viaggi',
    frasi_secondo_viaggio: 'All’inizio del secondo viaggio',
    frasi_finali_secondo_viaggio: 'Alla fine di tutto',
  } satisfies Record<PhraseList, string>,
  seconds: 'Durata di ogni frase (secondi)',
  secondsHint: `Da ${PHRASE_SECONDS.min} a ${PHRASE_SECONDS.max} secondi; consigliati 5-8.`,
  /** On pages where the seconds can't be set; a link follows. */
  secondsElsewhere: (seconds: number) =>
    `Ogni frase resta almeno ${seconds} secondi: la durata si sceglie in`,
  /** Next to a phrase whose reading time exceeds the chosen seconds. */
  stays: (seconds: number) => `resta ${seconds} s`,
  exact: 'Usa sempre i miei secondi',
  exactHint: (seconds: number) =>
    `Ogni frase di questo elenco resta ${seconds} secondi esatti. Altrimenti una frase lunga resta quanto serve per leggerla.`,
  item: (position: number) => `Frase ${position}`,
  add: 'Nuova frase',
  /** @param touch true on a phone, whose keyboard has no «Maiusc+Invio» */
  addHint: (touch: boolean) =>
    `Invio la aggiunge${touch ? '' : ', Maiusc+Invio va a capo'}; si salva da sola. Una parola tra *asterischi* diventa d’oro, {nome} il suo nome.`,
  addButton: 'Aggiungi Frase',
  /** Shown after several lines were pasted. */
  pasted: {
    title: (lines: number) => `Hai incollato ${lines} righe`,
    paragraphs: (count: number) => `${count} frasi, una per paragrafo`,
    lines: (count: number) => `${count} frasi, una per riga`,
    one: () => 'Una frase sola',
    close: 'Non aggiungere',
  },
  blank: 'Inserisci una frase',
  full: (max: number) => `Puoi salvare al massimo ${max} frasi.`,
  empty: {
    title: 'Ancora nessuna frase',
    hint: 'Scrivi la prima qui sopra: senza frasi questo momento viene saltato.',
  },
  blankHint: 'Le frasi vuote si possono salvare, ma non si vedono: vengono saltate.',
  list: (name: string) => `${name}, in ordine`,
  notSaved: 'Non salvata',
  orderHint: 'Trascina la maniglia per cambiare l’ordine, oppure usa le frecce.',
  saved: 'Frasi salvate con successo!',
  added: 'Frase aggiunta e salvata',
  addedSeveral: (count: number) => `${count} frasi aggiunte e salvate`,
  removed: 'Frase rimossa',
  reordered: 'Ordine salvato',
  secondsSaved: 'Durata salvata',
  undone: 'Di nuovo com’era',
  saveFailed: 'Errore nel salvataggio automatico',
  loadFailed: 'Errore nel caricamento',
  actions: {
    drag: (text: string) => `Trascina: ${text}`,
    up: (text: string) => `Sposta su: ${text}`,
    down: (text: string) => `Sposta giù: ${text}`,
    remove: (text: string) => `Elimina: ${text}`,
  },
  /** Announced by screen readers while a phrase is moved. */
  announcements: {
    howTo:
      'Premi la barra spaziatrice per sollevare la frase, le frecce per spostarla, di nuovo la barra per posarla, Esc per rinunciare.',
    lifted: (position: number, total: number) => `Frase sollevata: posizione ${position} di ${total}.`,
    moved: (position: number, total: number) => `Ora in posizione ${position} di ${total}.`,
    outside: 'Fuori dalla lista.',
    dropped: (from: number, to: number) => `Frase posata: dalla posizione ${from} alla ${to}.`,
    cancelled: (position: number) => `Spostamento annullato: la frase è di nuovo in posizione ${position}.`,
  },
} as const;

/** Phrases between the trips. The wordings of this and the next two pages are fixed by the specification (spec 8). */
export const intermediatePhrasesTexts = {
  saved: 'Frasi salvate con successo!',
  loadFailed: 'Errore nel caricamento delle frasi',
  saveFailed: 'Errore nel salvataggio delle frasi',
} as const;

export const secondTripPhrasesTexts = {
  titles: { saved: 'Successo', failed: 'Errore' },
  saved: 'Frasi del secondo viaggio salvate con successo',
  loadFailed: 'Impossibile caricare le frasi del secondo viaggio',
  saveFailed: 'Impossibile salvare le frasi',
} as const;

/** Phrases after the second trip, at the end of the evening. */
export const secondTripFinalPhrasesTexts = {
  saved: 'Frasi finali salvate con successo',
  loadFailed: 'Impossibile caricare le frasi finali',
  saveFailed: 'Impossibile salvare le frasi',
} as const;
