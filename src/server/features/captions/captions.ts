import { Readable } from 'node:stream';
import webvtt, { type WebVTTNode } from 'webvtt-parser';
import type { CaptionRefusal } from '../../../contract/admin/media.ts';
import { isBlank } from '../../../domain/blank.ts';
import { CAPTIONS } from '../../../domain/limits.ts';
import { type CaptionMode, captionTime } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { calls } from '../../http/calls.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { setCaptions } from '../media/library.repo.ts';
import { changeFilm, videoOf } from '../media/library.ts';
import { companionFile, deleteMediaAt, insertMedia, putMedia } from '../media/media.ts';
import { errorToRefusal } from '../uploads/make.ts';
import { newUploadId } from '../uploads/upload-folder.ts';

export const captionsCalls = calls(adminCalls.captions, { save: saveCaptions, remove: removeCaptions });

type CaptionsInput = { id: string; text: string; mode: CaptionMode };

/**
 * Stores a film's captions as a separate WebVTT file and deletes the previous ones. Visits in progress retain theirs.
 * @param text WebVTT or SRT
 */
export async function saveCaptions(ctx: AdminCtx, { id, text, mode }: CaptionsInput) {
  if ((await videoOf(ctx.db, id)) === null) return refuse('NOT_FOUND');
  const read = readCaptions(text);
  if (isRefused(read)) return read;
  const end = Math.max(...read.map((caption) => caption.end));
  const file = { ...companionFile('captions'), content: Readable.from([webVTTOf(read)]) };
  const put = await putMedia(ctx, file, newUploadId()).catch(errorToRefusal);
  if (isRefused(put)) return put;
  // If the film was deleted in between, the sweep removes the bytes.
  return changeFilm(ctx, id, async (tx, film) => {
    await deleteMediaAt(tx, film.captions?.url ?? null, ctx.now());
    await insertMedia(tx, put.row);
    await setCaptions(tx, id, { url: put.stored.url, mode, end });
  });
}

export function removeCaptions(ctx: AdminCtx, { id }: { id: string }) {
  return changeFilm(ctx, id, async (tx, film) => {
    await deleteMediaAt(tx, film.captions?.url ?? null, ctx.now());
    await setCaptions(tx, id, null);
  });
}

/** Times in seconds; plain text with lines separated by `\n`. */
export type Caption = { start: number; end: number; text: string };

/** Entities for W3C's parser. */
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
 * Parses WebVTT or SRT, in the order of the text. Accepts times without hours or milliseconds, with a comma or a point.
 * Removes markup, settings, styles and comments.
 */
export function readCaptions(text: string): Caption[] | Refusal<CaptionRefusal> {
  if (isBlank(text)) return refuse('CAPTIONS_EMPTY');
  if (text.length > CAPTIONS.maxChars) return refuse('CAPTIONS_TOO_LARGE');
  const lines = asWebVTT(text);
  if (isRefused(lines)) return lines;
  const oversized = findOversized(lines);
  if (oversized !== null) return refuse('CAPTION_TOO_LONG', { line: oversized });
  const { cues } = new webvtt.WebVTTParser(ENTITIES).parse(
    ['WEBVTT', '', ...lines].join('\n'),
    'subtitles/captions',
  );
  const captions = cues.map(({ startTime: start, endTime: end, tree }) => ({
    start,
    end,
    text: tidy(textIn(tree.children)),
  }));
  const withText = captions.filter((caption) => caption.text !== '');
  if (withText.length === 0) return refuse('CAPTIONS_UNREADABLE');
  if (withText.length > CAPTIONS.count) return refuse('CAPTIONS_TOO_LARGE');
  const tooLong = withText.find((caption) => [...caption.text].length > CAPTIONS.maxCharsEach);
  return tooLong === undefined ? withText : refuse('CAPTION_TOO_LONG', { line: lineOf(lines, tooLong) });
}

/** Returns the captions as WebVTT. */
export function webVTTOf(captions: readonly Caption[]): string {
  const blocks = captions.map(({ start, end, text }) => `${timing(start, end)}\n${escaped(text)}\n`);
  return ['WEBVTT\n', ...blocks].join('\n');
}

const SIGNATURE = /^\u{feff}?WEBVTT(?:[ \t].*)?$/u;
const ARROW = /-{1,2}>/;
const TIME = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})\d*)?(?:\s|$)/;

/** Converts the lines to WebVTT without moving any. SRT differs in its times and escapes, and is often typed by hand. */
function asWebVTT(text: string): string[] | Refusal<'CAPTION_TIMES'> {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (SIGNATURE.test(lines[0] ?? '')) lines[0] = '';
  for (const [index, line] of lines.entries()) {
    const isTimes = line.includes('->') && /\d:\d/.test(line);
    if (!isTimes) {
      lines[index] = escapeLine(line);
      continue;
    }
    const [start, end] = line.split(ARROW).map((time) => secondsOf(time.trim()));
    if (start == null || end == null || end <= start) return refuse('CAPTION_TIMES', { line: index + 1 });
    lines[index] = timing(start, end);
    // Without a blank line before it, the parser would read the number as the last line of the previous caption.
    if (/^\d+$/.test(lines[index - 1] ?? '')) lines[index - 1] = '';
  }
  return lines;
}

/** Maximum characters of a caption with its markup. Longer ones, possibly nested a thousand levels deep, don't reach the parser. */
const MARKED_SIGNS = 10 * CAPTIONS.maxCharsEach;

/** Returns the line of the first caption above that limit, counted from 1, or null. */
function findOversized(lines: readonly string[]): number | null {
  let [from, signs] = [0, 0];
  for (const [index, line] of lines.entries()) {
    // By now only lines of times contain an arrow.
    if (line === '' || line.includes(' --> ')) [from, signs] = [line === '' ? 0 : index + 1, 0];
    signs += line.length;
    if (from > 0 && signs > MARKED_SIGNS) return from;
  }
  return null;
}

/** Parses a time at the start of `time`, in seconds; null if there is none. */
function secondsOf(time: string): number | null {
  const [matched, hours = '0', minutes = '', seconds = '', fraction = ''] = TIME.exec(time) ?? [];
  if (matched === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const wholeSeconds = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return wholeSeconds + Number(fraction.padEnd(3, '0')) / 1_000;
}

const timing = (start: number, end: number) => `${captionTime(start)} --> ${captionTime(end)}`;

/** Escapes a line of text: a «<» that begins no markup, and arrows. Removes SRT positions such as `{\an8}`. */
function escapeLine(line: string): string {
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

/** Returns the line of a caption's times, counted from 1. */
const lineOf = (lines: readonly string[], { start, end }: Caption) => lines.indexOf(timing(start, end)) + 1;
