import { oc } from '@orpc/contract';
import { z } from 'zod';
import { LONGEST_FILM_SECONDS, TICKETS_AT_ONCE } from '../../domain/limits.ts';
import { IMAGE_SLOTS, TICKET_SLOTS } from '../../domain/media-slots.ts';
import { errorMap } from '../error-map.ts';
import { fuocoSchema } from '../records.ts';
import { binnedSchema } from './bin.ts';
import { mediaItemSchema } from './media-item.ts';
import {
  BLOCK_REASONS,
  FILE_REFUSALS,
  processingSchema,
  processingUploadSchema,
  slotName,
} from './media-processing.ts';
import { signInErrors } from './sign-in-errors.ts';

const inSlot = z.strictObject({ slot: slotName, id: z.string().max(64) });
const saved = z.strictObject({ items: z.array(mediaItemSchema), versione: z.int() });

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
    .errors(signInErrors),
  /** Uploads with every byte there that have not ended, and those that were refused, until they are dismissed or a day has passed. */
  arrived: oc
    .route({ method: 'GET', path: '/admin/uploads', summary: 'What the server makes of the uploads' })
    .output(z.array(processingUploadSchema))
    .errors(signInErrors),
  /** Forgets how a refused upload ended. */
  dismiss: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/dismiss', summary: 'Forget a refused upload' })
    .input(anUpload)
    .output(z.strictObject({}))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
  /**
   * Makes of an upload what is kept. Work that takes long answers `working`: ask again. Asking again after
   * the end gives the same end. A refused file is removed.
   */
  finish: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/finish', summary: 'Check and keep an upload' })
    .input(anUpload)
    .output(
      z.discriminatedUnion('state', [
        z.strictObject({ state: z.literal('working'), ...processingSchema.shape }),
        z.strictObject({ state: z.literal('done'), item: mediaItemSchema, versione: z.int() }),
      ]),
    )
    .errors({
      ...signInErrors,
      ...errorMap('NOT_FOUND', 'UPLOAD_UNFINISHED', ...BLOCK_REASONS, ...FILE_REFUSALS),
    }),
  /** «Usa»: the configuration points to it from now on. */
  use: oc
    .route({ method: 'POST', path: '/admin/media/{slot}/{id}/use', summary: 'Make a file the active one' })
    .input(inSlot)
    .output(saved)
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
  /** Draws the video's picture at a second of it, or soon after: what is shown before it begins. */
  poster: oc
    .route({
      method: 'POST',
      path: '/admin/media/video/{id}/poster',
      summary: 'Take a picture of a video for its poster',
    })
    .input(z.strictObject({ id: z.string().max(64), second: z.number().min(0).max(LONGEST_FILM_SECONDS) }))
    .output(z.strictObject({ item: mediaItemSchema, versione: z.int() }))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND', 'FILES_BUSY', ...BLOCK_REASONS) }),
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
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
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
      ...signInErrors,
      ...errorMap(
        'NOT_FOUND',
        'FILES_BUSY',
        'FILE_NOT_JOINABLE',
        'FILE_TOO_LARGE',
        'STORAGE_FULL',
        'UNAVAILABLE',
      ),
    }),
  /** Deletes it; the active one's field is cleared. Its bytes stay while it lies in the bin, and while a living visit needs them. */
  remove: oc
    .route({ method: 'DELETE', path: '/admin/media/{slot}/{id}', summary: 'Delete a file' })
    .input(inSlot)
    .output(saved.extend(binnedSchema.shape))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
};
