import { oc } from '@orpc/contract';
import { z } from 'zod';
import { CAPTION_MODES } from '../../domain/captions.ts';
import { LONGEST_FILM_SECONDS, TICKETS_AT_ONCE } from '../../domain/limits.ts';
import { LOUDNESS_WARNINGS } from '../../domain/loudness.ts';
import {
  IMAGE_SLOTS,
  LEVELLED_SLOTS,
  type MediaKind,
  SLOT_NAMES,
  TICKET_SLOTS,
} from '../../domain/media-slots.ts';
import { fuocoSchema } from '../records.ts';
import { refusals } from '../refusals.ts';
import { lightFilmSchema } from './light-film.ts';
import { signedIn } from './signed-in.ts';

export const slotName = z.enum(SLOT_NAMES);

/**
 * What was kept though it may disappoint: no sound in the video, too heavy for a phone on mobile data, or a song whose format older
 * iPhones don't play. The sentences are in texts/admin/media.ts.
 */
export const STORED_WARNINGS = ['NO_SOUND', 'HEAVY', 'NOT_ON_OLD_IPHONES'] as const;
/** With what depends on other files, too: how loud it is beside the film in use, and captions that go on after their film. */
export const MEDIA_WARNINGS = [...STORED_WARNINGS, ...LOUDNESS_WARNINGS, 'CAPTIONS_AFTER_END'] as const;
export type MediaWarning = (typeof MEDIA_WARNINGS)[number];

/** A sound that a film came with; its language as the file calls it (`ita`). */
export const filmSoundSchema = z.strictObject({
  language: z.string().nullable(),
  title: z.string().nullable(),
  channels: z.int(),
});
export type FilmSound = z.infer<typeof filmSoundSchema>;

export const mediaItemSchema = z.strictObject({
  id: z.string(),
  nome: z.string(),
  url: z.string(),
  /** As in the spec's tables: pdf, image, secondo_viaggio, or null. */
  tipo: z.string().nullable(),
  content_type: z.string(),
  /** Bytes. */
  size: z.int(),
  poster_url: z.string().nullable(),
  /** Of a destination's picture: the point that must stay visible; null for its middle, and for every other file. */
  fuoco: fuocoSchema.nullable(),
  /** Of a film: its captions, as WebVTT, and to whom they are shown; null where it has none. */
  captions: z.strictObject({ url: z.string(), mode: z.enum(CAPTION_MODES) }).nullable(),
  /** Of a film: its light version; null of every other file. */
  light: lightFilmSchema.nullable(),
  warnings: z.array(z.enum(MEDIA_WARNINGS)),
  /** Of its sound, in LUFS; null where nothing is heard or it was never measured. */
  loudness: z.number().nullable(),
  /** Its volume was levelled, and can be as it was again. */
  levelled: z.boolean(),
  /** Of a film: the sounds to choose among, none where there is nothing to choose, and the place of the one that it has. */
  sounds: z.array(filmSoundSchema),
  sound: z.int().nullable(),
  /** The configuration's field points to it. */
  attivo: z.boolean(),
  created_at: z.string(),
});
export type MediaItem = z.infer<typeof mediaItemSchema>;

/**
 * Why a file was not taken, when it was announced or when it was checked: sending it again won't help. The sentences are in texts/errors.ts.
 */
export const FILE_REFUSALS = [
  'FILE_REQUIRED',
  'FILE_TOO_LARGE',
  'FILE_EMPTY',
  'FILE_TRUNCATED',
  'FILE_BROKEN',
  'FILE_PROTECTED',
  'FILE_UNDECODABLE',
  'FILE_TOO_LONG',
  'FILE_TOO_HARD',
  'FILE_NOT_VIDEO',
  'FILE_NO_PICTURE',
  'FILE_VIDEO_TOO_BIG',
  'FILE_NOT_IMAGE',
  'FILE_SVG',
  'FILE_IMAGE_TOO_BIG',
  'FILE_NOT_TICKETS',
  'FILE_PDF_LOCKED',
  'FILE_WALLET_PASS',
  'FILE_NOT_AUDIO',
  'FILE_NO_SOUND',
] as const;
export type FileRefusal = (typeof FILE_REFUSALS)[number];

