/** Bits per second up to which a film needs no light version. */
const MAX_LIGHT_BITRATE = 1_250_000;
/** Maximum share of the film's bytes at which a light version is worth storing. */
const MAX_SIZE_SHARE = 0.8;

type Length = { bytes: number; seconds: number };

/** Returns the average bits per second; null for a film without length. */
export function bitrateOf({ bytes, seconds }: Length): number | null {
  return seconds > 0 ? Math.round((bytes * 8) / seconds) : null;
}

/** Returns true if a slow connection can carry the film unchanged. */
export function isLightAlready({ bytes, seconds }: Length): boolean {
  return bytes * 8 <= MAX_LIGHT_BITRATE * seconds;
}

/** Returns true if a light version is clearly smaller than its film. Both in bytes. */
export function isWorthKeeping(light: number, film: number): boolean {
  return light <= MAX_SIZE_SHARE * film;
}

/**
 * State of a film's light version. `waiting`: to be created, or in progress; `again`: the same after the film's file changed; `made`: it
 * exists;
 * `needless`: it wouldn't be clearly smaller; `refused`: impossible for this film;
 * `failed`: the machine failed, and the server retries at its next start.
 */
export const LIGHT_STATES = ['waiting', 'again', 'made', 'needless', 'refused', 'failed'] as const;
export type LightState = (typeof LIGHT_STATES)[number];

/**
 * Stored state. `on`: enabled; `url`: null unless created from the film's current file; `seconds`: length of the film, null until known.
 */
export type StoredLight = { on: boolean; state: LightState; url: string | null; seconds: number | null };

type LightRow = {
  url: string;
  light_url: string | null;
  light_of: string | null;
  light_state: string | null;
  light_on: boolean;
  seconds: number | null;
};

export function storedLight({
  url,
  light_url,
  light_of,
  light_state,
  light_on,
  seconds,
}: LightRow): StoredLight {
  const isCurrent = light_of === url;
  const known = LIGHT_STATES.find((state) => state === light_state);
  const unmade = light_of === null ? 'waiting' : 'again';
  const state = isCurrent || known === 'failed' ? (known ?? unmade) : unmade;
  return { on: light_on, state, url: isCurrent ? light_url : null, seconds };
}

/**
 * An ordinary 4G connection: profile «4G» of page measuring tools (WebPageTest: 9 Mbit/s, 170 ms). Most connections are faster, so a film
 * reaches its estimated start almost everywhere.
 */
const FOUR_G = { bitsPerSecond: 9_000_000, roundTripSeconds: 0.17 };
/** Round trips before the film's first bytes: the request, and a range request. */
const ROUND_TRIPS = 2;
/** Seconds of film that a browser buffers before it plays. */
const BEFORE_IT_PLAYS_SECONDS = 3;

/**
 * Returns the seconds from the tap until a film starts on 4G and plays without a stall. Nothing was preloaded, as on an iPhone.
 * It starts with its first seconds, or, if its bitrate exceeds the connection, once the rest arrives in time. Whole seconds, at least 1.
 */
export function startsAfter({ bytes, seconds }: Length): number {
  const downloadSeconds = (bytes * 8) / FOUR_G.bitsPerSecond;
  const firstSeconds =
    seconds > 0 ? downloadSeconds * Math.min(1, BEFORE_IT_PLAYS_SECONDS / seconds) : downloadSeconds;
  return Math.max(
    1,
    Math.round(ROUND_TRIPS * FOUR_G.roundTripSeconds + Math.max(firstSeconds, downloadSeconds - seconds)),
  );
}
