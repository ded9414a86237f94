/** A preview follows the keys at this distance, in milliseconds: her words arrive one by one, not once per key. */
export const PREVIEW_DELAY_MS = 350;
