import { HOURS_AFTER_GRADUATION } from '../../domain/limits.ts';
import { dated } from '../dates.ts';

/** «La serata»: who is named to a disconnected visitor, the graduation date, the site's address. */
export const eveningPageTexts = {
  saved: 'Impostazioni salvate!',
  loadFailed: 'Errore nel caricamento della configurazione',
  saveFailed: 'Errore durante il salvataggio',
  contact: {
    title: 'Contatto',
    hint: 'A chi si può rivolgere chi viene disconnesso.',
    label: 'Nome da contattare',
    placeholder: 'Per esempio @marco',
    preview: 'Chi viene disconnesso legge',
  },
  graduation: {
    title: 'Data di laurea',
    hint: `Il piè di pagina della schermata di accesso la nomina, e il sito si chiude ${HOURS_AFTER_GRADUATION} ore dopo. Senza una data il sito non si chiude.`,
    label: 'Giorno della laurea',
    invalid: 'Scegli un giorno tra il 2000 e il 2100.',
    closes: (moment: string) => `Il sito si chiude ${dated('il', moment)}.`,
    never: 'Il sito resta aperto.',
    closed: (moment: string) =>
      `Il sito si è chiuso ${dated('il', moment)}: adesso i codici vengono rifiutati. Questa parte continua a funzionare.`,
    willBeClosed: (moment: string) =>
      `Con questa data il sito è già chiuso (${dated('dal', moment)}): dopo il salvataggio i codici vengono rifiutati.`,
    preview: 'Il piè di pagina',
  },
  address: {
    title: 'Indirizzo del sito',
    hint: 'È quello che si legge nel messaggio e sul cartoncino che consegni insieme al codice.',
    /** Where the installation knows it. */
    set: 'Lo ha impostato chi ha installato il sito (PUBLIC_URL): da qui non si cambia.',
    /** Where it doesn't: the address this page was opened at. */
    found:
      'È l’indirizzo da cui stai guardando questa pagina. Quello pubblico lo imposta chi ha installato il sito (PUBLIC_URL): da qui non si cambia.',
    onlyHere: 'Da un telefono lontano da qui questo indirizzo non si apre.',
    copy: 'Copia l’indirizzo',
    copied: 'Indirizzo copiato!',
  },
} as const;
