import { CODE } from './limits.ts';

/**
 * A code as it is compared: upper case, only A-Z and 0-9 (spec 5). The same function serves the browser and the server.
 * `toUpperCase` and not its locale form: under a Turkish locale 'i' must still become 'I'.
 */
export function normalizeCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/**
 * A new code, for example `ROM-7KX2M9QD` (spec 9).
 * @param randomInt a cryptographic source: an integer in [0, max)
 */
export function newCode(randomInt: (max: number) => number): string {
  const signs = Array.from({ length: CODE.length }, () => CODE.alphabet[randomInt(CODE.alphabet.length)]);
  return CODE.prefix + signs.join('');
}
