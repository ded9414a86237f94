import type { SlotName } from '../../../../../domain/media.ts';

/** An upload whose bytes have all arrived: its id, slot, file name and size in bytes. */
export type CompletedUpload = { upload: string; slot: SlotName; nome: string; size: number };

/** Slot of an upload, and the callback for when all bytes have arrived. */
export type UploadTarget = { slot: SlotName; onArrived: (completed: CompletedUpload) => void };
