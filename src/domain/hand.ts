/** The letters of names that the hand on her letter can write (scripts/assets.mjs cuts it to these): Italian ones, and those common in Europe. */
export const HANDWRITING_LETTERS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' +
  'àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœăąćčďđęěğıłńňőřśşšťůűźżžșț' +
  'ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜÝŒĆČĐĎİŁŚŞŠŹŻŽȘ' +
  " ,.…!'’-";

/** Can the hand write the whole name? One strange letter among its own would look like a mistake: the name is then set in the serif, whole. */
export function canHandwrite(name: string): boolean {
  return [...name.normalize('NFC')].every((sign) => HANDWRITING_LETTERS.includes(sign));
}
