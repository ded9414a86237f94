/**
 * Letters that the handwriting font of the letter contains (scripts/assets.mjs subsets it to these): Italian ones, and those common in
 * Europe.
 */
export const HANDWRITING_LETTERS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' +
  'àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœăąćčďđęěğıłńňőřśşšťůűźżžșț' +
  'ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜÝŒĆČĐĎİŁŚŞŠŹŻŽȘ' +
  " ,.…!'’-";

/**
 * Returns true if the handwriting font has every letter of the name. Otherwise the whole name is set in the serif, because one foreign
 * letter would look like a mistake.
 */
export function canHandwrite(name: string): boolean {
  return [...name.normalize('NFC')].every((sign) => HANDWRITING_LETTERS.includes(sign));
}
