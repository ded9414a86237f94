import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { ffmpeg } from './ffmpeg.ts';
import { avifInP3, heic } from './heic.ts';
import { quadrants } from './quadrants.ts';
import { filledPdf, layeredPdf, made } from './ticket-pdfs.ts';
import { MEDIA } from './uploads.ts';

/** Small files of every kind, all of them good. */

export type MediaKind = 'film' | 'song' | 'picture' | 'tickets';
export type SmallFile = { name: string; kind: MediaKind; bytes: Buffer };

const lavfi = (source: string) => ['-f', 'lavfi', '-i', source];
const PICTURE = lavfi('testsrc2=size=128x96:rate=12:duration=1');
const TONE = lavfi('sine=frequency=440:duration=1:sample_rate=44100');
const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
const hevc = ['-c:v', 'libx265', '-x265-params', 'log-level=error', '-tag:v', 'hvc1', '-c:a', 'aac'];

const FILMS: Record<string, string[]> = {
  'h264.mp4': h264,
  'index-first.mp4': [...h264, '-movflags', '+faststart'],
  'fragments.mp4': [...h264, '-g', '4', '-movflags', 'frag_keyframe+empty_moov'],
  'hevc.mov': hevc,
  'h264.mkv': h264,
  'h264.ts': h264,
  'h264.flv': h264,
  'vp9.webm': ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  'mpeg4.avi': ['-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  'mpeg2.mpg': ['-r', '25', '-c:v', 'mpeg2video', '-c:a', 'mp2'],
  'wmv2.wmv': ['-c:v', 'wmv2', '-c:a', 'wmav2'],
  'h263.3gp': ['-c:v', 'h263', '-s', '128x96', '-c:a', 'aac'],
  'mjpeg.mov': ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le'],
  'prores.mov': ['-c:v', 'prores_ks', '-c:a', 'pcm_s16le'],
  'mpeg2.mxf': ['-r', '25', '-c:v', 'mpeg2video', '-c:a', 'pcm_s16le', '-ar', '48000'],
};

const SONGS: Record<string, string[]> = {
  'song.mp3': ['-c:a', 'libmp3lame'],
  'song.m4a': ['-c:a', 'aac'],
  'alac.m4a': ['-c:a', 'alac'],
  'song.flac': [],
  'song.ogg': ['-c:a', 'libvorbis'],
  'song.opus': ['-c:a', 'libopus'],
  'song.wav': [],
  'song.aiff': [],
  'song.wma': ['-c:a', 'wmav2'],
  'song.ac3': [],
  'song.aac': ['-c:a', 'aac'],
  'song.caf': ['-c:a', 'pcm_s16le'],
};

/** Makes all of them; what they are made in is the caller's to remove. */
export async function smallMedia(folder: string): Promise<SmallFile[]> {
  const files: SmallFile[] = [];
  const make = async (kind: MediaKind, name: string, args: string[]) => {
    const path = join(folder, name);
    await ffmpeg(...args, path);
    files.push({ name, kind, bytes: await readFile(path) });
  };
  for (const [name, args] of Object.entries(FILMS)) await make('film', name, [...PICTURE, ...TONE, ...args]);
  for (const [name, args] of Object.entries(SONGS)) await make('song', name, [...TONE, ...args]);
  return [...files, ...(await pictures()), ...(await tickets())];
}

async function pictures(): Promise<SmallFile[]> {
  const rgb = quadrants();
  const { width, height } = rgb;
  const drawn = () => sharp(rgb.data, { raw: { width, height, channels: 3 } });
  const bytes: Record<string, Promise<Buffer>> = {
    'photo.jpg': readFile(join(MEDIA, '../picture.jpg')),
    'plain.jpg': drawn().jpeg().toBuffer(),
    'progressive.jpg': drawn().jpeg({ progressive: true }).toBuffer(),
    'plain.png': drawn().png().toBuffer(),
    'interlaced.png': drawn().ensureAlpha(0.5).png({ progressive: true }).toBuffer(),
    'plain.webp': drawn().webp().toBuffer(),
    'plain.gif': drawn().gif().toBuffer(),
    'plain.tiff': drawn().tiff().toBuffer(),
    'whole.heic': heic({ tiles: [rgb] }),
    'tiles.heic': heic({ tiles: [rgb, rgb, rgb, rgb], columns: 2, size: { width: 200, height: 120 } }),
    'colours.avif': avifInP3(rgb),
  };
  return named('picture', bytes);
}

const tickets = (): Promise<SmallFile[]> =>
  named('tickets', {
    'two-pages.pdf': made(),
    'plain.pdf': made({ objectStreams: false }),
    'locked.pdf': made({ lock: { ownerPassword: 'segreto' } }),
    'form.pdf': Promise.resolve(filledPdf()),
    'layers.pdf': Promise.resolve(layeredPdf()),
    'fixture.pdf': readFile(join(MEDIA, '../ticket.pdf')),
  });

async function named(kind: MediaKind, files: Record<string, Promise<Buffer>>): Promise<SmallFile[]> {
  return Promise.all(
    Object.entries(files).map(async ([name, bytes]) => ({ name, kind, bytes: await bytes })),
  );
}
