import { withoutUnseen } from './blank.ts';
import { CODE } from './limits.ts';

/**
 * A code as it is compared: upper case, only A-Z and 0-9 (spec 5). The same function serves the browser and the server.
 * `toUpperCase` and not its locale form: under a Turkish locale 'i' must still become 'I'.
 */
export function normalizeCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** As people type and paste one: with a zero for the O, another dash or none, and eight letters or digits. */
const WHOLE = /^(?:R[O0]M)?([A-Z0-9]{8})$/;
const AMONG_WORDS = /R[O0]M\p{Pd}([A-Z0-9]{8})/gu;

/**
 * The code that somebody means, normalised: all of the text, or the only one in a message, or else the text as it is. Full-width and mathematical
 * letters are letters, and what can't be seen is nothing.
 */
export function codeIn(text: string): string {
  const plain = withoutUnseen(text.normalize('NFKC')).toUpperCase();
  const [, whole] = WHOLE.exec(normalizeCode(plain)) ?? [];
  const [found, ...others] = new Set([...plain.matchAll(AMONG_WORDS)].map(([, signs]) => signs));
  const signs = whole ?? (others.length === 0 ? found : undefined);
  return normalizeCode(signs === undefined ? plain : CODE.prefix + signs);
}

/** The code that was understood as it stands on a card; what isn't one stays as it is. */
export function asOnCard(text: string): string {
  const code = codeIn(text);
  return /^ROM.{8}$/.test(code) ? code.replace('ROM', CODE.prefix) : text;
}

/**
 * A new code, for example `ROM-7KX2M9QD` (spec 9).
 * @param randomInt a cryptographic source: an integer in [0, max)
 */
export function newCode(randomInt: (max: number) => number): string {
  const signs = Array.from({ length: CODE.length }, () => CODE.alphabet[randomInt(CODE.alphabet.length)]);
  return CODE.prefix + signs.join('');
}
