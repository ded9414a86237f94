import { oc } from '@orpc/contract';
import { z } from 'zod';
import { SLOT_NAMES } from '../../domain/media-slots.ts';
import { refusals } from '../refusals.ts';
import { signedIn } from './signed-in.ts';

export const slotName = z.enum(SLOT_NAMES);

/**
 * What was kept though it may disappoint: no sound in the video, too heavy for a phone on mobile data, or a song whose format older
 * iPhones don't play. The sentences are in texts/admin/media.ts.
 */
export const MEDIA_WARNINGS = ['NO_SOUND', 'HEAVY', 'NOT_ON_OLD_IPHONES'] as const;
export type MediaWarning = (typeof MEDIA_WARNINGS)[number];

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
  warnings: z.array(z.enum(MEDIA_WARNINGS)),
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
  'FILE_NOT_VIDEO',
  'FILE_VIDEO_HEVC',
  'FILE_VIDEO_AV1',
  'FILE_VIDEO_VP9',
  'FILE_VIDEO_CODEC',
  'FILE_AUDIO_CODEC',
  'FILE_NOT_IMAGE',
  'FILE_HEIC',
  'FILE_SVG',
  'FILE_IMAGE_TOO_BIG',
  'FILE_NOT_TICKETS',
  'FILE_PDF_LOCKED',
  'FILE_NOT_AUDIO',
] as const;
export type FileRefusal = (typeof FILE_REFUSALS)[number];

const inSlot = z.strictObject({ slot: slotName, id: z.string().max(64) });
const saved = z.strictObject({ items: z.array(mediaItemSchema), versione: z.int() });

/**
 * The files of the surprise, by slot. They arrive as resumable uploads (tus) at `/api/admin/uploads`, with the metadata
 * `slot` and `filename`; once every byte is there, `finish` checks them and puts the file into its slot.
 * With `slot` = `poster` and `video` = the id of a video, the upload is a JPEG that the browser drew from it: `finish` answers the video
 * with its new `poster_url`.
 */
export const media = {
  list: oc
    .route({ method: 'GET', path: '/admin/media/{slot}', summary: 'The files of a slot, newest first' })
    .input(z.strictObject({ slot: slotName }))
    .output(z.array(mediaItemSchema))
    .errors(signedIn),
  /**
   * Checks and keeps an uploaded file. A long check answers `working` with how far it is (0 to 1): ask again. Asking again after
   * the end gives the same end. A refused file is removed.
   */
  finish: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/finish', summary: 'Check and keep an upload' })
    .input(z.strictObject({ upload: z.string().max(64) }))
    .output(
      z.discriminatedUnion('state', [
        z.strictObject({ state: z.literal('working'), progress: z.number() }),
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
  /** Deletes it; the active one's field is cleared. Its bytes stay while a living visit needs them. */
  remove: oc
    .route({ method: 'DELETE', path: '/admin/media/{slot}/{id}', summary: 'Delete a file' })
    .input(inSlot)
    .output(saved)
    .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
};
