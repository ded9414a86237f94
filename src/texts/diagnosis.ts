import type { DiagnosisResult, DiagnosisStep, FaultId, Verdict } from '../domain/diagnosis.ts';

/** Texts of the phone test (`/diagnostica`). They reveal nothing about the evening. */
export const diagnosisTexts = {
  name: 'Prova del telefono',
  opening: 'Un attimo…',
  strangerTitle: 'Qui si prova un telefono',
  stranger: 'Per cominciare serve il codice QR di chi ti ha chiesto la prova: inquadralo con la fotocamera.',
  overTitle: 'Questo codice QR non vale più',
  over: 'È scaduto, oppure è stato chiuso o sostituito. Fattene dare uno nuovo da chi ti ha chiesto la prova.',
  failedTitle: 'La prova non si è aperta',
  retry: 'Riprova',

  introTitle: 'Proviamo questo telefono',
  intro:
    'Tre minuti, una cosa alla volta: un breve film, un po’ di musica e qualche domanda. Alza il volume e togli il silenzioso.',
  introReload: 'La pagina si ricarica da sola una volta: fa parte della prova.',
  /** Precedes the way out of the app's browser. */
  introInApp:
    'Sei nel browser di un’app, e la prova vale solo per questo: per provare quello del telefono, esci da qui.',
  begin: 'Comincia',
  again: 'Ricomincia',
  position: (step: number, of: number) => `${step} di ${of}`,
  next: 'Avanti',
  skip: 'Salta',
  yes: 'Sì',
  no: 'No',
  unsure: 'Non so',
  startFilm: 'Fai partire il film',
  stopFilm: 'Interrompi la prova del film',
  startSong: 'Fai partire la musica',
  lowerSong: 'Abbassa la musica',
  lowering: 'Ora si abbassa piano piano…',
  stillNo: 'Ancora no',
  replay: 'Rivedi il film',
  unmute:
    'Togli il silenzioso (su iPhone il tasto sul fianco), alza il volume con i tasti e controlla che non siano collegate delle cuffie.',
  notTurning: 'Non gira',
  goAway: 'Ora passa a un’altra app, aspetta qualche secondo e torna qui.',
  goLock: 'Ora blocca lo schermo, aspetta qualche secondo e sbloccalo.',
  stuck: 'Il film non riparte',
  ticket: 'Apri il biglietto di prova',
  sent: 'L’esito è arrivato a chi ti ha chiesto la prova: non devi fare altro.',
  unsent: 'Non sono riuscito a mandare l’esito: copialo e mandalo tu a chi ti ha chiesto la prova.',
  copy: 'Copia l’esito',
  copied: 'Copiato!',
  notCopied: 'Tieni premuto sul testo per copiarlo',
  todo: 'Che cosa fare',
  untested: 'Non provato',
} as const;

/** Title of each step, which is announced first, and its instruction. */
export const stepTexts: Record<DiagnosisStep, { title: string; text: string }> = {
  phone: { title: 'Guardo il telefono', text: 'Un momento soltanto.' },
  line: { title: 'Misuro la connessione', text: 'Qualche secondo: non chiudere la pagina.' },
  film: {
    title: 'Ora un breve film',
    text: 'Dura otto secondi, a tutto schermo e con il suono. Guarda se si vede tutta la cornice dorata.',
  },
  song: { title: 'Senti la musica?', text: 'È partita alla fine del film.' },
  fade: {
    title: 'La musica si abbassa?',
    text: 'Tocca il pulsante e ascolta: dovrebbe spegnersi piano piano, in due secondi.',
  },
  sound: { title: 'Durante il film si sentiva il suono?', text: 'Un suono basso e continuo.' },
  picture: {
    title: 'Il film riempiva lo schermo?',
    text: 'Con la cornice dorata tutta in vista, senza parti tagliate o coperte.',
  },
  buttons: {
    title: 'Sul film c’erano dei pulsanti?',
    text: 'Per esempio la pausa, una barra da trascinare, AirPlay.',
  },
  turn: {
    title: 'Gira il telefono di lato',
    text: 'La pagina dovrebbe girare con lui; poi rimettilo dritto.',
  },
  back: {
    title: 'Prova a tornare indietro',
    text: 'Fai il gesto «indietro», o premi il pulsante Indietro, una volta. La pagina dovrebbe restare qui.',
  },
  away: {
    title: 'Passa a un’altra app',
    text: 'Faccio partire un film. Mentre va, apri un’altra app, aspetta qualche secondo e torna qui.',
  },
  lock: {
    title: 'Blocca lo schermo',
    text: 'Faccio partire un film. Mentre va, blocca lo schermo, aspetta qualche secondo e sbloccalo.',
  },
  ticket: {
    title: 'Apri un documento',
    text: 'Tocca il pulsante, guarda il documento e torna su questa pagina. L’hai visto?',
  },
};

/** Names of the steps, for the list of untested ones. */
export const stepNames: Record<DiagnosisStep, string> = {
  phone: 'il browser',
  line: 'la connessione',
  film: 'il film',
  song: 'la musica dopo il film',
  fade: 'la musica che si abbassa',
  sound: 'il suono del film',
  picture: 'lo schermo intero',
  buttons: 'i pulsanti sul film',
  turn: 'la rotazione',
  back: 'il tasto Indietro',
  away: 'il passaggio a un’altra app',
  lock: 'il blocco dello schermo',
  ticket: 'il documento',
};

