/** The letters of names that the hand on her letter can write (scripts/assets.mjs cuts it to these): Italian ones, and those common in Europe. */
export const HAND_LETTERS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' +
  'àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœăąćčďđęěğıłńňőřśşšťůűźżžșț' +
  'ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜÝŒĆČĐĎİŁŚŞŠŹŻŽȘ' +
  " ,.…!'’-";

/** Can the hand write the whole name? One strange letter among its own would look like a mistake: the name is then set in the serif, whole. */
export function isHandwritten(name: string): boolean {
  return [...name.normalize('NFC')].every((sign) => HAND_LETTERS.includes(sign));
}
