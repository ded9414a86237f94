import type { MediaItem, TicketPage } from '../contract/admin/media.ts';
import type { Captions } from '../contract/model.ts';
import type { FieldOf } from './configuration.ts';
import type { Viaggio } from './content.ts';
import { HEAVY_FILE, MEDIA_BYTES } from './limits.ts';
import { keysOf } from './records.ts';

export type { TicketPage } from '../contract/admin/media.ts';
export type { Captions } from '../contract/model.ts';

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

/** Name of a stored file: 128 random bits in hex, and its extension. */
export type MediaFile = { id: string; extension: string };

const ID = '[0-9a-f]{32}';
const EXTENSION = '[a-z0-9]{1,10}';

/** Form of a file's name at the end of its address. */
export const MEDIA_NAME = new RegExp(`^${ID}\\.${EXTENSION}$`);
/** Form of a media address, as served and as stored in the configuration's `…_url` fields. */
export const MEDIA_ADDRESS = new RegExp(`^/api/media/(${ID})\\.(${EXTENSION})$`);

/** Returns the address from which a browser loads a file. */
export function mediaUrl({ id, extension }: MediaFile): string {
  return `/api/media/${id}.${extension}`;
}

/** Returns the file of a media address, or null for any other address. */
export function mediaFileAt(address: string | null): MediaFile | null {
  const [, id, extension] = MEDIA_ADDRESS.exec(address ?? '') ?? [];
  return id === undefined || extension === undefined ? null : { id, extension };
}

/** Returns the id of a media address, or null for any other address. */
export function mediaIdOf(address: string | null): string | null {
  return mediaFileAt(address)?.id ?? null;
}

/** Returns true if a film is heavy for mobile data, by its size or its bitrate. It is stored anyway, with a warning. */
export function isHeavyVideo({ bytes, seconds }: { bytes: number; seconds: number }): boolean {
  return bytes > HEAVY_FILE.videoBytes || (bytes * 8) / seconds > HEAVY_FILE.videoBitsPerSecond;
}

/** Returns true if a song is heavy for mobile data, by its size. */
export function isHeavySong(bytes: number): boolean {
  return bytes > HEAVY_FILE.songBytes;
}

/** The meter's value for silence (LUFS); sound at or below it counts as absent. */
export const SILENCE_LUFS = -70;

/** Integrated loudness of films and songs, in LUFS (EBU R128, decision 043). Television uses −23, phones' media about −16. */
export const LOUDNESS = {
  /** Below this, speech is hardly intelligible on a phone's loudspeaker at full volume. */
  quiet: -27,
  /** Above this, it is louder than the loudest masters: the visitor is startled, or turns it down and then misses what follows. */
  loud: -11,
  /** Difference (LU) above which consecutive media are perceived as different volumes. */
  apart: 4,
  /** Target range of songs, so that a song isn't compared with a film that is far too quiet or too loud. */
  songs: { min: -23, max: -12 },
} as const;

/** Warnings about a file's loudness. */
export const LOUDNESS_WARNINGS = ['TOO_QUIET', 'TOO_LOUD', 'QUIETER_THAN_FILM', 'LOUDER_THAN_FILM'] as const;
export type LoudnessWarning = (typeof LOUDNESS_WARNINGS)[number];

/**
 * Returns the warning about a file's loudness, or null. A song is compared with the film in use, because it follows that film;
 * if the film's loudness is unknown, the song is judged alone.
 * @param loudness in LUFS; null if silent or not measured
 * @param film loudness of the film in use; null if there is none or it is silent
 */
export function loudnessWarning(
  kind: MediaKind,
  loudness: number | null,
  film: number | null,
): LoudnessWarning | null {
  if (loudness === null) return null;
  if (kind === 'song' && film !== null) {
    const { songs } = LOUDNESS;
    const difference = loudness - Math.min(songs.max, Math.max(songs.min, film));
    if (Math.abs(difference) <= LOUDNESS.apart) return null;
    return difference < 0 ? 'QUIETER_THAN_FILM' : 'LOUDER_THAN_FILM';
  }
  if (loudness < LOUDNESS.quiet) return 'TOO_QUIET';
  return loudness > LOUDNESS.loud ? 'TOO_LOUD' : null;
}

/** Bits per second up to which a film needs no light version. */
const MAX_LIGHT_BITRATE = 1_250_000;
/** Maximum share of the film's bytes at which a light version is worth storing. */
const MAX_SIZE_SHARE = 0.8;

type Length = { bytes: number; seconds: number };

/** Returns the average bits per second; null for a film without length. */
export function bitrateOf({ bytes, seconds }: Length): number | null {
  return seconds > 0 ? Math.round((bytes * 8) / seconds) : null;
}

/** Returns true if a slow connection can carry the film unchanged. */
export function isLightAlready({ bytes, seconds }: Length): boolean {
  return bytes * 8 <= MAX_LIGHT_BITRATE * seconds;
}

/** Returns true if a light version is clearly smaller than its film. Both in bytes. */
export function isWorthKeeping(light: number, film: number): boolean {
  return light <= MAX_SIZE_SHARE * film;
}

