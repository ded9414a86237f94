import type { Viaggio } from '../domain/content.ts';
import { TIME_ZONE } from '../domain/limits.ts';

const italianHour = new Intl.DateTimeFormat('it-IT', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: TIME_ZONE,
});

/** Texts around a rehearsal (the evening itself has the visitor's texts). */
export const rehearsalTexts = {
  name: 'Prova generale',
  nextPhrase: 'Frase successiva',
  skip: 'Salta',
  cannotSkip: 'Qui si va avanti rispondendo: la fine dipende dalle risposte.',
  pace: 'Velocità',
  realTimes: 'Tempi reali',
  fast: 'Veloce',
  again: 'Ricomincia',
  leave: 'Esci',
  retry: 'Riprova',

  strangerTitle: 'Qui si prova la sorpresa',
  stranger:
    'La prova generale è per chi la prepara. Accedi, oppure inquadra con il telefono il codice QR della pagina di anteprima.',
  toSignIn: 'Vai all’accesso',
  overTitle: 'Questo codice QR non vale più',
  over: 'Vale un’ora, o finché dalla pagina di anteprima non viene chiuso o sostituito. Inquadra quello nuovo; se la sorpresa la prepari tu, puoi anche accedere da qui.',
  unreadyTitle: 'Manca ancora qualcosa',
  toPreview: 'Vai all’anteprima',
  failedTitle: 'La prova non si è aperta',
  leftTitle: 'Prova conclusa',
  left: 'Puoi chiudere questa pagina. Non è stato salvato nulla.',

  endTitle: 'Prova finita',
  brokenTitle: 'La prova si è interrotta',
  brokenHint:
    'Forse la rete non c’era, o intanto la sorpresa è stata cambiata: se ricominci, la prova riparte da com’è adesso.',
  nothingKept:
    'Non è rimasto nulla: nessun codice usato, nessuna sessione, nessuna risposta, nessuna notifica.',
  fromQuestions: 'Riprova dalle domande',
  shown: 'Alla fine ha visto',
  nothingShown: 'Nessuna frase finale: la serata si è chiusa con l’avviso di conferma.',
  answerLine: (viaggio: Viaggio, first: string, second: string) =>
    `Risposte ${viaggio === 1 ? 'del primo' : 'del secondo'} viaggio: ${first} e ${second}`,

  cardTitle: 'Prova generale',
  cardText:
    'Vivi la sorpresa com’è adesso, dall’inizio alla fine, con i tempi veri o saltando. Non usa codici e non salva nulla: né sessioni, né risposte, né notifiche.',
  here: 'Prova su questo schermo',
  onPhone: 'Prova sul telefono',
  passFailed: 'Errore durante la creazione',
  makingPass: 'Preparo il codice…',
  scan: 'Inquadra il codice con la fotocamera del telefono: la prova si apre da sola.',
  qrLabel: 'Codice QR che apre la prova generale sul telefono',
  copyLink: 'Copia link',
  copied: 'Link copiato!',
  linkLabel: 'Link della prova',
  validUntil: (moment: string) => `Valido fino alle ${italianHour.format(new Date(moment))}`,
  expired: 'Questo codice è scaduto.',
  newPass: 'Nuovo codice',
  passRule:
    'Finché vale, chi ha questo codice può vedere tutta la sorpresa. Se crei un nuovo codice o chiudi la prova, questo non vale più.',
  phoneOpen: (moment: string) =>
    `La prova sul telefono è aperta fino alle ${italianHour.format(new Date(moment))}.`,
  closePhone: 'Chiudi la prova sul telefono',
  phoneClosed: 'La prova sul telefono è chiusa: il codice non vale più.',
  closeFailed: 'Errore durante la chiusura',
  onlyHere:
    'Stai usando un indirizzo che vale solo su questo computer: il telefono non può aprirlo. Apri questa pagina dall’indirizzo pubblico del sito e crea lì il codice.',
} as const;
