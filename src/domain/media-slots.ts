import type { FieldOf } from './configuration.ts';
import type { Viaggio } from './content.ts';
import { MEDIA_BYTES } from './limits.ts';
import { keysOf } from './records.ts';

/** Kind of file that a slot accepts; detected from the content, never from the name. */
export type MediaKind = 'video' | 'image' | 'tickets' | 'song';

export type MediaSlot = {
  kind: MediaKind;
  /** Field of `admin_config` that points to the active file. */
  field: FieldOf<'file'>;
  /** null for files of the whole evening. */
  viaggio: Viaggio | null;
  /** Maximum size in bytes; an installation can change the video's. */
  maxBytes: number;
};

/** All fields of the surprise that contain a file (spec 2 and 7). Upload, checks, hints and pages use this list. */
export const MEDIA_SLOTS = {
  video: { kind: 'video', field: 'video_url', viaggio: null, maxBytes: MEDIA_BYTES.video },
  canzone: { kind: 'song', field: 'canzone_url', viaggio: null, maxBytes: MEDIA_BYTES.song },
  immagine: {
    kind: 'image',
    field: 'immagine_destinazione_url',
    viaggio: 1,
    maxBytes: MEDIA_BYTES.image,
  },
  biglietti: { kind: 'tickets', field: 'biglietti_url', viaggio: 1, maxBytes: MEDIA_BYTES.tickets },
  immagine_2: {
    kind: 'image',
    field: 'immagine_destinazione_url_2',
    viaggio: 2,
    maxBytes: MEDIA_BYTES.image,
  },
  biglietti_2: { kind: 'tickets', field: 'biglietti_url_2', viaggio: 2, maxBytes: MEDIA_BYTES.tickets },
} as const satisfies Record<string, MediaSlot>;

export type SlotName = keyof typeof MEDIA_SLOTS;
export const SLOT_NAMES = keysOf(MEDIA_SLOTS);

/** Slots of the destinations' pictures. */
export const IMAGE_SLOTS = ['immagine', 'immagine_2'] as const satisfies SlotName[];
export type ImageSlot = (typeof IMAGE_SLOTS)[number];

/** Slots of tickets. */
export const TICKET_SLOTS = ['biglietti', 'biglietti_2'] as const satisfies SlotName[];
export type TicketSlot = (typeof TICKET_SLOTS)[number];

/**
 * Returns the maximum size of a slot's file, in bytes.
 * @param videoBytes maximum of this installation for a video
 */
export function largestUpload(slot: SlotName, videoBytes: number = MEDIA_BYTES.video): number {
  return slot === 'video' ? videoBytes : MEDIA_SLOTS[slot].maxBytes;
}
