import type { CaptionMode } from '../../domain/captions.ts';

const SHORT: Record<CaptionMode, string> = {
  device: 'per chi li ha attivi',
  always: 'sempre',
  never: 'spenti',
};

/** Captions of a film: uploading, typing, preview over the film. */
export const captionsTexts = {
  add: 'Aggiungi i sottotitoli',
  addTo: (nome: string) => `Aggiungi i sottotitoli a ${nome}`,
  open: (mode: CaptionMode) => `Sottotitoli: ${SHORT[mode]}`,
  openOf: (mode: CaptionMode, nome: string) => `Sottotitoli: ${SHORT[mode]} (${nome})`,
  title: 'I sottotitoli del video',
  player: (nome: string) => `${nome} con i sottotitoli`,
  shown: 'A chi si vedono',
  modes: {
    device: 'A chi li ha attivi nel telefono',
    always: 'Sempre, a chiunque',
    never: 'A nessuno, per ora',
  } satisfies Record<CaptionMode, string>,
  modesHint: 'Nel telefono si attivano tra le impostazioni di accessibilità.',
  text: 'Testo dei sottotitoli',
  hint: 'Scegli un file .srt o .vtt, oppure scrivi: una riga con l’inizio e la fine, sotto le parole, e una riga vuota tra uno e l’altro. Conta soltanto il testo: colori e posizioni del file non servono.',
  placeholder:
    '00:00:01 --> 00:00:04\nTi ricordi quella sera?\n\n00:00:05 --> 00:00:08\nPioveva, e tu ridevi.',
  file: 'Scegli un file',
  fileLabel: 'File dei sottotitoli',
  fileFailed: 'Questo file non si può leggere: scaricalo di nuovo e riprova.',
  now: 'Inserisci il tempo attuale',
  download: 'Scarica',
  downloadName: 'sottotitoli.vtt',
  remove: 'Elimina',
  removeOf: (nome: string) => `Elimina i sottotitoli di ${nome}`,
  removeQuestion: 'Sei sicuro di voler eliminare i sottotitoli?',
  removed: 'Sottotitoli eliminati',
  removeFailed: 'Non sono riuscito a eliminare i sottotitoli: riprova.',
  save: 'Salva',
  saved: 'Sottotitoli salvati',
  failed: 'Non sono riuscito a salvare i sottotitoli: riprova.',
  loadFailed: 'Non sono riuscito a leggere i sottotitoli.',
  close: 'Chiudi',
  closeQuestion: 'Chiudere senza salvare?',
  closeDetail: 'Quello che hai cambiato nei sottotitoli va perso.',
  closeConfirm: 'Chiudi senza salvare',
} as const;
