/** A preview follows the keys at this distance, in milliseconds. */
export const PREVIEW_DELAY_MS = 350;
