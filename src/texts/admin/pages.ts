import type { PAGES } from '../../contract/pages.ts';

/** Addresses of sections of another page: that page, and the section's title (decision 028). */
export const adminPlaces = {
  '/admin/testi-destinazione': { page: '/admin/immagine', title: 'Testi della destinazione' },
  '/admin/biglietti': { page: '/admin/immagine', title: 'Biglietti' },
  '/admin/ticket-instruction': { page: '/admin/immagine', title: 'Istruzioni dei biglietti' },
} as const;

/** All administrator addresses except the dashboard's (spec 2). */
export type AdminAddress = Exclude<Extract<(typeof PAGES)[number], `/admin/${string}`>, '/admin/dashboard'>;

/** Administrator pages with a card on the dashboard (spec 2). */
export type AdminPath = Exclude<AdminAddress, keyof typeof adminPlaces>;

/** Title of each page, and its purpose in one line, in the order of the menu. */
export const adminPageTexts: Record<AdminPath, { title: string; description: string }> = {
  '/admin/serata': {
    title: 'La serata',
    description: 'Per chi è, quando si apre e come si veste',
  },
  '/admin/video': { title: 'Video', description: 'Il filmato al centro della sorpresa, e la sua velocità' },
  '/admin/video-button': { title: 'Pulsante del video', description: 'Le parole che fanno partire il video' },
  '/admin/frasi': { title: 'Frasi', description: 'Prima e dopo il video, una alla volta' },
  '/admin/frasi-finali': {
    title: 'Frasi finali',
    description: 'La chiusura del primo viaggio, secondo le risposte',
  },
  '/admin/intermediate-phrases': {
    title: 'Frasi tra i viaggi',
    description: 'Tra le risposte e il secondo viaggio',
  },
  '/admin/second-trip-phrases': {
    title: 'Frasi del secondo viaggio',
    description: 'Come comincia il secondo viaggio',
  },
  '/admin/second-trip-final-phrases': {
    title: 'Frasi finali del secondo viaggio',
    description: 'Le ultime parole, una alla volta',
  },
  '/admin/musica': { title: 'Musica', description: 'La canzone che accompagna le frasi' },
  '/admin/immagine': {
    title: 'Destinazione e biglietti',
    description: 'L’immagine, i testi, i biglietti, le loro istruzioni e le date',
  },
  '/admin/second-trip-details': {
    title: 'Dettagli secondo viaggio',
    description: 'Immagine, biglietti, titoli e date',
  },
  '/admin/checkbox': {
    title: 'Domande e risposte',
    description: 'Le due domande, e cosa è stato risposto',
  },
  '/admin/second-trip-checkbox': {
    title: 'Domande del secondo viaggio',
    description: 'Le due domande che lo chiudono',
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
  '/admin/pronta': {
    title: 'Pronta?',
    description: 'Andrà tutto bene? E se no, perché',
  },
  '/admin/telefoni': {
    title: 'Telefoni',
    description: 'Il suo telefono, provato qualche giorno prima',
  },
  '/admin/piano-b': {
    title: 'Piano B',
    description: 'La serata senza server e senza rete, in un solo file',
  },
  '/admin/rete': {
    title: 'Portala in rete',
    description: 'Da dove si apre, e come farla aprire ovunque',
  },
  '/admin/notifiche': { title: 'Notifiche', description: 'I messaggi su Telegram e per e-mail' },
  '/admin/accesso': {
    title: 'Il tuo accesso',
    description: 'Password, e-mail e dispositivi collegati',
  },
  '/admin/copia': {
    title: 'Copia di sicurezza',
    description: 'Tutto in un solo file, da tenere altrove o da portare su un altro server',
  },
  '/admin/cestino': { title: 'Cestino', description: 'Quello che hai eliminato, per 30 giorni' },
  '/admin/cancella': {
    title: 'Cancella la serata',
    description: 'Dopo la serata: togli tutto quello che ne resta',
  },
};

const isPlace = (address: string): address is keyof typeof adminPlaces => Object.hasOwn(adminPlaces, address);

/** Returns the page that an address opens: its own, or the one with that section. */
export function pageAt(address: string): string {
  return isPlace(address) ? adminPlaces[address].page : address;
}

/** Returns the title of an address; undefined if no card leads there. */
export function titleAt(address: string): string | undefined {
  if (isPlace(address)) return adminPlaces[address].title;
  return Object.entries(adminPageTexts).find(([path]) => path === address)?.[1].title;
}

export type MenuEntry = { title: string; links: Readonly<Record<`/admin/${string}`, string>> };

/**
 * The menu: the entries in order, each with the addresses that open in it and their short names. An entry leads to its first
 * address; several are linked at the head of their pages.
 */
export const adminMenu: readonly MenuEntry[] = [
  { title: 'Home', links: { '/admin/dashboard': 'Pannello' } },
  { title: 'Per chi e quando', links: { '/admin/serata': 'La serata' } },
  { title: 'Video', links: { '/admin/video': 'Video', '/admin/video-button': 'Pulsante' } },
  {
    title: 'Frasi',
    links: {
      '/admin/frasi': 'Prima e dopo il video',
      '/admin/frasi-finali': 'Finali',
      '/admin/intermediate-phrases': 'Tra i viaggi',
      '/admin/second-trip-phrases': 'Secondo viaggio',
      '/admin/second-trip-final-phrases': 'Finali del secondo',
    },
  },
  { title: 'Musica', links: { '/admin/musica': 'Musica' } },
  {
    title: 'Primo viaggio',
    links: {
      '/admin/immagine': 'Immagine',
      '/admin/testi-destinazione': 'Testi',
      '/admin/biglietti': 'Biglietti',
      '/admin/ticket-instruction': 'Istruzioni',
      '/admin/biglietti#date': 'Date',
    },
  },
  { title: 'Secondo viaggio', links: { '/admin/second-trip-details': 'Secondo viaggio' } },
  {
    title: 'Domande e risposte',
    links: {
      '/admin/checkbox': 'Primo viaggio',
      '/admin/second-trip-checkbox': 'Secondo viaggio',
      '/admin/checkbox#risposte': 'Risposte',
    },
  },
  { title: 'Codici', links: { '/admin/token': 'Codici' } },
  {
    title: 'Quella sera',
    links: {
      '/admin/sessions': 'Sessioni',
      '/admin/sessions#risposte': 'Risposte',
      '/admin/logs': 'Registro',
    },
  },
  {
    title: 'Prova e controlla',
    links: {
      '/admin/preview': 'Anteprima',
      '/admin/preview#prova': 'Prova generale',
      '/admin/pronta': 'Pronta?',
      '/admin/telefoni': 'Telefoni',
      '/admin/piano-b': 'Piano B',
    },
  },
  {
    title: 'Impostazioni',
    links: {
      '/admin/rete': 'In rete',
      '/admin/notifiche': 'Notifiche',
      '/admin/accesso': 'Accesso',
      '/admin/copia': 'Copia',
      '/admin/cestino': 'Cestino',
      '/admin/cancella': 'Cancella',
    },
  },
];

/** Returns the menu entry of an address without its `#`; undefined if it is no page of the administration. */
export function menuEntryAt(pathname: string): MenuEntry | undefined {
  return adminMenu.find(({ links }) => Object.hasOwn(links, pathname));
}
