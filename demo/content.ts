import type { Configuration, Questions } from '../src/domain/configuration.ts';

/**
 * Texts of the demo, under the names of the configuration's fields. Fourteen phrases of five seconds or their reading
 * time, a film of twelve, two pictures of five: a visit takes between two and three minutes.
 */
export const demoContent = {
  frasi_pre_video: [
    'Ciao, Giulia. Mettiti comoda: per qualche minuto non devi fare niente.',
    'Ti ho vista studiare fino a tardi, con il tè che si raffreddava accanto ai libri.',
    'Adesso la laurea è tua. E io ho una cosa da farti vedere.',
  ],
  frasi: [
    'Dopo la tesi dormiamo. Dopo la tesi usciamo. Dopo la tesi partiamo.',
    'Lo abbiamo detto così tante volte che sembrava un posto lontano.',
    'Ecco: è *dopo*.',
    'C’è una città che scende verso il fiume, e un tram giallo che ci aspetta in cima alla salita.',
  ],
  frasi_tra_viaggi: [
    'Pensavi che fosse finita qui.',
    'Ma a dicembre fa buio presto, e io so dove il buio è pieno di stelle.',
  ],
  frasi_secondo_viaggio: [
    'Una sera hai detto che la neve vera non la vedi da quando eri bambina.',
    'Non ho risposto niente. Ho cercato una casa di legno, con il camino e una finestra grande.',
    'Lassù, al tramonto, le montagne diventano *rosa*. Dura dieci minuti: li guardiamo tutti.',
  ],
  frasi_finali: {
    entrambi_si: 'Due sì. Allora punto la sveglia per l’alba, e poi nascondo l’orologio. Ti *amo*.',
    entrambi_no: 'Due no, e mi piacciono così: si dorme fino a tardi, e il programma lo fai tu. Ti amo.',
    misto: 'Un sì e un no: la strada, come sempre, la troviamo insieme. Ti amo.',
  },
  frasi_finali_secondo_viaggio: [
    'Qualunque cosa tu abbia risposto, andava bene. Volevo solo sentirti accanto fino in fondo.',
    'Adesso posa il telefono e vieni qui. Ti amo.',
  ],
  durata_frase_secondi: 5,
  video_button_text: 'Quando sei pronta, tocca qui',
  video_playback_rate: 1,
  durata_immagine_destinazione_secondi: 5,

  titolo_destinazione: 'Lisbona',
  titolo_viaggio: 'Cinque notti, noi due',
  data_partenza: '15 maggio 2027',
  data_ritorno: '20 maggio 2027',
  testo_istruzioni_biglietti: 'P.S. Guardali con calma, poi torna qui: ho due domande per te.',
  domanda_1: 'La prima mattina ci svegliamo presto, per vedere l’alba sui tetti?',
  domanda_2: 'Lasciamo un giorno intero senza nessun programma?',

  titolo_destinazione_2: 'Dolomiti',
  titolo_viaggio_2: 'Quattro notti sulla neve',
  data_partenza_2: '4 dicembre 2027',
  data_ritorno_2: '8 dicembre 2027',
  testo_istruzioni_biglietti_2:
    'P.S. Questo mettilo tra le pagine di un libro. Poi torna qui: sono le ultime due.',
  domanda_1_viaggio_2: 'Il camino, la prima sera, lo accendi tu?',
  domanda_2_viaggio_2: 'Una notte usciamo a contare le stelle, anche se fa freddo?',
} satisfies Partial<Configuration & Questions>;
