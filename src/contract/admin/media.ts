import { z } from 'zod';
import { JOINED_TICKETS, LONGEST_FILM_SECONDS } from '../../domain/limits.ts';
import {
  CAPTION_MODES,
  IMAGE_SLOTS,
  LIGHT_STATES,
  LOUDNESS_WARNINGS,
  type MediaKind,
  PAGE_FINDINGS,
  SLOT_NAMES,
  TICKET_SLOTS,
} from '../../domain/media.ts';
import { adminCall, codesFrom, errorMap } from '../errors.ts';
import { drawnHuesSchema, fuocoSchema } from '../model.ts';
import { binnedSchema } from './tokens.ts';

export const slotName = z.enum(SLOT_NAMES);

/** Reasons why a file is refused, at its announcement or its check; sending it again doesn't help. The sentences are in texts/errors.ts. */
export const FILE_REFUSALS = codesFrom('FILE_').filter((code) => code !== 'FILE_NOT_JOINABLE');
export type FileRefusal = (typeof FILE_REFUSALS)[number];

/** Refusal for a file whose kind the slot doesn't accept. */
export const WRONG_KIND_REFUSAL: Record<MediaKind, FileRefusal> = {
  video: 'FILE_NOT_VIDEO',
  image: 'FILE_NOT_IMAGE',
  tickets: 'FILE_NOT_TICKETS',
  song: 'FILE_NOT_AUDIO',
};

/**
 * Work on a complete upload: true while it waits for its turn, progress (0 to 1), and remaining seconds, null until they can be estimated.
 */
export const processingSchema = z.object({
  waiting: z.boolean(),
  progress: z.number(),
  secondsLeft: z.number().nullable(),
});
export type ProcessingProgress = z.infer<typeof processingSchema>;

