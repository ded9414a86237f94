import { PASSPHRASE_LENGTH } from './limits.ts';

/** Returns true if the text is too short for an archive's passphrase. */
export const isShortPassphrase = (text: string): boolean => [...text].length < PASSPHRASE_LENGTH.min;
