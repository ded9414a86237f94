/** Poster: the picture that the visitor sees before the video starts. */
export const posterTexts = {
  takeFrame: 'Usa questo fotogramma come copertina',
  saved: 'Copertina salvata',
  failed: 'Non sono riuscito a salvare la copertina: riprova.',
  missing:
    'Senza copertina: prima del video si vedrà uno sfondo scuro. Ferma il video dove vuoi e usa quel fotogramma.',
} as const;

export const videoPageTexts = {
  description: 'Il video della sorpresa, e la sua velocità',
  speed: 'Velocità di riproduzione',
  speedHint: 'Chi guarda non può cambiarla.',
  speedOf: (rate: number) => `${rate.toLocaleString('it-IT')}×`,
  speedNormal: '1× (normale)',
  speedSaved: 'Velocità video salvata!',
  speedFailed: 'Errore durante il salvataggio',
  preview: 'Così comincia il video',
} as const;
