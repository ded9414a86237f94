/** Delay between typing and the preview, in ms. It lets words animate one by one instead of on every key. */
export const PREVIEW_DELAY_MS = 350;