/** Reasons why the server can't continue with a file that may be good; another request starts the work again. */
export const BLOCK_REASONS = ['STORAGE_FULL', 'UNAVAILABLE', 'NO_FFMPEG'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** A complete upload that is in process, or was refused while no page waited for it. */
const arrived = z.object({
  upload: z.string(),
  slot: slotName,
  nome: z.string(),
  /** Bytes as received. */
  size: z.int(),
});
export const processingUploadSchema = z.discriminatedUnion('state', [
  arrived.extend({ state: z.literal('working'), ...processingSchema.shape }).strict(),
  arrived.extend({ state: z.literal('stopped'), codice: z.enum(BLOCK_REASONS) }).strict(),
  arrived.extend({ state: z.literal('refused'), codice: z.enum(FILE_REFUSALS) }).strict(),
]);
export type ProcessingUpload = z.infer<typeof processingUploadSchema>;

/** State of a film's light version, for the administrator. */
export const lightFilmSchema = z.strictObject({
  /** True if enabled: new visits get the light version if there is one. */
  on: z.boolean(),
  state: z.enum(LIGHT_STATES),
  /** Size in bytes; null until the current film has a light version. */
  size: z.int().nullable(),
  /** Length of the film; null until it is known. */
  seconds: z.number().nullable(),
});
export type LightFilm = z.infer<typeof lightFilmSchema>;

/**
 * Warnings about a stored file: no sound in the video, too heavy for mobile data, or a song format that older iPhones don't play. The
 * sentences are in texts/admin/media.ts.
 */
export const STORED_WARNINGS = ['NO_SOUND', 'HEAVY', 'NOT_ON_OLD_IPHONES'] as const;
/** Includes warnings that depend on other files: loudness compared to the film in use, and captions that end after their film. */
export const MEDIA_WARNINGS = [...STORED_WARNINGS, ...LOUDNESS_WARNINGS, 'CAPTIONS_AFTER_END'] as const;
export type MediaWarning = (typeof MEDIA_WARNINGS)[number];

/** A rendered page, in full size and in small size. */
export const ticketPageSchema = z.strictObject({
  url: z.string(),
  small_url: z.string(),
  finding: z.enum(PAGE_FINDINGS).nullable(),
});
export type TicketPage = z.infer<typeof ticketPageSchema>;

export const mediaItemSchema = z.strictObject({
  id: z.string(),
  nome: z.string(),
  url: z.string(),
  /** Kind as in the specification's tables: pdf, image, secondo_viaggio, or null. */
  tipo: z.string().nullable(),
  content_type: z.string(),
  /** Size in bytes. */
  size: z.int(),
  poster_url: z.string().nullable(),
  /** Point of a destination's picture that must stay visible; null for its centre, and for other files. */
  fuoco: fuocoSchema.nullable(),
  /** Hues of a destination's picture, once computed. */
  hues: drawnHuesSchema,
  /** Captions of a film as WebVTT, and their mode; null without captions. */
  captions: z.strictObject({ url: z.string(), mode: z.enum(CAPTION_MODES) }).nullable(),
  /** Light version of a film; null for other files. */
  light: lightFilmSchema.nullable(),
  warnings: z.array(z.enum(MEDIA_WARNINGS)),
  /** Pages of tickets in a PDF as the visitor sees them, empty if they can't be rendered; null until rendered, and for other files. */
  pages: z.array(ticketPageSchema).nullable(),
  /** True if the configuration's field points to it. */
  attivo: z.boolean(),
  created_at: z.string(),
});
export type MediaItem = z.infer<typeof mediaItemSchema>;

const id = z.string().max(64);
const slotItemInput = z.strictObject({ slot: slotName, id });
const savedItem = z.strictObject({ item: mediaItemSchema, versione: z.int() });
const saved = z.strictObject({ items: z.array(mediaItemSchema), versione: z.int() });

const uploadInput = z.strictObject({ upload: id });

/**
 * Files of the surprise, by slot. They are uploaded by tus (resumable) to `/api/admin/uploads`, with the metadata `slot` and `filename`.
 * The server converts each complete upload for phones and puts it into its slot, even if no client waits.
 * `finish` returns the result.
 */
export const media = {
  list: adminCall('GET', '/admin/media/{slot}', 'The files of a slot, newest first')
    .input(z.strictObject({ slot: slotName }))
    .output(z.array(mediaItemSchema)),
  /** Complete uploads that are in process, and refused ones until they are dismissed or a day has passed. */
  arrived: adminCall('GET', '/admin/uploads', 'What the server makes of the uploads').output(
    z.array(processingUploadSchema),
  ),
  /** Deletes the record of a refused upload. */
  dismiss: adminCall('POST', '/admin/uploads/{upload}/dismiss', 'Forget a refused upload')
    .input(uploadInput)
    .output(z.strictObject({}))
    .errors(errorMap('NOT_FOUND')),
  /**
   * Checks, converts and stores an upload. Returns `working` during long work; the client calls again. Later calls return the same result.
   * A refused file is deleted.
   */
  finish: adminCall('POST', '/admin/uploads/{upload}/finish', 'Check and keep an upload')
    .input(uploadInput)
    .output(
      z.discriminatedUnion('state', [
        z.strictObject({ state: z.literal('working'), ...processingSchema.shape }),
        savedItem.extend({ state: z.literal('done') }),
      ]),
    )
    .errors(errorMap('NOT_FOUND', 'UPLOAD_UNFINISHED', ...BLOCK_REASONS, ...FILE_REFUSALS)),
  /** «Usa»: makes the configuration point to this file. */
  use: adminCall('POST', '/admin/media/{slot}/{id}/use', 'Make a file the active one')
    .input(slotItemInput)
    .output(saved)
    .errors(errorMap('NOT_FOUND')),
  /** Creates the video's poster, shown before it begins, from its frame at this second or soon after. */
  poster: adminCall('POST', '/admin/media/video/{id}/poster', 'Take a picture of a video for its poster')
    .input(z.strictObject({ id, second: z.number().min(0).max(LONGEST_FILM_SECONDS) }))
    .output(savedItem)
    .errors(errorMap('NOT_FOUND', 'FILES_BUSY', ...BLOCK_REASONS)),
  /** Sets the point of a destination's picture that must stay visible; null for its centre. */
  focus: adminCall(
    'POST',
    '/admin/media/{slot}/{id}/focus',
    'Choose the point of a picture that stays visible',
  )
    .input(
      z.strictObject({
        slot: z.enum(IMAGE_SLOTS),
        id,
        fuoco: fuocoSchema.nullable(),
      }),
    )
    .output(saved)
    .errors(errorMap('NOT_FOUND')),
  /** Joins stored tickets into one PDF, in this order, and makes it the active file; the originals stay. */
  join: adminCall('POST', '/admin/media/{slot}/join', 'Join tickets to one PDF')
    .input(
      z.strictObject({
        slot: z.enum(TICKET_SLOTS),
        ids: z
          .array(id)
          .min(JOINED_TICKETS.min)
          .max(JOINED_TICKETS.max)
          .refine((ids) => new Set(ids).size === ids.length),
      }),
    )
    .output(savedItem)
    .errors(
      errorMap(
        'NOT_FOUND',
        'FILES_BUSY',
        'FILE_NOT_JOINABLE',
        'FILE_TOO_LARGE',
        'STORAGE_FULL',
        'UNAVAILABLE',
      ),
    ),
  /** Deletes a file; the field of an active one is cleared. Its bytes stay while it is in the bin or an open visit needs them. */
  remove: adminCall('DELETE', '/admin/media/{slot}/{id}', 'Delete a file')
    .input(slotItemInput)
    .output(saved.extend(binnedSchema.shape))
    .errors(errorMap('NOT_FOUND')),
};

/** Reasons why a text can't be a film's captions; the last two name its line. The sentences are in texts/errors.ts. */
export const CAPTION_REFUSALS = codesFrom('CAPTION');
export type CaptionRefusal = (typeof CAPTION_REFUSALS)[number];

/** Captions of a film in the list. Their content is read from their address, as WebVTT. */
export const captions = {
  /** Accepts WebVTT or SRT and stores it as plain-text WebVTT. Visits that have begun keep the captions of their snapshot. */
  save: adminCall(
    'POST',
    '/admin/media/video/{id}/captions',
    "Save a film's captions, and to whom they are shown",
  )
    .input(z.strictObject({ id, text: z.string(), mode: z.enum(CAPTION_MODES) }))
    .output(savedItem)
    .errors(errorMap('NOT_FOUND', 'STORAGE_FULL', 'UNAVAILABLE', ...CAPTION_REFUSALS)),
  remove: adminCall('DELETE', '/admin/media/video/{id}/captions', "Delete a film's captions")
    .input(z.strictObject({ id }))
    .output(savedItem)
    .errors(errorMap('NOT_FOUND')),
};

/** Light versions of the films. They are created automatically. */
export const light = {
  /** Off: none is created and new visits get none; an existing file stays. On: the existing file is used again, or one is created. */
  want: adminCall('POST', '/admin/media/video/{id}/light', "Turn a film's light version on or off")
    .input(z.strictObject({ id, on: z.boolean() }))
    .output(savedItem)
    .errors(errorMap('NOT_FOUND')),
};
