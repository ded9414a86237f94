import { LONGEST_FILM_SECONDS } from '../../../domain/limits.ts';
import { FileRejected } from '../child/task.ts';
import { isPlainSound, pictureEncoding, soundEncoding } from './encoding.ts';
import {
  fitsLevel,
  fitted,
  isHdr,
  LIGHT_FRAMES,
  lightened,
  MAX_FRAMES,
  pictureFilters,
  rotationOf,
  type Size,
} from './picture-filters.ts';
import type { Times } from './times.ts';
import { type PictureTrack, pictureOf, type SoundTrack, soundOf, type Tracks } from './tracks.ts';

/** Largest picture of a film, in pixels; 8K has 33 million. */
export const MAX_PIXELS = 36_000_000;
/** Longest time without a packet in any track, in seconds; a longer one means wrong timestamps. */
const MAX_GAP_SECONDS = 60;
/** Maximum packets of one track: more than six hours at 120 per second. */
const MAX_PACKETS = 3_000_000;

/** Plan for a film's picture: copied (`relevel`: with a corrected level) or re-encoded. */
export type PicturePlan =
  | { how: 'keep'; track: PictureTrack; size: Size; relevel: boolean }
  | {
      how: 'make';
      track: PictureTrack;
      size: Size;
      filters: string;
      framesASecond: number;
      /** x264 options. */
      encoding: Record<string, string>;
    };

export type SoundPlan =
  | { how: 'keep'; track: SoundTrack }
  | {
      how: 'make';
      track: SoundTrack;
      filters: string;
      channels: 1 | 2;
      rate: number;
      encoding: Record<string, string>;
    };

export type FilmPlan = {
  picture: PicturePlan;
  sound: SoundPlan | null;
  /** Source time that becomes zero, in seconds. */
  origin: number;
  /** Seconds, measured from the packets. */
  duration: number;
  /** Megapixels to decode. */
  megapixels: number;
};

type SongPlan = { sound: SoundPlan; extension: 'm4a' | 'mp3'; origin: number; duration: number };

/** H.264 profiles with 8-bit 4:2:0: Baseline, Constrained Baseline, Main, High. */
const PROFILES = new Set([66, 578, 77, 100]);
/** Level 4.2 in H.264's notation. */
export const LEVEL = 42;

/** Tracks to re-encode, because copying them failed. */
export type Reencode = { picture: boolean; sound: boolean };

type PlanOptions = { reencode?: Reencode; light?: boolean };

/**
 * Returns the plan for a film. `light`: re-encodes everything for slow connections.
 * @throws {FileRejected} if there is no plan
 */
export function planFilm(
  tracks: Tracks,
  { reencode = { picture: false, sound: false }, light = false }: PlanOptions = {},
): FilmPlan {
  const sound = soundOf(tracks);
  const { picture, times } = usablePicture(tracks, sound);
  const usableSound = sound?.isReadable === true ? sound : null;
  const all = [times, ...(usableSound?.times ? [usableSound.times] : [])];
  const start = Math.min(...all.map((times) => times.start));
  return {
    picture: planPicture(picture, times, { reencode: reencode.picture, light }),
    sound: usableSound && planSound(usableSound, reencode.sound, light),
    origin: beginsAtZero(tracks) ? 0 : start,
    duration: Math.max(...all.map((times) => times.end)) - start,
    megapixels: (picture.width * picture.height * times.packets) / 1e6,
  };
}

function usablePicture(tracks: Tracks, sound: SoundTrack | null): { picture: PictureTrack; times: Times } {
  const picture = pictureOf(tracks);
  if (picture?.isProtected === true || sound?.isProtected === true) throw new FileRejected('protected');
  const isFilm = tracks.pictures.some(({ isExtra }) => !isExtra);
  if (isFilm && tracks.isCutShort) throw new FileRejected('cut_short');
  if (picture === null || picture.times === null) throw new FileRejected(isFilm ? 'damaged' : 'no_picture');
  const { times } = picture;
  if (picture.pixels === null) throw new FileRejected(picture.isReadable ? 'damaged' : 'undecodable');
  if (isUnbelievable(sound?.times ?? null, times)) throw new FileRejected('damaged');
  checkBounds(tracks, [times, sound?.times], picture);
  return { picture, times };
}

/** Longest plausible sound packet, and difference between the ends of sound and picture, in seconds. */
const BELIEVED = { packet: 1, after: 60 } as const;

/**
 * Longest plausible average duration of a picture, in seconds. Beyond it the film is a song with a few pictures, or its timestamps are
 * wrong.
 */
const LONGEST_PICTURE_SECONDS = 30;

/**
 * Returns true if the timestamps are wrong. Either sound packets are far apart and outlast the picture, or the pictures are too long
 * without a song of about their length.
 */