/** What a file is told that is of none of the kinds its slot takes. */
export const NOT_OF_KIND: Record<MediaKind, FileRefusal> = {
  video: 'FILE_NOT_VIDEO',
  image: 'FILE_NOT_IMAGE',
  tickets: 'FILE_NOT_TICKETS',
  song: 'FILE_NOT_AUDIO',
};

const inSlot = z.strictObject({ slot: slotName, id: z.string().max(64) });
const saved = z.strictObject({ items: z.array(mediaItemSchema), versione: z.int() });

/** Work on an upload whose every byte is there: when it is her turn, how far it is (0 to 1), and how long still, in seconds, once that can be told. */
const working = z.object({
  waiting: z.boolean(),
  progress: z.number(),
  secondsLeft: z.number().nullable(),
});
export type Working = z.infer<typeof working>;

/** What keeps the server from going on with a file that may be good: asked again, it begins again. */
export const HINDRANCES = ['STORAGE_FULL', 'UNAVAILABLE'] as const;
export type Hindrance = (typeof HINDRANCES)[number];

/** An upload that the server is at, or that it refused while nobody was looking. */
const arrived = z.object({
  upload: z.string(),
  slot: slotName,
  nome: z.string(),
  /** Bytes, as they came. */
  size: z.int(),
});
const arrivedSchema = z.discriminatedUnion('state', [
  arrived.extend({ state: z.literal('working'), ...working.shape }).strict(),
  arrived.extend({ state: z.literal('stopped'), codice: z.enum(HINDRANCES) }).strict(),
  arrived.extend({ state: z.literal('refused'), codice: z.enum(FILE_REFUSALS) }).strict(),
]);
export type Arrived = z.infer<typeof arrivedSchema>;

/** The making anew of a kept file: nobody is at it, it is under way, or it couldn't go on. */
export const remakingSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('idle') }),
  z.strictObject({ state: z.literal('working'), ...working.shape }),
  z.strictObject({ state: z.literal('stopped'), codice: z.enum(HINDRANCES) }),
]);
export type Remaking = z.infer<typeof remakingSchema>;

const inLevelledSlot = z.strictObject({ slot: z.enum(LEVELLED_SLOTS), id: z.string().max(64) });

const anUpload = z.strictObject({ upload: z.string().max(64) });

/**
 * The files of the surprise, by slot. They arrive as resumable uploads (tus) at `/api/admin/uploads`, with the metadata
 * `slot` and `filename`; once every byte is there the server makes of it what a phone can show and puts that into its slot, whether anybody
 * waits for it or not. `finish` tells how that ended.
 */
