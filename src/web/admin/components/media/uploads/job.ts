import type { SlotName } from '../../../../../domain/media-slots.ts';

/** An upload whose every byte is there: its id, and what the file is called and weighs (bytes). */
export type CompletedUpload = { upload: string; slot: SlotName; nome: string; size: number };

/** What an upload is for, and what follows when all of it is there. */
export type UploadTarget = { slot: SlotName; onArrived: (whole: CompletedUpload) => void };
