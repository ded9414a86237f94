import type { ClipboardEvent } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { type Configuration, PHRASE_LISTS, type PhraseList } from '../../../../domain/configuration.ts';
import { MAX_LENGTH, PHRASE_SECONDS } from '../../../../domain/limits.ts';
import { mergeLists } from '../../components/forms/merge.ts';

/** The phrase lists and their duration; each page saves its own part (spec 7 «Phrases»). */
export type PhraseLists = Pick<Configuration, PhraseList | 'durata_frase_secondi'> & {
  frasi_secondi_esatti: PhraseList[];
};

/** Merges two edits of the phrase lists. */
export function mergePhraseLists(base: PhraseLists, mine: PhraseLists, theirs: PhraseLists): PhraseLists {
  const merged = { ...theirs };
  for (const list of PHRASE_LISTS) merged[list] = mergeLists(base[list], mine[list], theirs[list]);
  const { durata_frase_secondi } = mine.durata_frase_secondi === base.durata_frase_secondi ? theirs : mine;
  const exact = mergeLists(base.frasi_secondi_esatti, mine.frasi_secondi_esatti, theirs.frasi_secondi_esatti);
  return { ...merged, durata_frase_secondi, frasi_secondi_esatti: inOrder(exact) };
}

/** Returns the lists with exact seconds, with one list switched on or off. */
export function withSwitched(exact: readonly PhraseList[], list: PhraseList, on: boolean): PhraseList[] {
  return inOrder([...exact.filter((other) => other !== list), ...(on ? [list] : [])]);
}

function inOrder(names: readonly string[]): PhraseList[] {
  return PHRASE_LISTS.filter((list) => names.includes(list));
}

/** Returns the list with one item moved. */
export function moveItem(list: readonly string[], from: number, to: number): string[] {
  const item = list[from];
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** Returns the list without these items; of equal ones it removes the last. */
export function withoutLast(list: readonly string[], items: readonly string[]): string[] {
  return items.reduceRight<string[]>(
    (rest, item) => rest.filter((_, index) => index !== rest.lastIndexOf(item)),
    [...list],
  );
}

/** Splits pasted text at blank lines, and at each line. */
export function piecesOf(pasted: string): { paragraphs: string[]; lines: string[] } {
  const text = pasted.replaceAll(/\r\n?/g, '\n');
  const pieces = (between: RegExp) =>
    text
      .split(between)
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '');
  return { paragraphs: pieces(/\n[^\S\n]*\n/), lines: pieces(/\n/) };
}

/** Returns an `onPaste` handler: passes several lines pasted into a blank field to `take`. Other pastes are left to the field. */
export function createPasteHandler(written: string, take: (pasted: string) => void) {
  return (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!isBlank(written) || piecesOf(pasted).lines.length < 2) return;
    event.preventDefault();
    take(pasted);
  };
}

/** Returns the number of free slots in a list. */
export function freeSlots(list: readonly string[]): number {
  return Math.max(0, MAX_LENGTH.phrases - list.length);
}

/** Returns the ways to split pasted text, the likeliest first. `fits`: the list has room, and no phrase is too long. */
export function pasteOptions(pasted: string, room: number) {
  const { paragraphs, lines } = piecesOf(pasted);
  const complete = pasted.replaceAll(/\r\n?/g, '\n').trim();
  const ways: { way: 'paragraphs' | 'lines' | 'one'; pieces: string[] }[] = [];
  if (paragraphs.length > 1) ways.push({ way: 'paragraphs', pieces: paragraphs });
  if (lines.length > paragraphs.length) ways.push({ way: 'lines', pieces: lines });
  ways.push({ way: 'one', pieces: [complete] });
  return ways.map(({ way, pieces }) => ({
    way,
    pieces,
    fits: pieces.length <= room && pieces.every((piece) => [...piece].length <= MAX_LENGTH.phrase),
  }));
}

/** Parses the seconds and limits them to the allowed range; 6 if unreadable (spec 5). */
export function secondsOf(written: string): number {
  const seconds = Number.parseInt(written, 10);
  if (Number.isNaN(seconds)) return PHRASE_SECONDS.default;
  return Math.min(PHRASE_SECONDS.max, Math.max(PHRASE_SECONDS.min, seconds));
}

/** A phrase with an id that is stable on this page. */
type PhraseItem = { id: string; text: string };

let lastId = 0;

/**
 * Assigns a stable id to each text: first by equal position and text, then by equal text, then by equal position. An id stays
 * with its text during edits, moves and changes from elsewhere.
 */
export function nextRows(before: readonly PhraseItem[], texts: readonly string[]): PhraseItem[] {
  const free = new Set(before);
  const take = (row: PhraseItem | undefined) => (row !== undefined && free.delete(row) ? row.id : undefined);
  const same = texts.map((text, position) =>
    before[position]?.text === text ? take(before[position]) : undefined,
  );
  const known = texts.map(
    (text, position) => same[position] ?? take([...free].find((row) => row.text === text)),
  );
  return texts.map((text, position) => ({
    id: known[position] ?? take(before[position]) ?? `phrase-${++lastId}`,
    text,
  }));
}