function isUnbelievable(sound: Times | null, picture: Times): boolean {
  const isSound = sound !== null && sound.typical <= BELIEVED.packet;
  const isSong = isSound && picture.end - sound.end <= BELIEVED.after;
  if (picture.typical > LONGEST_PICTURE_SECONDS) return !isSong;
  return !isSound && sound !== null && sound.end - picture.end > BELIEVED.after;
}

/** Throws `FileRejected` if gaps, size, duration or packets exceed the limits. */
function checkBounds(
  { longestHole }: Tracks,
  times: readonly (Times | null | undefined)[],
  { width, height }: Size = { width: 0, height: 0 },
): void {
  if (longestHole > MAX_GAP_SECONDS) throw new FileRejected('damaged');
  if (width * height > MAX_PIXELS) throw new FileRejected('too_large');
  for (const { start, end, packets } of times.filter((each) => each !== null && each !== undefined))
    if (end - start > LONGEST_FILM_SECONDS || packets > MAX_PACKETS) throw new FileRejected('too_long');
}

/** Containers whose clock starts at zero. Others start anywhere and are shifted to zero. */
const FROM_ZERO = new Set(['mov,mp4,m4a,3gp,3g2,mj2', 'matroska,webm']);

/** Returns true if empty time before the first packet is a real delay. */
const beginsAtZero = ({ container }: Tracks) => FROM_ZERO.has(container);

function planPicture(
  track: PictureTrack,
  times: Times,
  { reencode, light }: { reencode: boolean; light: boolean },
): PicturePlan {
  const turn = rotationOf(track.matrix);
  const turned = ({ width, height }: Size) =>
    turn.swaps ? { width: height, height: width } : { width, height };
  if (!reencode && !light && isPlainPicture(track, times) && !turn.mirrored)
    return { how: 'keep', track, size: turned(track), relevel: track.level > LEVEL };
  const fullSize = fitted(track, track.pixelAspect);
  const before = light ? lightened(fullSize) : fullSize;
  const maxFrameRate = light ? LIGHT_FRAMES : MAX_FRAMES;
  const size = turned(before);
  const span = Math.max(times.end - times.start, times.typical, 0.001);
  const framesASecond = Math.min(maxFrameRate, Math.max(1, times.shown / span));
  const filters = pictureFilters(track, times, before, { turning: turn.filters, maxFrameRate });
  const encoding = pictureEncoding(size, framesASecond, light);
  return { how: 'make', track, size, filters, framesASecond, encoding };
}

/** Returns true if every phone plays the picture unchanged and its timestamps can be copied. */
function isPlainPicture(track: PictureTrack, times: Times): boolean {
  return (
    track.codec === 'h264' &&
    PROFILES.has(track.profile) &&
    (track.level <= LEVEL || fitsLevel(track, times.maxPerSecond)) &&
    (track.pixels === 'yuv420p' || track.pixels === 'yuvj420p') &&
    Math.abs(track.pixelAspect - 1) < 0.001 &&
    !track.isInterlaced &&
    !isHdr(track) &&
    times.astray === 0 &&
    !times.isCutInside
  );
}

/** Returns the plan for sound; it is copied if every phone plays it unchanged. */
function planSound(track: SoundTrack, reencode: boolean, light: boolean): SoundPlan {
  if (!reencode && !light && isPlainSound(track)) return { how: 'keep', track };
  return { how: 'make', track, ...soundEncoding(track, light) };
}

/** Returns the tracks to re-encode after a plan with faulty ones, or null if nothing is left: a faulty re-encoding can't be improved. */
export function nextPlan({ picture, sound }: FilmPlan, before: Reencode, faulty: Reencode): Reencode | null {
  if (faulty.picture && picture.how === 'make') return null;
  if (faulty.sound && sound?.how === 'make') return null;
  return { picture: before.picture || faulty.picture, sound: before.sound || faulty.sound };
}

/** Shortest song in seconds; a shorter one was cut off just after its start. */
const SHORTEST_SONG_SECONDS = 0.2;

/**
 * Returns the plan for a song or a film's sound.
 * @throws {FileRejected} if there is no plan
 */
export function planSong(tracks: Tracks, reencode = false): SongPlan {
  const track = soundOf(tracks);
  if (track?.isProtected === true) throw new FileRejected('protected');
  if (tracks.isCutShort) throw new FileRejected('cut_short');
  if (track === null || track.times === null)
    throw new FileRejected(tracks.sounds.length > 0 ? 'damaged' : 'no_sound');
  if (!track.isReadable) throw new FileRejected('undecodable');
  checkBounds(tracks, [track.times]);
  const { start, end } = track.times;
  if (end - start < SHORTEST_SONG_SECONDS) throw new FileRejected('cut_short');
  const isMp3 = tracks.container === 'mp3' && track.codec === 'mp3' && !reencode;
  return {
    sound: isMp3 ? { how: 'keep', track } : planSound(track, reencode, false),
    extension: isMp3 ? 'mp3' : 'm4a',
    origin: beginsAtZero(tracks) ? 0 : start,
    duration: end - start,
  };
}