export const media = {
  list: oc
    .route({ method: 'GET', path: '/admin/media/{slot}', summary: 'The files of a slot, newest first' })
    .input(z.strictObject({ slot: slotName }))
    .output(z.array(mediaItemSchema))
    .errors(signedIn),
  /** Uploads with every byte there that have not ended, and those that were refused, until they are dismissed or a day has passed. */
  arrived: oc
    .route({ method: 'GET', path: '/admin/uploads', summary: 'What the server makes of the uploads' })
    .output(z.array(arrivedSchema))
    .errors(signedIn),
  /** Forgets how a refused upload ended. */
  dismiss: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/dismiss', summary: 'Forget a refused upload' })
    .input(anUpload)
    .output(z.strictObject({}))
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
  /**
   * Makes of an upload what is kept. Work that takes long answers `working`: ask again. Asking again after
   * the end gives the same end. A refused file is removed.
   */
  finish: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/finish', summary: 'Check and keep an upload' })
    .input(anUpload)
    .output(
      z.discriminatedUnion('state', [
        z.strictObject({ state: z.literal('working'), ...working.shape }),
        z.strictObject({ state: z.literal('done'), item: mediaItemSchema, versione: z.int() }),
      ]),
    )
    .errors({
      ...signedIn,
      ...refusals('NOT_FOUND', 'UPLOAD_UNFINISHED', 'STORAGE_FULL', 'UNAVAILABLE', ...FILE_REFUSALS),
    }),
  /** «Usa»: the configuration points to it from now on. */
  use: oc
    .route({ method: 'POST', path: '/admin/media/{slot}/{id}/use', summary: 'Make a file the active one' })
    .input(inSlot)
    .output(saved)
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
  /** Draws the video's picture at a second of it, or soon after: what is shown before it begins. */
  poster: oc
    .route({
      method: 'POST',
      path: '/admin/media/video/{id}/poster',
      summary: 'Take a picture of a video for its poster',
    })
    .input(z.strictObject({ id: z.string().max(64), second: z.number().min(0).max(LONGEST_FILM_SECONDS) }))
    .output(z.strictObject({ item: mediaItemSchema, versione: z.int() }))
    .errors({ ...signedIn, ...refusals('NOT_FOUND', 'FILES_BUSY', 'STORAGE_FULL', 'UNAVAILABLE') }),
  /**
   * Begins to make a file as loud as it should be; `levelling` tells how far it is. In the end another file is in its place, and the one that came
   * stays for `original`.
   */
  level: oc
    .route({ method: 'POST', path: '/admin/media/{slot}/{id}/level', summary: "Level a file's volume" })
    .input(inLevelledSlot)
    .output(remakingSchema)
    .errors({ ...signedIn, ...refusals('NOT_FOUND', 'FILES_BUSY', 'STORAGE_FULL') }),
  levelling: oc
    .route({ method: 'GET', path: '/admin/media/{slot}/{id}/level', summary: 'How far the levelling is' })
    .input(inLevelledSlot)
    .output(remakingSchema)
    .errors(signedIn),
  /** What is there stays as it was. */
  stopLevel: oc
    .route({ method: 'DELETE', path: '/admin/media/{slot}/{id}/level', summary: 'Stop the levelling' })
    .input(inLevelledSlot)
    .output(remakingSchema)
    .errors(signedIn),
  /** Puts the file as it came back into the place of the levelled one. */
  original: oc
    .route({
      method: 'POST',
      path: '/admin/media/{slot}/{id}/original',
      summary: 'Go back to the original volume',
    })
    .input(inLevelledSlot)
    .output(saved)
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
  /** The point of a destination's picture that must stay visible; null for its middle. */
  focus: oc
    .route({
      method: 'POST',
      path: '/admin/media/{slot}/{id}/focus',
      summary: 'Choose the point of a picture that stays visible',
    })
    .input(
      z.strictObject({
        slot: z.enum(IMAGE_SLOTS),
        id: z.string().max(64),
        fuoco: fuocoSchema.nullable(),
      }),
    )
    .output(saved)
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
  /** Makes one PDF of saved tickets, in this order; it is the active one from then on, and they stay. */
  join: oc
    .route({ method: 'POST', path: '/admin/media/{slot}/join', summary: 'Join tickets to one PDF' })
    .input(
      z.strictObject({
        slot: z.enum(TICKET_SLOTS),
        ids: z
          .array(z.string().max(64))
          .min(TICKETS_AT_ONCE.min)
          .max(TICKETS_AT_ONCE.max)
          .refine((ids) => new Set(ids).size === ids.length),
      }),
    )
    .output(z.strictObject({ item: mediaItemSchema, versione: z.int() }))
    .errors({
      ...signedIn,
      ...refusals(
        'NOT_FOUND',
        'FILES_BUSY',
        'FILE_NOT_JOINABLE',
        'FILE_TOO_LARGE',
        'STORAGE_FULL',
        'UNAVAILABLE',
      ),
    }),
  /** Deletes it; the active one's field is cleared. Its bytes stay while a living visit needs them. */
  remove: oc
    .route({ method: 'DELETE', path: '/admin/media/{slot}/{id}', summary: 'Delete a file' })
    .input(inSlot)
    .output(saved)
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
};
