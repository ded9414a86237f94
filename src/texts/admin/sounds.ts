/** A sound that a film came with, as it is told: its language as the file calls it (`ita`). */
type Sound = { language: string | null; title: string | null; channels: number };

const languages = new Intl.DisplayNames('it-IT', { type: 'language', fallback: 'none' });

/** A language in words; null where the file tells none that there is. */
function languageOf(code: string | null): string | null {
  try {
    return code === null ? null : (languages.of(code) ?? null);
  } catch {
    return null;
  }
}

const CHANNELS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/** The sound of a film that came with several (decision 50). */
export const soundTexts = {
  label: 'Traccia audio',
  labelOf: (nome: string) => `Traccia audio: ${nome}`,
  /** @param place among the sounds, from zero */
  option: ({ language, title, channels }: Sound, place: number) =>
    [
      `Traccia ${place + 1}`,
      languageOf(language),
      title?.trim() || null,
      CHANNELS[channels] ?? `${channels} canali`,
    ]
      .filter((part) => part !== null)
      .join(' · '),
  levelGoes: 'Se la cambi, il volume torna quello originale.',
  workingOf: (nome: string) => `Cambio la traccia audio di ${nome}`,
  cancel: 'Annulla',
  cancelOf: (nome: string) => `Annulla il cambio di traccia: ${nome}`,
  changed: 'Traccia audio cambiata',
  failed: 'Non sono riuscito a cambiare la traccia audio: è rimasta com’era.',
  stopFailed: 'Non sono riuscito a interrompere: riprova.',
} as const;
