import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CAPTIONS } from '../../src/domain/limits.ts';
import { readCaptions, webVTTOf } from '../../src/server/features/captions/read-captions.ts';

/** The captions as `start–end text`, or why there are none. */
function read(text: string): string[] | object {
  const captions = readCaptions(text);
  return 'refused' in captions
    ? captions
    : captions.map((caption) => `${caption.start}–${caption.end} ${caption.text}`);
}

const CIAO = ['1–2.5 Ciao'];

test.each<[string, string, string[]]>([
  ['WebVTT', 'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nCiao\n', CIAO],
  ['SRT', '1\n00:00:01,000 --> 00:00:02,500\nCiao\n', CIAO],
  ['with a BOM', '\u{feff}WEBVTT\n\n00:01.000 --> 00:02.500\nCiao', CIAO],
  ['lines that end as on Windows', '1\r\n00:00:01,000 --> 00:00:02,500\r\nCiao\r\n\r\n', CIAO],
  ['lines that end as on old Macs', '1\r00:00:01,000 --> 00:00:02,500\rCiao\r', CIAO],
  ['typed by hand', '0:01 -> 0:2.5\nCiao', CIAO],
  ['a comma in WebVTT', 'WEBVTT\n\n00:01,0 --> 00:02,50\nCiao', CIAO],
  [
    'without blank lines',
    '1\n00:01,0 --> 00:02,5\nCiao\n2\n00:03,0 --> 00:04,0\namore',
    [...CIAO, '3–4 amore'],
  ],
  ['no blank line after the signature', 'WEBVTT\n00:01.000 --> 00:02.500\nCiao', CIAO],
  [
    'a header’s line right before the times',
    'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:0\n00:01.000 --> 00:02.500\nCiao',
    CIAO,
  ],
  ['the last second of an hour', '00:59:59,999 --> 01:00:00,001\nCiao', ['3599.999–3600.001 Ciao']],
  ['in no order', '00:03 --> 00:04\namore\n\n00:01 --> 00:02.5\nCiao', [...CIAO, '3–4 amore']],
  ['one over the other', '00:01 --> 00:04\n– Sì?\n\n00:02 --> 00:03\n– No.', ['1–4 – Sì?', '2–3 – No.']],
  ['hours', '101:02:03,004 --> 101:02:04,000\nCiao', ['363723.004–363724 Ciao']],
  ['two lines', '00:01 --> 00:02.5\n  Ciao \t amore  \ncome stai?\n', ['1–2.5 Ciao amore\ncome stai?']],
  ['settings and places', '00:01 --> 00:02.5 align:start X1:20\n{\\an8}Ciao', CIAO],
  [
    'comments, styles and names',
    'WEBVTT - film\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nper me\n\nprimo\n00:01.0 --> 00:02.5\n<v Anna>Ciao',
    CIAO,
  ],
  ['without its text', '00:01 --> 00:02.5\nCiao\n\n00:03 --> 00:04\n\n', CIAO],
  ['markup', '00:01 --> 00:02.5\n<i>Ci</i><font color="red">a</font><b>o', CIAO],
  [
    'marks that are words',
    '00:01 --> 00:02\nio <3 te & tu < me > &lt;b&gt; &amp; A&B',
    ['1–2 io <3 te & tu < me > <b> & A&B'],
  ],
  ['an arrow that is said', '00:01 --> 00:02\nRoma -> Parigi', ['1–2 Roma → Parigi']],
  [
    'a script',
    '00:01 --> 00:02\n<script>alert(1)</script><img src=x onerror=alert(1)>fine',
    ['1–2 alert(1)fine'],
  ],
  ['signs of every kind', '00:01 --> 00:02\nè 👨‍👩‍👧 \u{7}ø', ['1–2 è 👨‍👩‍👧 ø']],
])('%s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

const TIMES = (line: number) => ({ refused: 'CAPTION_TIMES', line });

test.each<[string, string, object]>([
  ['nothing', ' \n\t\r\n', { refused: 'CAPTIONS_EMPTY' }],
  ['words', 'Caro amore,\nti scrivo.', { refused: 'CAPTIONS_UNREADABLE' }],
  ['a signature alone', 'WEBVTT\n\n', { refused: 'CAPTIONS_UNREADABLE' }],
  ['times alone', '00:01 --> 00:02\n\n00:03 --> 00:04\n<i></i>', { refused: 'CAPTIONS_UNREADABLE' }],
  ['an end before its start', '1\n00:01 --> 00:02\nCiao\n\n2\n00:05 --> 00:04\nno', TIMES(6)],
  ['an end at its start', 'WEBVTT\n\n00:04 --> 00:04\nno', TIMES(3)],
  ['a minute of 75 seconds', '00:75 --> 02:00\nno', TIMES(1)],
  ['a minute of 60 seconds', '00:00:60 --> 00:02:00\nno', TIMES(1)],
  ['an hour of 60 minutes', '00:60:00 --> 02:00:00\nno', TIMES(1)],
  ['half a time', '00:01 -->\nno', TIMES(1)],
  ['letters for a time', '00:o1 --> 00:02\nno', TIMES(1)],
  [
    'a whole page in one',
    `1\n00:01 --> 00:02\n${'parola '.repeat(50)}`,
    { refused: 'CAPTION_TOO_LONG', line: 2 },
  ],
  [
    'markup in markup',
    `00:01 --> 00:02\nCiao\n\n00:03 --> 00:04\n${'<b>'.repeat(150_000)}no`,
    { refused: 'CAPTION_TOO_LONG', line: 4 },
  ],
  ['a long arrow', `${'-'.repeat(500_000)}x`, { refused: 'CAPTIONS_UNREADABLE' }],
  ['blanks before an arrow', `0:01${' '.repeat(500_000)}x->`, TIMES(1)],
  ['too much text', 'a'.repeat(CAPTIONS.signs + 1), { refused: 'CAPTIONS_TOO_LARGE' }],
  [
    'a caption of a sign too many',
    `00:01 --> 00:02\n${'è'.repeat(CAPTIONS.signsEach + 1)}`,
    { refused: 'CAPTION_TOO_LONG', line: 1 },
  ],
  ['too many', '00:01 --> 00:02\nsì\n\n'.repeat(CAPTIONS.count + 1), { refused: 'CAPTIONS_TOO_LARGE' }],
])('refused: %s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('as many are read as there may be, each as long as it may be', () => {
  const many = readCaptions('00:01 --> 00:02\nsì\n\n'.repeat(CAPTIONS.count));
  expect(many).toHaveLength(CAPTIONS.count);
  const long = '🌹'.repeat(CAPTIONS.signsEach);
  expect(read(`00:01 --> 00:02\n${long}`)).toEqual([`1–2 ${long}`]);
});

