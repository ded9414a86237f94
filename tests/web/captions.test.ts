import { expect, test } from 'vitest';
import { decoded } from '../../src/web/admin/components/media/captions/decoded.ts';
import { withTime } from '../../src/web/admin/components/media/captions/with-time.ts';

const TEXT = '1\r\n00:00:01,000 --> 00:00:02,000\r\nPerché è così: «però»';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const latin = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with its mark', Buffer.from(`\u{feff}${TEXT}`)],
  ['UTF-16', utf16(TEXT)],
  ['UTF-16 with its mark', utf16(`\u{feff}${TEXT}`)],
  ['UTF-16, the other way round', utf16(TEXT).swap16()],
  ['UTF-16, the other way round, with its mark', utf16(`\u{feff}${TEXT}`).swap16()],
  ['Windows-1252', latin(TEXT)],
])('a file in %s is read', (_, bytes) => {
  expect(decoded(Uint8Array.from(bytes).buffer)).toBe(TEXT);
});

test('the mark alone says that letters without a zero in them are UTF-16', () => {
  const bytes = () => utf16('\u{feff}Сюрприз');
  expect(decoded(Uint8Array.from(bytes()).buffer)).toBe('Сюрприз');
  expect(decoded(Uint8Array.from(bytes().swap16()).buffer)).toBe('Сюрприз');
});

test('an empty file is no text', () => {
  expect(decoded(new ArrayBuffer(0))).toBe('');
});

test.each([
  ['', 0, '00:01:05.250 --> 00:01:08.250\n|'],
  ['Ciao\n', 5, 'Ciao\n\n00:01:05.250 --> 00:01:08.250\n|'],
  ['Ciao\n\n\nAmore', 5, 'Ciao\n\n00:01:05.250 --> 00:01:08.250\n|\n\nAmore'],
])('in %j at %d the time of the film is written', (text, at, expected) => {
  const written = withTime(text, at, 65.25);
  expect(`${written.text.slice(0, written.caret)}|${written.text.slice(written.caret)}`).toBe(expected);
});
