import type { FieldOf } from './configuration.ts';
import type { Viaggio } from './content.ts';
import { MEDIA_BYTES } from './limits.ts';
import { keysOf } from './records.ts';

/** What kind of file a slot takes; the bytes decide, never the name. */
export type MediaKind = 'video' | 'image' | 'tickets' | 'song';

export type MediaSlot = {
  kind: MediaKind;
  /** The field of `admin_config` that points to the active file. */
  field: FieldOf<'file'>;
  /** Null for what belongs to the whole evening. */
  viaggio: Viaggio | null;
  /** The largest file, in bytes; the video's can be changed by the installation. */
  maxBytes: number;
};

/** Every place of the surprise that holds a file (spec 2 and 7). Upload, checks, hints and pages read it. */
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

/** The slots of the destinations' pictures. */
export const IMAGE_SLOTS = ['immagine', 'immagine_2'] as const satisfies SlotName[];
export type ImageSlot = (typeof IMAGE_SLOTS)[number];

/** The slots of tickets. */
export const TICKET_SLOTS = ['biglietti', 'biglietti_2'] as const satisfies SlotName[];
export type TicketSlot = (typeof TICKET_SLOTS)[number];

/**
 * The largest file a slot takes, in bytes.
 * @param videoBytes what the installation allows for a video
 */
export function largestUpload(slot: SlotName, videoBytes: number = MEDIA_BYTES.video): number {
  return slot === 'video' ? videoBytes : MEDIA_SLOTS[slot].maxBytes;
}