test('what is kept is read as what was brought', () => {
  const text =
    '00:01.5 --> 1:00:02\n<i>io <3</i> te & tu --> «WEBVTT»\nNOTE &lt;b&gt;\n\n00:03 --> 00:04\n42';
  const captions = readCaptions(text);
  if ('refused' in captions) throw new Error(captions.refused);
  const kept = webVTTOf(captions);
  expect(kept).toBe(
    'WEBVTT\n\n00:00:01.500 --> 01:00:02.000\nio &lt;3 te &amp; tu → «WEBVTT»\nNOTE &lt;b&gt;\n\n00:00:03.000 --> 00:00:04.000\n42\n',
  );
  expect(readCaptions(kept)).toEqual(captions);
});

const MARKS =
  String.raw`<b> </b> < > <3 <v.x <00:01.5> & &lt; &amp;amp; &#60; ; --> -> {\an8} WEBVTT NOTE STYLE 7 Ciao`
    .split(' ')
    .concat('<v Anna>', '\u{feff}', '\ud83d', '\u{2028}', '\t', ' ');

test('whatever comes is read or refused, and what is kept is read the same again', () => {
  const words = fc.array(fc.constantFrom(...MARKS), { maxLength: 8 }).map((marks) => marks.join(''));
  const line = fc.oneof(words, fc.constantFrom('', '', '00:01 --> 00:02', '0:1,5->1:00', '7'));
  let read = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const captions = readCaptions(lines.join('\n'));
      if ('refused' in captions) return;
      read += 1;
      expect(readCaptions(webVTTOf(captions))).toEqual(captions);
    }),
    { numRuns: 1_000 },
  );
  expect(read).toBeGreaterThan(50);
});
