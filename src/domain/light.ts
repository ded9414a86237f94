/** A film of so few bits a second is light already: none is made of it. */
const LIGHT_ALREADY = 1_250_000;
/** A light film of more than this share of the film's bytes isn't worth being kept. */
const WORTH = 0.8;

type Length = { bytes: number; seconds: number };

/** Bits a second, on the whole; null of a film without length. */
export function bitrateOf({ bytes, seconds }: Length): number | null {
  return seconds > 0 ? Math.round((bytes * 8) / seconds) : null;
}

/** Would a slow line carry it as it is? */
export function isLightAlready({ bytes, seconds }: Length): boolean {
  return bytes * 8 <= LIGHT_ALREADY * seconds;
}

/** Is a light film clearly smaller than its film? In bytes. */
export function isWorthKeeping(light: number, film: number): boolean {
  return light <= WORTH * film;
}

/**
 * Where the light version of a film stands. `waiting`: it is still to be made, or being made; `again`: the same, of a film that became another
 * file; `needless`: it wouldn't be clearly smaller; `refused`: none can be made of this film; `failed`: the machine was the reason, it is tried again when the server starts.
 */
export const LIGHT_STATES = ['waiting', 'again', 'made', 'needless', 'refused', 'failed'] as const;
export type LightState = (typeof LIGHT_STATES)[number];

/** As it is in the list of films. `on`: it is wanted; `url`: null unless it was made of the film as it is; `seconds`: the film's, null until they are known. */
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
  const isOfThis = light_of === url;
  const known = LIGHT_STATES.find((state) => state === light_state);
  const unmade = light_of === null ? 'waiting' : 'again';
  const state = isOfThis || known === 'failed' ? (known ?? unmade) : unmade;
  return { on: light_on, state, url: isOfThis ? light_url : null, seconds };
}

/**
 * A 4G line as it is on an ordinary evening, not at its best: the profile «4G» of the tools that measure pages (WebPageTest: 9 Mbit/s, 170 ms).
 * Most are faster: what is said to start in two seconds does so nearly everywhere.
 */
const FOUR_G = { bitsPerSecond: 9_000_000, roundTripSeconds: 0.17 };
/** Asked for, and asked for a range: then the film's first bytes come. */
const ROUND_TRIPS = 2;
/** So much of a film is there before a browser plays it. */
const BEFORE_IT_PLAYS_SECONDS = 3;

/**
 * So long after the tap a film starts on 4G, of which nothing was loaded before (as on an iPhone), so that it plays to its end without a stall: with
 * the first seconds of an even film, or, where it asks more of the line than that carries, once the rest comes in time. Whole seconds, at least one.
 */
export function startsAfter({ bytes, seconds }: Length): number {
  const whole = (bytes * 8) / FOUR_G.bitsPerSecond;
  const first = seconds > 0 ? whole * Math.min(1, BEFORE_IT_PLAYS_SECONDS / seconds) : whole;
  return Math.max(1, Math.round(ROUND_TRIPS * FOUR_G.roundTripSeconds + Math.max(first, whole - seconds)));
}
