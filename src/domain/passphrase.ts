import { PASSPHRASE_LENGTH } from './limits.ts';

/** Is this too short to seal an archive with? */
export const isShortPassphrase = (text: string): boolean => [...text].length < PASSPHRASE_LENGTH.min;
