import type { SlotName } from '../../../../../domain/media-slots.ts';
import type { Kept } from './upload.ts';

/** What an upload is for, and what follows when it was kept. */
export type Job = {
  slot: SlotName;
  /** @param file what was sent; null where an earlier page had sent it */
  onKept: (kept: Kept, file: File | null) => void;
};
