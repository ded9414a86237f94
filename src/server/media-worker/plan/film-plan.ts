import { LONGEST_FILM_SECONDS } from '../../../domain/limits.ts';
import { MAX_GAP_SECONDS, MAX_PACKETS, MAX_PIXELS } from '../bounds.ts';
import type { FileProblem } from '../door.ts';
import { beginsAtZero } from '../formats.ts';
import { FileRejected } from '../refusal.ts';
import { lightEncoding, lightSoundEncoding, pictureEncoding, soundEncoding } from './encoding.ts';
import { pictureFilters } from './picture-filters.ts';
import { fitsLevel, fitted, LIGHT_FRAMES, lightened, MAX_FRAMES, type Size } from './size.ts';
import { isPlainSound, soundFilters, soundShape } from './sound-plan.ts';
import type { Times } from './times.ts';
import { type PictureTrack, pictureOf, type SoundTrack, soundOf, type Tracks } from './tracks.ts';
import { rotationOf } from './turn.ts';

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

/** H.264 profiles with 8-bit 4:2:0: Baseline, Constrained Baseline, Main, High. */
const PROFILES = new Set([66, 578, 77, 100]);
/** Level 4.2 in H.264's notation. */
export const LEVEL = 42;
/** PQ and HLG, which exceed the brightness of an ordinary screen. */
const HDR_TRANSFERS = new Set([16, 18]);

export const isHdr = ({ colour }: PictureTrack) => HDR_TRANSFERS.has(colour.transfer);

/** Tracks to re-encode, because copying them failed. */
export type Reencode = { picture: boolean; sound: boolean };
export const NOTHING: Reencode = { picture: false, sound: false };

type PlanOptions = { reencode?: Reencode; light?: boolean };

/** Returns the plan for a film, or the problem that prevents one. `light`: re-encodes everything for slow connections. */
export function planFilm(
  tracks: Tracks,
  { reencode = NOTHING, light = false }: PlanOptions = {},
): FilmPlan | { refused: FileProblem } {
  const picture = pictureOf(tracks);
  const sound = soundOf(tracks);
  const refused = problemOf(tracks, picture, sound);
  if (refused !== null) return { refused };
  if (picture === null || picture.times === null) return { refused: 'no_picture' };
  const usableSound = sound?.isReadable === true ? sound : null;
  const all = [picture.times, ...(usableSound?.times ? [usableSound.times] : [])];
  const start = Math.min(...all.map((times) => times.start));
  return {
    picture: planPicture(picture, picture.times, { reencode: reencode.picture, light }),
    sound: usableSound && planSound(usableSound, reencode.sound, light),
    origin: beginsAtZero(tracks.container) ? 0 : start,
    duration: Math.max(...all.map((times) => times.end)) - start,
    megapixels: (picture.width * picture.height * picture.times.packets) / 1e6,
  };
}

/** @throws {FileRejected} if there is no plan */
export function orThrow<P extends object>(plan: P | { refused: FileProblem }): P {
  if ('refused' in plan) throw new FileRejected(plan.refused);
  return plan;
}

function problemOf(
  tracks: Tracks,
  picture: PictureTrack | null,
  sound: SoundTrack | null,
): FileProblem | null {
  if (picture?.isProtected === true || sound?.isProtected === true) return 'protected';
  const isFilm = tracks.pictures.some(({ isExtra }) => !isExtra);
  if (isFilm && tracks.isCutShort) return 'cut_short';
  if (picture === null) return isFilm ? 'damaged' : 'no_picture';
  if (picture.pixels === null) return picture.isReadable ? 'damaged' : 'undecodable';
  if (isUnbelievable(sound?.times ?? null, picture.times)) return 'damaged';
  return boundsProblem(tracks, [picture.times, sound?.times], picture);
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
function isUnbelievable(sound: Times | null, picture: Times | null): boolean {
  if (picture === null) return false;
  const isSound = sound !== null && sound.typical <= BELIEVED.packet;
  const isSong = isSound && picture.end - sound.end <= BELIEVED.after;
  if (picture.typical > LONGEST_PICTURE_SECONDS) return !isSong;
  return !isSound && sound !== null && sound.end - picture.end > BELIEVED.after;
}

/** Returns the problem if gaps, size, duration or packets exceed the limits. */
export function boundsProblem(
  { longestHole }: Tracks,
  times: readonly (Times | null | undefined)[],
  { width, height }: Size,
): FileProblem | null {
  const known = times.filter((each) => each !== null && each !== undefined);
  if (longestHole > MAX_GAP_SECONDS) return 'damaged';
  if (width * height > MAX_PIXELS) return 'too_large';
  const isLong = ({ start, end, packets }: Times) =>
    end - start > LONGEST_FILM_SECONDS || packets > MAX_PACKETS;
  return known.some(isLong) ? 'too_long' : null;
}

function planPicture(
  track: PictureTrack,
  times: Times,
  { reencode, light }: { reencode: boolean; light: boolean },
): PicturePlan {
  const turn = rotationOf(track.matrix);
  if (!reencode && !light && isPlainPicture(track, times) && !turn.mirrored) {
    const shown = turn.swaps ? { width: track.height, height: track.width } : track;
    const size = { width: shown.width, height: shown.height };
    return { how: 'keep', track, size, relevel: track.level > LEVEL };
  }
  const fullSize = fitted(track, track.pixelAspect);
  const before = light ? lightened(fullSize) : fullSize;
  const frameLimit = light ? LIGHT_FRAMES : MAX_FRAMES;
  const size = turn.swaps ? { width: before.height, height: before.width } : before;
  const span = Math.max(times.end - times.start, times.typical, 0.001);
  const framesASecond = Math.min(frameLimit, Math.max(1, times.shown / span));
  const filters = pictureFilters(track, times, before, { turning: turn.filters, maxFrameRate: frameLimit });
  const encoding = light ? lightEncoding(framesASecond) : pictureEncoding(size, framesASecond);
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
export function planSound(track: SoundTrack, anew: boolean, light = false): SoundPlan {
  if (!anew && !light && isPlainSound(track)) return { how: 'keep', track };
  const shape = soundShape(track);
  const encoding = light ? lightSoundEncoding(shape.channels) : soundEncoding(shape.channels);
  return { how: 'make', track, filters: soundFilters(track), ...shape, encoding };
}

/** Returns the tracks to re-encode after a plan with faulty ones, or null if nothing is left: a faulty re-encoding can't be improved. */
export function nextPlan({ picture, sound }: FilmPlan, before: Reencode, faulty: Reencode): Reencode | null {
  if (faulty.picture && picture.how === 'make') return null;
  if (faulty.sound && sound?.how === 'make') return null;
  return { picture: before.picture || faulty.picture, sound: before.sound || faulty.sound };
}
