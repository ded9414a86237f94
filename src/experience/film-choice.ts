/**
 * Which film she is shown: the full one, unless it is known that her line doesn't carry it. What is loaded before the start tap, while the phrases
 * run, is the measure: as many seconds of film as arrive in a second of hers can be played.
 */
export const FILM_CHOICE = {
  /** After so many milliseconds of loading it is clear which one it is; at the tap, or where the browser loads no more, fewer tell enough. */
  clearAfter: 3_000,
  tellsAfter: 1_000,
  /** So much of what a line has shown is counted on. */
  kept: 0.8,
  /** Browsers say no more than this of any line (megabits a second): it means nothing. */
  mostDownlink: 10,
} as const;

/** The part of a visit's film that the choice is about. */
export type Films = {
  video_url: string;
  /** The same for a slow line; null where there is none. */
  light_url: string | null;
  /** Bits a second of the full one; null where that isn't known. */
  video_bitrate: number | null;
  video_playback_rate: number;
};

/** Seconds of film that were there, at a moment of a monotonic clock in milliseconds. */
type DownloadMark = { at: number; arrived: number };

/** A film that is loaded ahead: when it was asked for, when its first seconds were there, and when last something could arrive. */
export type DownloadMeasure = { asked: DownloadMark; first: DownloadMark | null; last: DownloadMark };

/** How the element stands. `arrived`, `ahead` of the position, `left` to be played: seconds of film, `left` not a number until its length is known. */
export type DownloadSample = {
  now: number;
  arrived: number;
  ahead: number;
  left: number;
  /** The browser loads no more by itself. */
  idle: boolean;
  /** Hidden or offline: what arrives now, or doesn't, says nothing about the line. */
  unreliable: boolean;
};

/** What the browser itself says of the line. `downlink` in megabits a second, null where it says nothing. */
export type ConnectionInfo = { savesData: boolean; downlink: number | null };

export function newMeasure(now: number): DownloadMeasure {
  const asked = { at: now, arrived: 0 };
  return { asked, first: null, last: asked };
}

/** One look at what has arrived. What didn't count is left out by measuring anew. */
export function measure(
  before: DownloadMeasure,
  { now, arrived, idle, unreliable }: DownloadSample,
): DownloadMeasure {
  const mark = { at: now, arrived };
  if (unreliable) return { asked: mark, first: null, last: mark };
  if (idle && arrived <= before.last.arrived) return before;
  return {
    asked: before.asked,
    first: before.first ?? (arrived > before.asked.arrived ? mark : null),
    last: mark,
  };
}

/** The film to load and to play, or null while that isn't clear. @param tapped it is to start now: an answer is due */
export function chooseFilm(
  films: Films,
  line: ConnectionInfo,
  seen: { measure: DownloadMeasure; look: DownloadSample },
  tapped: boolean,
): 'full' | 'light' | null {
  if (films.light_url === null) return 'full';
  if (line.savesData) return 'light';
  const told = time(seen.measure);
  const soon = tapped || seen.look.idle;
  if (told >= FILM_CHOICE.clearAfter || soon) {
    if (playsThrough(films, seen)) return 'full';
    if (told >= (soon ? FILM_CHOICE.tellsAfter : FILM_CHOICE.clearAfter)) return 'light';
  }
  if (!tapped) return null;
  return isSaidSlow(films, line) ? 'light' : 'full';
}

/** For how long seconds of film have arrived, in milliseconds. */
function time({ first, last }: DownloadMeasure): number {
  return first === null ? 0 : last.at - first.at;
}

/** Will every second be there when it is to be played, if the line goes on nearly as it did? */
function playsThrough(
  { video_playback_rate }: Films,
  { measure: { asked, first, last }, look }: Parameters<typeof chooseFilm>[2],
): boolean {
  const growth = Math.max(speed(asked, last), first === null ? 0 : speed(first, last));
  return look.ahead + (FILM_CHOICE.kept * growth * look.left) / video_playback_rate >= look.left;
}

/** Seconds of film in a second. */
function speed(from: DownloadMark, to: DownloadMark): number {
  return to.at > from.at ? ((to.arrived - from.arrived) * 1_000) / (to.at - from.at) : 0;
}

/** Where nothing could be measured: does the browser say that the line is slower than the film? */
function isSaidSlow({ video_bitrate, video_playback_rate }: Films, { downlink }: ConnectionInfo): boolean {
  if (video_bitrate === null || downlink === null || downlink >= FILM_CHOICE.mostDownlink) return false;
  return downlink * 1_000_000 < video_bitrate * video_playback_rate;
}
