import type { ClipboardEvent } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { type Configuration, PHRASE_LISTS, type PhraseList } from '../../../../domain/configuration.ts';
import { MAX_LENGTH, PHRASE_SECONDS } from '../../../../domain/limits.ts';
import { mergeLists } from './merge-lists.ts';

/** The lists of phrases and how long they stay; every page saves its own of them (spec 7 «Phrases»). */
export type PhraseLists = Pick<Configuration, PhraseList | 'durata_frase_secondi'> & {
  frasi_secondi_esatti: PhraseList[];
};

/** Brings together what two windows made of the same lists. */
export function mergePhraseLists(base: PhraseLists, mine: PhraseLists, theirs: PhraseLists): PhraseLists {
  const merged = { ...theirs };
  for (const list of PHRASE_LISTS) merged[list] = mergeLists(base[list], mine[list], theirs[list]);
  const { durata_frase_secondi } = mine.durata_frase_secondi === base.durata_frase_secondi ? theirs : mine;
  const exact = mergeLists(base.frasi_secondi_esatti, mine.frasi_secondi_esatti, theirs.frasi_secondi_esatti);
  return { ...merged, durata_frase_secondi, frasi_secondi_esatti: inOrder(exact) };
}

/** The lists that keep the chosen seconds, with one of them switched. */
export function switched(exact: readonly PhraseList[], list: PhraseList, on: boolean): PhraseList[] {
  return inOrder([...exact.filter((other) => other !== list), ...(on ? [list] : [])]);
}

function inOrder(names: readonly string[]): PhraseList[] {
  return PHRASE_LISTS.filter((list) => names.includes(list));
}

/** A list with one item elsewhere. */
export function moved(list: readonly string[], from: number, to: number): string[] {
  const item = list[from];
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** A list without these items: each goes where it stands last. */
export function withoutLast(list: readonly string[], items: readonly string[]): string[] {
  return items.reduceRight<string[]>(
    (left, item) => left.filter((_, index) => index !== left.lastIndexOf(item)),
    [...list],
  );
}

/** What was pasted, cut where a new phrase may begin: at every blank line, and at every line. */
export function piecesOf(pasted: string): { paragraphs: string[]; lines: string[] } {
  const text = pasted.replaceAll(/\r\n?/g, '\n');
  const pieces = (between: RegExp) =>
    text
      .split(between)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
  return { paragraphs: pieces(/\n[^\S\n]*\n/), lines: pieces(/\n/) };
}

/** Several lines pasted into a blank field are for `take` to make phrases of; anything else is the field's own. For its `onPaste`. */
export function takeSeveral(written: string, take: (pasted: string) => void) {
  return (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!isBlank(written) || piecesOf(pasted).lines.length < 2) return;
    event.preventDefault();
    take(pasted);
  };
}

/** So many phrases more a list has room for. */
export function freeSlots(list: readonly string[]): number {
  return Math.max(0, MAX_LENGTH.phrases - list.length);
}

/** The ways to make phrases of what was pasted, the likeliest first; `fits`: there is room for so many, and none is too long. */
export function pasteOptions(pasted: string, room: number) {
  const { paragraphs, lines } = piecesOf(pasted);
  const whole = pasted.replaceAll(/\r\n?/g, '\n').trim();
  const ways: { way: 'paragraphs' | 'lines' | 'one'; pieces: string[] }[] = [];
  if (paragraphs.length > 1) ways.push({ way: 'paragraphs', pieces: paragraphs });
  if (lines.length > paragraphs.length) ways.push({ way: 'lines', pieces: lines });
  ways.push({ way: 'one', pieces: [whole] });
  return ways.map(({ way, pieces }) => ({
    way,
    pieces,
    fits: pieces.length <= room && pieces.every((piece) => [...piece].length <= MAX_LENGTH.phrase),
  }));
}

/** The seconds somebody wrote: 6 when they can't be read, else inside the limits (spec 5). */
export function secondsOf(written: string): number {
  const seconds = Number.parseInt(written, 10);
  if (Number.isNaN(seconds)) return PHRASE_SECONDS.default;
  return Math.min(PHRASE_SECONDS.max, Math.max(PHRASE_SECONDS.min, seconds));
}

/** A text of a list with an id of its own. */
export type PhraseItem = { id: string; text: string };

let rowsMade = 0;

/**
 * Gives every text of a list an id that stays with it while it is written, moved, and while others come and go: what has the same place
 * and text is the same, then what has the same text, then what has the same place.
 */
export function nextRows(before: readonly PhraseItem[], texts: readonly string[]): PhraseItem[] {
  const free = new Set(before);
  const take = (row: PhraseItem | undefined) => (row !== undefined && free.delete(row) ? row.id : undefined);
  const same = texts.map((text, place) => (before[place]?.text === text ? take(before[place]) : undefined));
  const known = texts.map((text, place) => same[place] ?? take([...free].find((row) => row.text === text)));
  return texts.map((text, place) => ({
    id: known[place] ?? take(before[place]) ?? `phrase-${++rowsMade}`,
    text,
  }));
}