/** Faults, and what to do about each. */
export const faultTexts: Record<FaultId, string> = {
  cookies_lost:
    'I cookie non vengono conservati: apri il link in una finestra normale, non privata, di Safari o Chrome.',
  line_none: 'La connessione non c’è: collegati al Wi-Fi o ai dati mobili e riprova.',
  line_slow: 'La connessione è troppo lenta per un film: usa una rete Wi-Fi, o un posto con più segnale.',
  film_refused: 'Il film non parte: apri il link in Safari (su iPhone) o in Chrome, e aggiorna il telefono.',
  film_failed: 'Il film non si vede: apri il link in Safari (su iPhone) o in Chrome, e aggiorna il telefono.',
  own_player: 'Il film si apre in un lettore a parte: apri il link in Safari (su iPhone) o in Chrome.',
  sound_undecoded:
    'Questo browser non legge il suono del film: apri il link in Safari (su iPhone) o in Chrome.',
  silent: 'Il suono non si sente: togli il silenzioso, alza il volume e scollega le cuffie.',
  song_stuck: 'La musica non parte: apri il link in Safari (su iPhone) o in Chrome.',
  song_silent: 'La musica non si sente: togli il silenzioso, alza il volume e scollega le cuffie.',
  away_stuck:
    'Il film non riparte dopo il passaggio a un’altra app: metti il telefono in «Non disturbare» e non cambiare app.',
  lock_stuck:
    'Il film non riparte dopo il blocco: allunga il blocco automatico nelle impostazioni dello schermo.',
  in_app: 'Il link è aperto dentro un’app: aprilo in Safari o Chrome, non dentro WhatsApp o Instagram.',
  storage_lost: 'Il browser non conserva niente: apri il link in una finestra normale, non privata.',
  low_power: 'Il risparmio energetico è attivo: disattivalo prima di cominciare.',
  saves_data: 'Il risparmio dati è attivo: disattivalo prima di cominciare.',
  line_light: 'La connessione basta per il film leggero, non per quello pieno: con il Wi-Fi si vede meglio.',
  line_late: 'La connessione risponde lentamente: avvicinati al router o cerca più segnale.',
  film_stopped: 'Il film si è fermato a metà: usa una rete più veloce.',
  film_late: 'Il film ci mette più di tre secondi a partire: usa una rete più veloce e chiudi le altre app.',
  not_filled:
    'Il film non riempie lo schermo: togli lo zoom della pagina, o apri il link in Safari o Chrome.',
  buttons_seen: 'Sul film si vedono dei pulsanti: non toccarli, oppure apri il link in Safari o Chrome.',
  sleeps: 'Lo schermo può spegnersi da solo: prima di cominciare allunga il blocco automatico.',
  song_tap: 'La musica è partita solo dopo un tocco: se non parte da sola, tocca lo schermo.',
  not_faded: 'La musica non si abbassa piano piano: si ferma di colpo, ma il resto funziona.',
  turn_locked: 'Lo schermo non gira: sblocca la rotazione, se vuoi vedere un film largo a tutto schermo.',
  back_leaves: 'Il gesto «indietro» fa uscire dalla pagina: non usarlo. Se capita, riapri il link.',
  ticket_lost: 'Il documento non si apre o non si torna indietro: apri il link in Safari o Chrome.',
  letters_huge: 'I caratteri sono molto grandi: va tutto bene, ma a volte bisogna scorrere.',
};

const verdictWords: Record<Verdict, string> = {
  good: 'è pronto',
  beware: 'è quasi pronto',
  bad: 'non è ancora pronto',
  unknown: 'non è stato provato fino in fondo',
};

/** Returns the verdict as a sentence. @param whose for example «Il telefono di Giulia»; by default no owner is named */
export function verdictText(verdict: Verdict, whose = 'Il telefono'): string {
  return `${whose} ${verdictWords[verdict]}`;
}

/** Lists the steps without a result, in one line; empty if there are none. */
export function untestedText({ untried }: Pick<DiagnosisResult, 'untried'>): string {
  return untried.length === 0
    ? ''
    : `${diagnosisTexts.untested}: ${untried.map((step) => stepNames[step]).join(', ')}.`;
}

/** Returns the result as a text to send. @param device name of the device and its browser */
export function resultText(
  device: string,
  result: DiagnosisResult,
  measured: { mbit?: number | undefined; first_frame_ms?: number | undefined },
  whose?: string,
): string {
  const { mbit, first_frame_ms } = measured;
  return [
    `${verdictText(result.verdict, whose)} (${device})`,
    ...result.faults.map((id) => `– ${faultTexts[id]}`),
    ...(mbit === undefined ? [] : [`Connessione: ${numberText(mbit)} Mbit/s`]),
    ...(first_frame_ms === undefined ? [] : [`Dal tocco al film: ${numberText(first_frame_ms / 1_000)} s`]),
    ...[untestedText(result)].filter((line) => line !== ''),
  ].join('\n');
}

function numberText(value: number): string {
  return value.toLocaleString('it-IT', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
