import { stat } from 'node:fs/promises';
import type { FileRefusal, MediaWarning } from '../../../../contract/admin/media.ts';
import { isHeavyVideo } from '../../../../domain/heavy.ts';
import { isRefused, type Refused } from '../../../refused.ts';
import type { Check, Good, Places } from '../checked.ts';
import type { Course } from '../jobs.ts';
import { type Film, filmIn, withInput } from '../mp4/film.ts';
import { move } from '../mp4/move.ts';
import { type Movie, readMovie, type Track } from '../mp4/movie.ts';
import { rewrite } from '../mp4/rewrite.ts';
import { reading, sniff } from './sniff.ts';

const CONTAINERS = new Set([
  'video/mp4',
  'video/quicktime',
  'video/x-m4v',
  'video/3gpp',
  'video/3gpp2',
  'audio/x-m4a',
  'audio/mp4',
]);

/** By the four letters of a track's sample description; what isn't here is some other codec. */
const OTHER_CODECS: Record<string, FileRefusal> = {
  hvc1: 'FILE_VIDEO_HEVC',
  hev1: 'FILE_VIDEO_HEVC',
  hvc2: 'FILE_VIDEO_HEVC',
  dvh1: 'FILE_VIDEO_HEVC',
  dvhe: 'FILE_VIDEO_HEVC',
  av01: 'FILE_VIDEO_AV1',
  dav1: 'FILE_VIDEO_AV1',
  vp09: 'FILE_VIDEO_VP9',
};

/**
 * A video every phone plays: H.264 with AAC or without sound, whole, in an MP4 that can be played from its first byte. What only lies in
 * another order (QuickTime, index at the end, fragments) is rewritten; a good file is kept as it is.
 */
export const checkVideo: Check = async (places, course) => {
  if (!CONTAINERS.has((await sniff(places.path)) ?? '')) return { refused: 'FILE_NOT_VIDEO' };
  const movie = await reading(places.path, readMovie);
  if (isRefused(movie)) return movie;
  const refused = codecRefusal(movie.tracks);
  return refused === null ? watch(places, movie, course) : { refused };
};

function codecRefusal(tracks: readonly Track[]): FileRefusal | null {
  const videos = tracks.filter(({ kind }) => kind === 'vide');
  if (videos.length === 0) return 'FILE_NOT_VIDEO';
  if (!videos.some(({ codecs }) => isAll(codecs, ['avc1', 'avc3']))) {
    const [first = ''] = videos[0]?.codecs ?? [];
    return OTHER_CODECS[first] ?? 'FILE_VIDEO_CODEC';
  }
  if (videos.every(({ samples }) => samples === 0)) return 'FILE_BROKEN';
  const sounds = soundsIn(tracks);
  return sounds.length === 0 || sounds.some(({ codecs }) => isAll(codecs, ['mp4a']))
    ? null
    : 'FILE_AUDIO_CODEC';
}

const isAll = (codecs: readonly string[], known: readonly string[]) =>
  codecs.length > 0 && codecs.every((codec) => known.includes(codec));
const soundsIn = (tracks: readonly Track[]) =>
  tracks.filter(({ kind, samples }) => kind === 'soun' && samples > 0);

async function watch(places: Places, movie: Movie, course: Course): Promise<Good | Refused<FileRefusal>> {
  try {
    return await withInput(places.path, async (input) => {
      const film = await filmIn(input, places.path, movie.tracks);
      if (film === 'video') return { refused: 'FILE_VIDEO_CODEC' as const };
      if (film === 'audio') return { refused: 'FILE_AUDIO_CODEC' as const };
      if (film === 'broken') return { refused: 'FILE_BROKEN' as const };
      const path = await ready(places, movie, film, course);
      const warnings = await warningsOn(path, film);
      return { path, extension: 'mp4', content_type: 'video/mp4', warnings };
    });
  } catch (error) {
    // What the disk can't do has a name; everything else the library says of these bytes.
    if (course.signal.aborted || (error instanceof Error && 'syscall' in error)) throw error;
    return { refused: 'FILE_BROKEN' };
  }
}

async function ready(places: Places, movie: Movie, film: Film, course: Course): Promise<string> {
  const videos = movie.tracks.filter(({ kind }) => kind === 'vide');
  const sounds = soundsIn(movie.tracks);
  if (movie.faststart && videos.length === 1 && sounds.length <= 1) return places.path;
  if (!movie.fragmented && (await move(film, places, course))) return places.made;
  const most = (tracks: readonly Track[]) => Math.max(0, ...tracks.map(({ samples }) => samples));
  await rewrite(film, places.made, { video: most(videos), audio: most(sounds) }, course);
  return places.made;
}

async function warningsOn(path: string, { audio, duration }: Film): Promise<MediaWarning[]> {
  const { size } = await stat(path);
  const heavy = isHeavyVideo({ bytes: size, seconds: duration });
  return [...(audio === null ? (['NO_SOUND'] as const) : []), ...(heavy ? (['HEAVY'] as const) : [])];
}
