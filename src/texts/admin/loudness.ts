import { humanShare } from './amounts.ts';

/** A film or a song that is far too quiet or too loud (decision 48). */
export const levelTexts = {
  level: 'Livella il volume',
  levelOf: (nome: string) => `Livella il volume: ${nome}`,
  share: (share: number) => `Fatto: ${humanShare(share)}`,
  workingOf: (nome: string) => `Livello il volume di ${nome}`,
  cancel: 'Annulla',
  cancelOf: (nome: string) => `Annulla il livellamento: ${nome}`,
  levelled: 'Il volume è livellato.',
  original: 'Torna al volume originale',
  originalOf: (nome: string) => `Torna al volume originale: ${nome}`,
  restored: 'Volume originale ripristinato',
  failed: 'Non sono riuscito a livellare il volume: è rimasto com’era.',
  stopFailed: 'Non sono riuscito a interrompere: riprova.',
  restoreFailed: 'Non sono riuscito a tornare al volume originale: riprova.',
} as const;