/**
 * State of a film's light version. `waiting`: to be created, or in progress; `again`: the same after the film's file changed; `made`: it
 * exists;
 * `needless`: it wouldn't be clearly smaller; `refused`: impossible for this film;
 * `failed`: the machine failed, and the server retries at its next start.
 */
export const LIGHT_STATES = ['waiting', 'again', 'made', 'needless', 'refused', 'failed'] as const;
export type LightState = (typeof LIGHT_STATES)[number];

/**
 * Stored state. `on`: enabled; `url`: null unless created from the film's current file; `seconds`: length of the film, null until known.
 */
export type StoredLight = { on: boolean; state: LightState; url: string | null; seconds: number | null };

type LightRow = {
  url: string;
  light_url: string | null;
  light_of: string | null;
  light_state: string | null;
  light_on: boolean;
  seconds: number | null;
};

export function storedLight(row: LightRow): StoredLight {
  const isCurrent = row.light_of === row.url;
  const known = LIGHT_STATES.find((state) => state === row.light_state);
  const unmade = row.light_of === null ? 'waiting' : 'again';
  const state = isCurrent || known === 'failed' ? (known ?? unmade) : unmade;
  return { on: row.light_on, state, url: isCurrent ? row.light_url : null, seconds: row.seconds };
}

/**
 * An ordinary 4G connection: profile «4G» of page measuring tools (WebPageTest: 9 Mbit/s, 170 ms). Most connections are faster, so a film
 * reaches its estimated start almost everywhere.
 */
const FOUR_G = { bitsPerSecond: 9_000_000, roundTripSeconds: 0.17 };
/** Round trips before the film's first bytes: the request, and a range request. */
const ROUND_TRIPS = 2;
/** Seconds of film that a browser buffers before it plays. */
const BEFORE_IT_PLAYS_SECONDS = 3;

/**
 * Returns the seconds from the tap until a film starts on 4G and plays without a stall. Nothing was preloaded, as on an iPhone.
 * It starts with its first seconds, or, if its bitrate exceeds the connection, once the rest arrives in time. Whole seconds, at least 1.
 */
export function startsAfter({ bytes, seconds }: Length): number {
  const downloadSeconds = (bytes * 8) / FOUR_G.bitsPerSecond;
  const firstSeconds =
    seconds > 0 ? downloadSeconds * Math.min(1, BEFORE_IT_PLAYS_SECONDS / seconds) : downloadSeconds;
  return Math.max(
    1,
    Math.round(ROUND_TRIPS * FOUR_G.roundTripSeconds + Math.max(firstSeconds, downloadSeconds - seconds)),
  );
}

/**
 * Audience of a film's captions: `device`: visitors whose phone or browser has captions turned on; `always`: all visitors;
 * `never`: none, but the captions stay stored.
 */
export const CAPTION_MODES = ['device', 'always', 'never'] as const;
export type CaptionMode = (typeof CAPTION_MODES)[number];

/** Captions of a film in the administrator's list. */
export type FilmCaptions = NonNullable<MediaItem['captions']>;

/** Returns the captions of a stored row; null if it has none. An unknown mode counts as `device`. */
export function storedCaptions(row: {
  captions_url: string | null;
  captions_mode: string;
}): FilmCaptions | null {
  const mode = CAPTION_MODES.find((known) => known === row.captions_mode) ?? 'device';
  return row.captions_url === null ? null : { url: row.captions_url, mode };
}

/** Returns the captions to send to a visit; null if there are none or they are disabled. */
export function captionsFor(captions: FilmCaptions | null): Captions | null {
  if (captions === null || captions.mode === 'never') return null;
  return { url: captions.url, always: captions.mode === 'always' };
}

/** Seconds that the last caption may exceed its film. Files for another cut exceed it by more. */
const GRACE_SECONDS = 2;

/**
 * Returns true if the captions belong to another film, or to another cut of it.
 * @param end in seconds, null if unknown
 * @param film in seconds, null if unknown
 */
export function endsAfterFilm(end: number | null, film: number | null): boolean {
  return end !== null && film !== null && end > film + GRACE_SECONDS;
}

/** Formats a point in a film for WebVTT, to the millisecond. */
export function captionTime(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const part = (of: number, digits: number) => String(Math.floor(of)).padStart(digits, '0');
  const [h, m, s] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  return `${part(h, 2)}:${part(m, 2)}:${part(s, 2)}.${part(ms % 1_000, 3)}`;
}

/**
 * Ticket pages are rendered once, as pictures, at most `max` of them, the limit of comfortable scrolling. `width` is three times a phone's,
 * so that a QR code can be scanned from the screen; `smallWidth` is for lists. In pixels.
 */
export const TICKET_PAGES = { max: 20, width: 1_170, smallWidth: 360 } as const;

/**
 * Defects of a rendered page: `blank`: it has content but is white; `image`: a picture in it can't be decoded;
 * `font`: a font isn't embedded and was replaced.
 */
export const PAGE_FINDINGS = ['blank', 'image', 'font'] as const;
export type PageFinding = (typeof PAGE_FINDINGS)[number];

/** Returns true if part of the page can't be read, so the visitor would miss content of the file. */
export const isUnreadable = ({ finding }: Pick<TicketPage, 'finding'>): boolean =>
  finding === 'blank' || finding === 'image';
