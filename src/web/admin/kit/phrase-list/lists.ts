import { PHRASE_SECONDS } from '../../../../domain/limits.ts';
import { mergeLists } from './merge-lists.ts';

/** What the phrases page saves, all of it at every change (spec 7 «Phrases»). */
export type PhraseLists = { frasi_pre_video: string[]; frasi: string[]; durata_frase_secondi: number };
export type ListName = 'frasi_pre_video' | 'frasi';

/** Brings together what two windows made of the same lists. */
export function mergePhraseLists(base: PhraseLists, mine: PhraseLists, theirs: PhraseLists): PhraseLists {
  const seconds = mine.durata_frase_secondi === base.durata_frase_secondi ? theirs : mine;
  return {
    frasi_pre_video: mergeLists(base.frasi_pre_video, mine.frasi_pre_video, theirs.frasi_pre_video),
    frasi: mergeLists(base.frasi, mine.frasi, theirs.frasi),
    durata_frase_secondi: seconds.durata_frase_secondi,
  };
}

/** A list with one item elsewhere. */
export function moved(list: readonly string[], from: number, to: number): string[] {
  const item = list[from];
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** The seconds somebody wrote: 6 when they can't be read, else inside the limits (spec 5). */
export function secondsOf(written: string): number {
  const seconds = Number.parseInt(written, 10);
  if (Number.isNaN(seconds)) return PHRASE_SECONDS.default;
  return Math.min(PHRASE_SECONDS.max, Math.max(PHRASE_SECONDS.min, seconds));
}
