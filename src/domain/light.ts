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
