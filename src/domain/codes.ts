import { removeInvisible } from './blank.ts';
import { CODE } from './limits.ts';

/**
 * Normalizes a code for comparison: upper case, only A-Z and 0-9 (spec 5). Browser and server share this function.
 * `toUpperCase` instead of its locale form: under a Turkish locale 'i' must still become 'I'.
 */
export function normalizeCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Code as typed or pasted: with a zero for the O, another dash or none, and eight letters or digits. */
const WHOLE_CODE = /^(?:R[O0]M)?([A-Z0-9]{8})$/;
const CODE_IN_TEXT = /R[O0]M\p{Pd}([A-Z0-9]{8})/gu;

/**
 * Returns the intended code, normalized: the whole text, or the only code in a message, else the normalized text.
 * Full-width and mathematical letters count as letters; invisible characters are ignored.
 */
export function intendedCode(text: string): string {
  const plain = removeInvisible(text.normalize('NFKC')).toUpperCase();
  const [, whole] = WHOLE_CODE.exec(normalizeCode(plain)) ?? [];
  const [embedded, ...others] = new Set([...plain.matchAll(CODE_IN_TEXT)].map(([, signs]) => signs));
  const signs = whole ?? (others.length === 0 ? embedded : undefined);
  return normalizeCode(signs === undefined ? plain : CODE.prefix + signs);
}

/** Returns the recognized code in the form of the card; other text is returned unchanged. */
export function formatForCard(text: string): string {
  const code = intendedCode(text);
  return /^ROM.{8}$/.test(code) ? code.replace('ROM', CODE.prefix) : text;
}

/**
 * Returns a new code, for example `ROM-7KX2M9QD` (spec 9).
 * @param randomInt cryptographic source of an integer in [0, max)
 */
export function newCode(randomInt: (max: number) => number): string {
  const signs = Array.from({ length: CODE.length }, () => CODE.alphabet[randomInt(CODE.alphabet.length)]);
  return CODE.prefix + signs.join('');
}
