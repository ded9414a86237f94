import type { PAGES } from '../../contract/pages.ts';

/** The administrator's pages behind a card (spec 2). */
export type AdminPath = Exclude<
  Extract<(typeof PAGES)[number], `/admin/${string}`>,
  '/admin/dashboard' | '/admin/biglietti'
>;

/** What each page is called, and what it is for in one line. */
export const adminPageTexts: Record<AdminPath, { title: string; description: string }> = {
  '/admin/video': { title: 'Video', description: 'Il filmato al centro della sorpresa, e la sua velocità' },
  '/admin/video-button': { title: 'Pulsante del video', description: 'Le parole che fanno partire il video' },
  '/admin/frasi': { title: 'Frasi', description: 'Prima e dopo il video, una alla volta' },
  '/admin/frasi-finali': {
    title: 'Frasi finali',
    description: 'La chiusura del primo viaggio, secondo le risposte',
  },
  '/admin/musica': { title: 'Musica', description: 'La canzone che accompagna le frasi' },
  '/admin/immagine': {
    title: 'Immagine, biglietti e date',
    description: 'La destinazione, i biglietti e i giorni del viaggio',
  },
  '/admin/testi-destinazione': {
    title: 'Testi della destinazione',
    description: 'I titoli, e quanto resta l’immagine',
  },
  '/admin/ticket-instruction': {
    title: 'Istruzioni dei biglietti',
    description: 'Le parole sotto il pulsante dei biglietti',
  },
  '/admin/checkbox': {
    title: 'Domande e risposte',
    description: 'Le due domande del primo viaggio, e cosa è stato risposto',
  },
  '/admin/intermediate-phrases': {
    title: 'Frasi tra i viaggi',
    description: 'Tra le risposte e il secondo viaggio',
  },
  '/admin/second-trip-phrases': {
    title: 'Frasi del secondo viaggio',
    description: 'Come comincia il secondo viaggio',
  },
  '/admin/second-trip-details': {
    title: 'Dettagli del secondo viaggio',
    description: 'Immagine, biglietti, titoli e date',
  },
  '/admin/second-trip-checkbox': {
    title: 'Domande del secondo viaggio',
    description: 'Le due domande che lo chiudono',
  },
  '/admin/second-trip-final-phrases': {
    title: 'Frasi finali del secondo viaggio',
    description: 'Le ultime parole, una alla volta',
  },
  '/admin/token': {
    title: 'Codici di accesso',
    description: 'Chi può entrare, quante volte e fino a quando',
  },
  '/admin/sessions': { title: 'Sessioni', description: 'Chi è dentro adesso, e a che punto è' },
  '/admin/logs': { title: 'Registro eventi', description: 'Tutto quello che è successo, e il CSV' },
  '/admin/preview': {
    title: 'Anteprima Configurazione',
    description: 'La sorpresa tutta insieme, e la prova generale',
  },
  '/admin/serata': {
    title: 'La serata',
    description: 'La data di laurea, il contatto da mostrare e l’indirizzo del sito',
  },
  '/admin/rete': {
    title: 'Portala in rete',
    description: 'Da dove si apre la sorpresa, e come farla aprire ovunque',
  },
  '/admin/notifiche': { title: 'Notifiche', description: 'I messaggi su Telegram e per e-mail' },
  '/admin/telefoni': {
    title: 'Telefoni',
    description: 'Il suo telefono, provato qualche giorno prima',
  },
  '/admin/accesso': {
    title: 'Il tuo accesso',
    description: 'Password, e-mail e dispositivi collegati',
  },
};

/** The groups the pages stand in, in their order. */
export const adminGroups = {
  racconto: 'Racconto',
  primo: 'Primo viaggio',
  secondo: 'Secondo viaggio',
  accessi: 'Accessi',
  controllo: 'Controllo',
} as const;
