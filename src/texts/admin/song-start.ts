/** Start second of the song. */
export const songStartTexts = {
  title: 'Da dove parte',
  startsAt: (seconds: number) => `Parte da ${minutesAndSeconds(seconds)}`,
  startsAtBeginning: 'Parte dall’inizio',
  place: 'Punto della canzone',
  placeAt: (seconds: number, duration: number) =>
    `${minutesAndSeconds(seconds)} di ${minutesAndSeconds(duration)}`,
  here: (seconds: number) => `Parti da qui (${minutesAndSeconds(seconds)})`,
  earlier: '−1 s',
  earlierLabel: '−1 s: un secondo prima',
  later: '+1 s',
  laterLabel: '+1 s: un secondo dopo',
  beginning: 'Dall’inizio',
  saved: 'Inizio della canzone salvato!',
  failed: 'Errore durante il salvataggio',
} as const;

/** Formats seconds as m:ss, like players. */
export function minutesAndSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
