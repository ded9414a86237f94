import { type HostileCase as Case, cutAt, fixture, joined, jpeg, text } from './hostile-case.ts';
import { words } from './hostile-films.ts';
import * as pictures from './hostile-pictures.ts';

export const SONGS: Case[] = [
  ['HTML called .mp3', 'canzone', 'FILE_NOT_AUDIO', text(pictures.HTML)],
  [
    'an ID3 tag with HTML and no sound',
    'canzone',
    'FILE_NOT_AUDIO',
    () => joined(id3(pictures.HTML), pictures.HTML),
  ],
  [
    'an ID3 tag of 256 MB',
    'canzone',
    'FILE_BROKEN',
    () => Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'),
  ],
  [
    'an MP3 with HTML in its tag',
    'canzone',
    'audio/mpeg',
    () => joined(id3(pictures.HTML), fixture('../song.mp3')),
  ],
  ['a film with pictures', 'canzone', 'audio/mp4', () => fixture('good.mp4')],
  ['Apple Lossless', 'canzone', 'audio/mp4', () => fixture('alac.m4a')],
  ['a playlist', 'canzone', 'FILE_NOT_AUDIO', text('#EXTM3U\nhttp://169.254.169.254/latest/meta-data\n')],
  [
    'MIDI',
    'canzone',
    'FILE_UNDECODABLE',
    () => joined('MThd\0\0\0\x06\0\0\0\x01\0\x60', 'MTrk\0\0\0\x04\0\xff\x2f\0'),
  ],
  ['a WAV cut in the middle', 'canzone', 'audio/mp4', cutAt('song.wav', 0.5)],
  ['a WAV without sound', 'canzone', 'FILE_NOT_AUDIO', cutAt('song.wav', 0.0002)],
  ['an M4A cut in the middle', 'canzone', 'FILE_BROKEN', cutAt('song.m4a', 0.5)],
  ['an OGG that is only its head', 'canzone', 'FILE_NOT_AUDIO', () => joined('OggS', Buffer.alloc(60))],
  ['a picture', 'canzone', 'FILE_NOT_AUDIO', jpeg],
];

function id3(content: string): Buffer {
  const frame = Buffer.concat([
    Buffer.from('COMM'),
    words(content.length + 5),
    Buffer.alloc(2),
    Buffer.from('\0eng\0'),
    Buffer.from(content),
  ]);
  const { length } = frame;
  return Buffer.concat([
    Buffer.from('ID3\x03\0\0', 'latin1'),
    Buffer.from([0, 0, length >> 7, length & 127]),
    frame,
  ]);
}
