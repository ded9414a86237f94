/**
 * Settings of the film choice: the full film, unless the connection is known to be too slow for it. The download speed
 * before the start tap, while the phrases run, decides: a film plays if its seconds arrive at playback speed.
 */
export const FILM_CHOICE = {
  /** Loading time in ms that decides the choice. `minSampleMs` is enough at the tap, or if the browser stops loading. */
  decideAfterMs: 3_000,
  minSampleMs: 1_000,
  /** Share of the measured speed that is assumed to last. */
  safetyFactor: 0.8,
  /** Highest `downlink` that browsers report, in Mbit/s. At this value it carries no information. */
  maxDownlinkMbps: 10,
} as const;

/** The fields of a visit's film that the choice depends on. */
export type Films = {
  video_url: string;
  /** URL of the light film for slow connections; null if there is none. */
  light_url: string | null;
  /** Bits per second of the full film; null if unknown. */
  video_bitrate: number | null;
  video_playback_rate: number;
};

/** Seconds of film that had arrived at a time `at` (monotonic clock, ms). */
type DownloadMark = { at: number; arrived: number };

/** Measure of a film that loads ahead: at the request, at its first seconds, and when data could last arrive. */
export type DownloadMeasure = { asked: DownloadMark; first: DownloadMark | null; last: DownloadMark };

/**
 * State of the element. `arrived`, `ahead` of the position and `left` to play are seconds of film. `left` is NaN until
 * the length is known.
 */
export type DownloadSample = {
  now: number;
  arrived: number;
  ahead: number;
  left: number;
  /** The browser has stopped loading. */
  idle: boolean;
  /** Hidden or offline: the measurement restarts. */
  unreliable: boolean;
};

/** The browser's own connection data. `downlink` in Mbit/s, null if not reported. */
export type ConnectionInfo = { savesData: boolean; downlink: number | null };

export function newMeasure(now: number): DownloadMeasure {
  const asked = { at: now, arrived: 0 };
  return { asked, first: null, last: asked };
}

/** Adds a sample to the measure. An unreliable sample restarts the measurement. */
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

/**
 * Returns the film to load and play, or null if it is not decided yet.
 * @param tapped the film must start now, so a choice is required
 */
export function chooseFilm(
  films: Films,
  line: ConnectionInfo,
  seen: { measure: DownloadMeasure; look: DownloadSample },
  tapped: boolean,
): 'full' | 'light' | null {
  if (films.light_url === null) return 'full';
  if (line.savesData) return 'light';
  const measuredMs = time(seen.measure);
  const soon = tapped || seen.look.idle;
  if (measuredMs >= FILM_CHOICE.decideAfterMs || soon) {
    if (playsThrough(films, seen)) return 'full';
    if (measuredMs >= (soon ? FILM_CHOICE.minSampleMs : FILM_CHOICE.decideAfterMs)) return 'light';
  }
  if (!tapped) return null;
  return isReportedSlow(films, line) ? 'light' : 'full';
}

/** Returns the time in ms during which seconds of film have arrived. */
function time({ first, last }: DownloadMeasure): number {
  return first === null ? 0 : last.at - first.at;
}

/** Returns true if every second will have arrived in time, assuming nearly the same speed as before. */
function playsThrough(
  { video_playback_rate }: Films,
  { measure: { asked, first, last }, look }: Parameters<typeof chooseFilm>[2],
): boolean {
  const growth = Math.max(speed(asked, last), first === null ? 0 : speed(first, last));
  return look.ahead + (FILM_CHOICE.safetyFactor * growth * look.left) / video_playback_rate >= look.left;
}

/** Returns the seconds of film that arrive per second. */
function speed(from: DownloadMark, to: DownloadMark): number {
  return to.at > from.at ? ((to.arrived - from.arrived) * 1_000) / (to.at - from.at) : 0;
}

/** Returns true if the browser reports a connection slower than the film. Used if nothing could be measured. */
function isReportedSlow(
  { video_bitrate, video_playback_rate }: Films,
  { downlink }: ConnectionInfo,
): boolean {
  if (video_bitrate === null || downlink === null || downlink >= FILM_CHOICE.maxDownlinkMbps) return false;
  return downlink * 1_000_000 < video_bitrate * video_playback_rate;
}
