import { expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { TICKETS_AT_ONCE } from '../../src/domain/limits.ts';
import { confidentialityNotice } from '../../src/texts/access.ts';
import { destinationTextsTexts } from '../../src/texts/admin/content-forms.ts';
import { dashboardTexts } from '../../src/texts/admin/dashboard.ts';
import { eveningPageTexts } from '../../src/texts/admin/evening.ts';
import { logsTexts } from '../../src/texts/admin/logs.ts';
import { phraseListTexts } from '../../src/texts/admin/phrases.ts';
import { readinessSentences } from '../../src/texts/admin/readiness.ts';
import { slotTexts } from '../../src/texts/admin/slots.ts';
import { joinTexts } from '../../src/texts/admin/tickets.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { experienceTexts } from '../../src/texts/experience.ts';

/** The sentences that the tests of their occasions know by a code or by a part only: here they stand whole, word for word. */

const REFUSALS: Record<ErrorCode, string> = {
  CODE_EMPTY: 'Inserisci il tuo codice',
  CODE_INVALID: 'Codice non valido o scaduto',
  CODE_EXPIRED: 'Codice scaduto',
  CODE_EXHAUSTED: 'Codice già utilizzato il numero massimo di volte',
  SITE_CLOSED: 'La sorpresa si è conclusa: questo sito non è più disponibile. Grazie della visita.',
  TOO_EARLY: 'È ancora presto: ti aspetto {when}.',
  ATTEMPT_CONFLICT: 'Si è verificato un errore',
  TOO_MANY_ATTEMPTS: 'Troppi tentativi. Riprova tra {n} secondi.',
  CONFIG_MISSING: "Configurazione non trovata - Contatta l'amministratore",
  VIDEO_MISSING: "Video non ancora configurato dall'amministratore",

  NO_VISIT: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  VISIT_ENDED: 'La tua sessione è terminata. Inserisci di nuovo il codice.',
  DISCONNECTED: "Sei stato disconnesso dall'amministratore",
  STEP_REFUSED: 'Richiesta non consentita.',
  ANSWERS_CONFLICT: "Errore nell'invio delle risposte",
  ANSWERS_REFUSED: "Errore nell'invio delle risposte",
  NO_KEEPSAKE: 'Qui adesso non c’è niente da vedere.',
  KEEPSAKE_CLOSED: 'Scrivi di nuovo il tuo codice.',

  SIGN_IN_REQUIRED: 'Sessione scaduta. Accedi di nuovo.',
  BAD_CREDENTIALS: 'Credenziali non valide',
  REGISTRATION_CLOSED: 'Registrazione chiusa: esiste già un amministratore.',
  REGISTRATION_FAILED: 'Errore durante la registrazione',
  EMAIL_TAKEN: 'Con questa e-mail accede già un’altra persona.',
  SETUP_CODE_WRONG: 'Codice di installazione errato.',
  WEAK_PASSWORD: 'Password troppo debole: usa almeno 10 caratteri.',
  LONG_PASSWORD: 'Password troppo lunga: usa al massimo 256 caratteri.',
  COMMON_PASSWORD: 'Password troppo comune: è tra le prime che si provano. Scegline una soltanto tua.',
  NAME_REQUIRED: 'Inserisci un nome per il token',
  STALE_VERSION:
    "La configurazione è stata modificata in un'altra finestra. Ricarica la pagina prima di salvare.",
  SONG_START_TOO_LATE: 'La canzone finisce prima di quel punto: scegline uno più vicino all’inizio.',
  NOT_CONFIGURED: 'Prima completa e salva le impostazioni.',
  BIN_PLACE_TAKEN: 'Al suo posto adesso c’è altro: togli prima quello (finirà nel cestino), poi rimettilo.',
  BIN_LIST_FULL: 'La lista è piena: togli una frase, poi rimetti questa.',
  PASSPHRASE_SHORT: 'Frase segreta troppo corta: usa almeno 12 caratteri.',
  PASSPHRASE_LONG: 'Frase segreta troppo lunga: usa al massimo 256 caratteri.',
  ARCHIVE_LINK_OVER: 'Il collegamento per scaricare la copia è scaduto: chiedila di nuovo.',
  INSTALL_IN_USE: 'Qui c’è già qualcosa: una copia si ripristina soltanto su un sito appena installato.',
  RESTORE_BUSY: 'È già in corso un ripristino: aspetta che finisca.',
  ARCHIVE_GONE: 'Il file non è più qui: sceglilo di nuovo.',
  ARCHIVE_TOO_LARGE:
    'Il file è troppo grande per arrivare da qui: ripristinalo con il comando «restore», sulla macchina del sito.',
  ARCHIVE_FOREIGN:
    'Questo file non è una copia di sicurezza di una sorpresa. Non è stato ripristinato niente.',
  ARCHIVE_DAMAGED: 'La copia è rovinata o non è intera. Non è stato ripristinato niente.',
  ARCHIVE_NEWER:
    'La copia è di una versione più recente: aggiorna prima questo sito. Non è stato ripristinato niente.',
  ARCHIVE_LOCKED: 'La copia è chiusa da una frase segreta: scrivila.',
  PASSPHRASE_WRONG: 'La copia non si apre con questa frase segreta. Controllala e riprova.',
  REHEARSAL_OVER:
    'La prova generale non è più aperta: il codice QR è scaduto o è stato chiuso. Creane uno nuovo dalla pagina di anteprima.',
  DIAGNOSIS_OVER:
    'Questo codice QR non apre più la prova del telefono: è scaduto o è stato chiuso. Fattene dare uno nuovo da chi te l’ha mandato.',

  UPLOAD_UNFINISHED: 'Il caricamento non è ancora completo.',
  UPLOAD_CONFLICT: "Il caricamento prosegue in un'altra finestra.",
  UPLOAD_LOCKED: 'Il caricamento è ancora occupato. Riprova tra poco.',
  FILES_BUSY: 'Sto ancora lavorando a un file: riprova quando ho finito.',
  UPLOADS_BUSY: 'Ci sono già troppi caricamenti in corso: attendi che finiscano e riprova.',
  FILE_REQUIRED: 'Seleziona un file',
  FILE_TOO_LARGE:
    'Il file è troppo grande. Sul telefono accorcialo con «Modifica», su un computer esportalo più piccolo, e riprova.',
  FILE_EMPTY:
    'Il file è vuoto: forse è ancora nel cloud. Su iPhone aprilo in «Foto» o in «File» finché si vede per intero, su Android scaricalo da Google Foto o Drive, su un computer copialo di nuovo; poi riprova.',
  FILE_TRUNCATED:
    'Il file è incompleto: manca una parte. Se è nel cloud, sul telefono aprilo finché si vede per intero; se l’hai copiato sul computer, copialo di nuovo. Poi riprova.',
  FILE_BROKEN:
    'Il file è danneggiato o incompleto e non si può aprire. Su iPhone salvalo di nuovo da «Foto» (Condividi, «Salva su File»), su Android o su un computer aprilo con l’app che l’ha fatto ed esportalo di nuovo; poi riprova.',
  FILE_PROTECTED:
    'Questo file è protetto: si può aprire soltanto con l’app in cui è stato comprato o noleggiato, e non si può mostrare altrove. Scegline uno tuo, per esempio girato con il telefono.',
  FILE_UNDECODABLE:
    'Questo file è in un formato che non so leggere. Su iPhone o Android condividilo da «Foto» o dalla galleria, su un computer esportalo come MP4 (H.264), MP3, JPEG o PDF; poi riprova.',
  FILE_TOO_LONG:
    'Dura più di 6 ore: taglialo, sul telefono con «Modifica» e su un computer con un programma di montaggio, e riprova.',
  FILE_TOO_HARD:
    'Questo file chiede troppa memoria o troppo tempo, o interrompe chi lo legge. Su iPhone o Android aprilo, modificalo di poco e salvane una copia; su un computer esportalo di nuovo, più piccolo. Poi riprova con quella.',
  FILE_NOT_VIDEO:
    'Questo file non è un video. Su iPhone e Android sceglilo da «Foto» o dalla galleria; su un computer va bene qualunque film: MP4, MOV, MKV, WebM, AVI…',
  FILE_NO_PICTURE:
    'In questo file non c’è nessuna immagine in movimento: se è una canzone, caricala nella pagina «Musica»; se no scegli il video originale, dalla galleria del telefono o dal computer.',
  FILE_VIDEO_TOO_BIG:
    'Le immagini di questo video sono più grandi di 8K. Esportalo in 4K o in 1080p, sul telefono con un’app di montaggio o su un computer, e riprova.',
  FILE_NOT_IMAGE:
    'Questo file non è una foto. Su iPhone e Android scegline una da «Foto» o dalla galleria; su un computer va bene qualunque immagine: JPEG, PNG, HEIC, WebP, TIFF…',
  FILE_SVG:
    'Le immagini SVG non sono accettate: aprila sul computer o sul telefono, fanne uno screenshot o esportala come PNG, e riprova.',
  FILE_IMAGE_TOO_BIG:
    "L'immagine ha troppi pixel: sul telefono aprila e fanne uno screenshot, su un computer riducila, e riprova.",
  FILE_NOT_TICKETS:
    'Questo file non è un biglietto che si possa aprire. Va bene il PDF ricevuto per e-mail, oppure una foto o uno screenshot del biglietto, dal telefono o dal computer.',
  FILE_PDF_LOCKED:
    'Questo PDF è protetto da password: aprilo, sul telefono o sul computer, stampalo su un nuovo PDF (Condividi, Stampa) e carica quello.',
  FILE_WALLET_PASS:
    'Questo è un biglietto per il Wallet (.pkpass): sul suo telefono non si aprirebbe. Chiedi il PDF a chi l’ha emesso, oppure apri il biglietto nel Wallet, fanne uno screenshot e carica quello.',
  FILE_NOT_JOINABLE:
    'Uno di questi file non si può unire agli altri: è firmato, protetto o con campi da compilare. Caricali separati, oppure stampali in un solo PDF e carica quello.',
  FILE_NOT_AUDIO: 'Seleziona un file audio valido',
  FILE_NO_SOUND:
    'In questo file non c’è nessun suono. Scegli una canzone (MP3, M4A, WAV, OGG…) dall’app «File» del telefono o dal computer, oppure un video che si senta.',
  CAPTIONS_EMPTY: 'Non c’è nessun sottotitolo: scrivine almeno uno, oppure scegli un file.',
  CAPTIONS_UNREADABLE:
    'Questi non sembrano sottotitoli: servono i tempi, come 00:00:05 --> 00:00:08, e sotto le parole. Vanno bene i file .srt e .vtt, come escono dal programma che li ha fatti.',
  CAPTIONS_TOO_LARGE:
    'Sono troppi per un video: al massimo 5000 sottotitoli, in un testo di 600.000 caratteri. Forse è il file di un altro video.',
  CAPTION_TIMES:
    'Riga {n}: questi tempi non si leggono, oppure la fine non viene dopo l’inizio. Scrivili come 00:00:05 --> 00:00:08.',
  CAPTION_TOO_LONG:
    'Riga {n}: qui comincia un sottotitolo troppo lungo (al massimo 300 caratteri). Dividilo in più sottotitoli, ognuno con i suoi tempi.',
  STORAGE_FULL: 'Spazio esaurito sul server: libera spazio e riprova.',
  NO_FFMPEG:
    'Sul computer del sito manca FFmpeg, il programma che lavora film e canzoni: chi se ne occupa avvii «sorpresa doctor», che dice che cosa fare.',

  BAD_INPUT: 'Dati non validi.',
  FORBIDDEN_ORIGIN: 'Richiesta non consentita.',
  NOT_FOUND: 'Elemento non trovato.',
  METHOD_NOT_ALLOWED: 'Richiesta non consentita.',
  BODY_TOO_LARGE: 'Dati troppo grandi.',
  UNSUPPORTED_TYPE: 'Formato dei dati non supportato.',
  WRONG_HOST: 'Indirizzo del sito non riconosciuto.',
  UNAVAILABLE: 'Servizio momentaneamente non disponibile. Riprova tra poco.',
  INTERNAL: 'Si è verificato un errore (codice {id}).',
};

test('refusals', () => {
  expect(errorSentences).toEqual(REFUSALS);
});

test('while her answers are on their way', () => {
  expect(experienceTexts.sendingAnswers).toBe('Invio le risposte…');
  expect(experienceTexts.answersKept).toBe(
    'Le tue risposte sono salvate e verranno inviate appena torna la rete.',
  );
});

test('words of lists', () => {
  expect(logsTexts.failed).toBe('Non riuscito');
});

/** They are made from the constants: that the words stay what was agreed, too. */
test('sentences with a limit in them', () => {
  expect(phraseListTexts.secondsHint).toBe('Da 3 a 15 secondi; consigliati 5-8.');
  expect(destinationTextsTexts.durataHint).toBe('Da 1 a 30 secondi.');
  expect(destinationTextsTexts.outOfRange).toBe('La durata deve essere tra 1 e 30 secondi');
  expect(slotTexts.canzone.hint(0)).toBe('MP3, WAV, OGG (max 50MB)');
  expect(joinTexts.tooMany(TICKETS_AT_ONCE.max)).toBe('Se ne possono unire al massimo 20 alla volta.');
  const all = JSON.stringify([
    confidentialityNotice({ data_laurea: null, closed: true }),
    dashboardTexts,
    eveningPageTexts,
    readinessSentences,
  ]);
  expect(all).toContain('Accessi negli ultimi 30 giorni');
  expect(all).toContain('e il sito si chiude 48 ore dopo. Senza una data il sito non si chiude.');
  expect(all).toContain('Il sito è chiuso: sono passate 48 ore dalla data di laurea.');
  expect(all).toContain('la schermata di accesso la nomina, e il sito si chiude 48 ore dopo.');
});
