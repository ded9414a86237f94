import webvtt, { type WebVTTNode } from 'webvtt-parser';
import type { CaptionRefusal } from '../../../contract/admin/captions.ts';
import { isBlank } from '../../../domain/blank.ts';
import { captionTime } from '../../../domain/captions.ts';
import { CAPTIONS } from '../../../domain/limits.ts';
import { isRefused, type Refusal } from '../../refused.ts';

/** Times in seconds; the text is plain, its lines broken by `\n`. */
export type Caption = { start: number; end: number; text: string };

/** What W3C's parser is to make of the signs that can't stand for themselves. */
const ENTITIES = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u{a0}',
  '&lrm;': '\u{200e}',
  '&rlm;': '\u{200f}',
  '&quot;': '"',
};

/**
 * The captions in a text of WebVTT or SRT, the first one first. Times are read as people write them (hours and milliseconds may lack, comma or
 * point); of markup, settings, styles and comments nothing is left.
 */
export function readCaptions(text: string): Caption[] | Refusal<CaptionRefusal> {
  if (isBlank(text)) return { refused: 'CAPTIONS_EMPTY' };
  if (text.length > CAPTIONS.signs) return { refused: 'CAPTIONS_TOO_LARGE' };
  const lines = asWebVTT(text);
  if (isRefused(lines)) return lines;
  const swollen = swollenAt(lines);
  if (swollen !== null) return { refused: 'CAPTION_TOO_LONG', line: swollen };
  const { cues } = new webvtt.WebVTTParser(ENTITIES).parse(
    ['WEBVTT', '', ...lines].join('\n'),
    'subtitles/captions',
  );
  const captions = cues.map(({ startTime: start, endTime: end, tree }) => ({
    start,
    end,
    text: tidy(textIn(tree.children)),
  }));
  const said = captions.filter((caption) => caption.text !== '');
  if (said.length === 0) return { refused: 'CAPTIONS_UNREADABLE' };
  if (said.length > CAPTIONS.count) return { refused: 'CAPTIONS_TOO_LARGE' };
  const long = said.find((caption) => [...caption.text].length > CAPTIONS.signsEach);
  return long === undefined ? said : { refused: 'CAPTION_TOO_LONG', line: lineOf(lines, long) };
}

/** The same captions as the browser reads them. */
export function webVTTOf(captions: readonly Caption[]): string {
  const blocks = captions.map(({ start, end, text }) => `${timing(start, end)}\n${escaped(text)}\n`);
  return ['WEBVTT\n', ...blocks].join('\n');
}

const SIGNATURE = /^\u{feff}?WEBVTT(?:[ \t].*)?$/u;
const ARROW = /-{1,2}>/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})\d*)?(?:\s|$)/;

/** The lines, each in its place, as WebVTT has them: SRT differs in its times, in what it doesn't escape, and in being written by hand. */
function asWebVTT(text: string): string[] | Refusal<'CAPTION_TIMES'> {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (SIGNATURE.test(lines[0] ?? '')) lines[0] = '';
  for (const [place, line] of lines.entries()) {
    const isTimes = line.includes('->') && /\d:\d/.test(line);
    if (!isTimes) {
      lines[place] = spoken(line);
      continue;
    }
    const [start, end] = line.split(ARROW).map((time) => secondsOf(time.trim()));
    if (start == null || end == null || end <= start) return { refused: 'CAPTION_TIMES', line: place + 1 };
    lines[place] = timing(start, end);
    // A number that is not parted from the caption before it would be read as its last words.
    if (/^\d+$/.test(lines[place - 1] ?? '')) lines[place - 1] = '';
  }
  return lines;
}

/** So many signs a caption may have with its markup: what has more, maybe in a thousand layers, isn't given to the parser. */
const MARKED_SIGNS = 10 * CAPTIONS.signsEach;

/** Where a caption begins that has more, counted from 1; null where none does. */
function swollenAt(lines: readonly string[]): number | null {
  let [from, signs] = [0, 0];
  for (const [place, line] of lines.entries()) {
    // Only a line of times has its arrow still.
    if (line === '' || line.includes(' --> ')) [from, signs] = [line === '' ? 0 : place + 1, 0];
    signs += line.length;
    if (from > 0 && signs > MARKED_SIGNS) return from;
  }
  return null;
}

/** A point in time in seconds, whatever follows it; null where it is none. */
function secondsOf(time: string): number | null {
  const [matched, hours = '0', minutes = '', seconds = '', fraction = ''] = TIME.exec(time) ?? [];
  if (matched === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return whole + Number(fraction.padEnd(3, '0')) / 1_000;
}

function timing(start: number, end: number): string {
  return `${captionTime(start)} --> ${captionTime(end)}`;
}

/**
 * A line of words: «<3» is no markup, an arrow in what is said no time, and the places that some programs write into SRT (`{\an8}`) are no words.
 */
function spoken(line: string): string {
  return line
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/<(?!\/?[a-z][^<>]*>|[\d:.]+>)/gi, '&lt;')
    .replace(/-{1,2}>/g, '→');
}

function textIn(nodes: readonly WebVTTNode[]): string {
  return nodes
    .map(({ type, value, children }) => (type === 'text' ? String(value) : textIn(children ?? [])))
    .join('');
}

function tidy(text: string): string {
  const lines = text
    .toWellFormed()
    .split('\n')
    .map((line) => line.replace(/[\p{Cc}\s]+/gu, ' ').trim());
  return lines.filter((line) => line !== '').join('\n');
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Where a caption's times stand, counted from 1. */
function lineOf(lines: readonly string[], { start, end }: Caption): number {
  return lines.indexOf(timing(start, end)) + 1;
}
