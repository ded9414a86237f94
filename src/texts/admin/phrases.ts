import type { FrasiFinali, PhraseList } from '../../domain/configuration.ts';
import type { Viaggio } from '../../domain/content.ts';
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

/** Suggested texts; none is used without a tap. A word between asterisks is emphasized, as everywhere. */

export const suggestionTexts = {
  title: 'Qualche idea',
  hint: 'Un tocco la inserisce: poi cambiala come vuoi.',
  inserted: 'Idea inserita',
  /** Shown if an undo would overwrite a changed text. */
  changed: 'Intanto hai cambiato il testo: resta com’è.',
} as const;

/** Suggestions for each list of phrases. */
export const phraseIdeas: Record<PhraseList, readonly string[]> = {
  frasi_pre_video: [
    'Fermati un momento. Questo tempo è tutto *tuo*.',
    'Ci sono cose che a voce non mi vengono. Così le ho messe qui.',
    'Hai studiato per tutti questi anni. Adesso lascia fare a me.',
    'Alza il volume, spegni la luce e respira piano.',
    'Prima di ogni altra cosa: sei tu il mio orgoglio.',
    'Quello che stai per vedere comincia molto tempo fa, con un tuo sorriso.',
  ],
  frasi: [
    'E adesso, la parte che non ti ho mai raccontato.',
    'Ogni volta che hai detto «un giorno», io l’ho scritto da qualche parte.',
    'Quel giorno ha una *data*.',
    'Non serve che tu prepari niente: solo una borsa piccola, e la tua risata.',
    'C’è un posto che ci aspetta. Ha già i nostri nomi sul campanello.',
    'Chiudi gli occhi. Conta fino a tre. Adesso guarda.',
  ],
  frasi_tra_viaggi: [
    'Pensavi che fosse finita qui.',
    'Una sorpresa sola, per te, mi sembrava poco.',
    'Respira. Ce n’è ancora.',
    'Tieni in mano quei biglietti: tra poco saranno in compagnia.',
    'Ogni viaggio ne nasconde un *altro*.',
  ],
  frasi_secondo_viaggio: [
    'Il primo era per festeggiare. Questo è soltanto per noi.',
    'Ti ricordi quel posto visto in una fotografia, una sera di pioggia?',
    'Ho aspettato la stagione giusta: quella in cui la luce dura di più.',
    'Niente programmi, niente sveglie. Solo una finestra, e noi due.',
    'Dove andiamo si vedono tutte le *stelle*.',
  ],
  frasi_finali_secondo_viaggio: [
    'Ovunque, ma con te.',
    'Adesso posa il telefono e vieni qui.',
    'Il viaggio più bello resta quello verso *casa*, se a casa ci sei tu.',
    'Grazie di ogni strada che hai voluto fare insieme a me.',
    'Questa non è la fine: è la sera prima della partenza.',
    'Ti amo. Il resto lo scopriamo strada facendo.',
  ],
};

/** Suggested pairs of questions for a trip: each is answered by yes or no, and neither answer is wrong. */
export const questionIdeas: Record<Viaggio, readonly (readonly [string, string])[]> = {
  1: [
    ['Partiamo insieme?', 'Mi tieni la mano al decollo?'],
    ['Sveglia presto per vedere l’alba?', 'Gelato prima di cena?'],
    ['Ci perdiamo apposta tra le vie?', 'Torniamo quando ne abbiamo voglia?'],
    ['Ti fidi di me?', 'Anche se non ti dico ancora tutto?'],
    ['Balliamo in mezzo alla piazza?', 'Anche se qualcuno ci guarda?'],
  ],
  2: [
    ['E se non fosse finita?', 'Ripartiamo?'],
    ['Neve fuori e coperta dentro?', 'Cioccolata a mezzanotte?'],
    ['Spegniamo i telefoni?', 'Per tutto il tempo?'],
    ['Guardiamo le stelle fino a tardi?', 'E la mattina dormiamo?'],
    ['Lo rifacciamo ogni anno?', 'E la prossima volta scegli tu?'],
  ],
};

/** Suggestions for each combination of answers; a no is never a fault. */
export const closingIdeas: Record<keyof FrasiFinali, readonly string[]> = {
  entrambi_si: [
    'Due sì. Allora è deciso: si *parte*.',
    'Lo speravo così tanto che ho già preparato la valigia.',
    'Due volte sì, come quella sera in cui ci siamo conosciuti.',
    'Con un sì cominciano tutte le storie belle. La nostra ne ha due.',
    'Sì e ancora sì: sei il mio posto *preferito* nel mondo.',
  ],
  entrambi_no: [
    'Due no: allora il programma lo scrivi tu, e io ti seguo.',
    'Va bene così. Mi basta sapere che ci sarai.',
    'Due no, e neanche un dubbio: si dorme fino a tardi.',
    'Hai ragione tu: si fa tutto con *calma*.',
    'No e no. Ma l’abbraccio, quello, non è in discussione.',
  ],
  misto: [
    'Un sì e un no: è così che ci troviamo sempre, a metà strada.',
    'Metà per me, metà per te. È da sempre il nostro segreto.',
    'Un po’ mare e un po’ nuvole: come ogni viaggio che vale la pena.',
    'Facciamo a turno: prima il tuo sì, poi il tuo no.',
    'Con te anche i *forse* sono una bella notizia.',
  ],
};
