/** Point of a destination's picture that stays visible on every screen. */
export const focusTexts = {
  open: 'Scegli il punto da tenere in vista',
  openOf: (nome: string) => `Scegli il punto da tenere in vista di ${nome}`,
  title: 'Il punto da tenere in vista',
  hint: 'Tocca l’immagine nel punto che conta: resterà in vista su ogni schermo. Da tastiera si sposta con le frecce.',
  point: 'Punto da tenere in vista',
  /** Position for screen readers, in percent. */
  place: (across: number, down: number) => `${across}% da sinistra, ${down}% dall’alto`,
  middle: 'Al centro',
  previews: 'Come si vedrà',
  screens: { upright: 'Telefono', lying: 'Telefono in orizzontale', computer: 'Computer' },
  save: 'Salva',
  cancel: 'Annulla',
  saved: 'Punto salvato',
  failed: 'Non sono riuscito a salvare il punto: riprova.',
} as const;
