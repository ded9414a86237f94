import { oc } from '@orpc/contract';
import { z } from 'zod';
import { JOINED_TICKETS, LONGEST_FILM_SECONDS } from '../../domain/limits.ts';
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

const slotItemInput = z.strictObject({ slot: slotName, id: z.string().max(64) });
const saved = z.strictObject({ items: z.array(mediaItemSchema), versione: z.int() });

const uploadInput = z.strictObject({ upload: z.string().max(64) });

/**
 * Files of the surprise, by slot. They are uploaded by tus (resumable) to `/api/admin/uploads`, with the metadata `slot` and `filename`.
 * The server converts each complete upload for phones and puts it into its slot, even if no client waits.
 * `finish` returns the result.
 */
export const media = {
  list: oc
    .route({ method: 'GET', path: '/admin/media/{slot}', summary: 'The files of a slot, newest first' })
    .input(z.strictObject({ slot: slotName }))
    .output(z.array(mediaItemSchema))
    .errors(signInErrors),
  /** Complete uploads that are in process, and refused ones until they are dismissed or a day has passed. */
  arrived: oc
    .route({ method: 'GET', path: '/admin/uploads', summary: 'What the server makes of the uploads' })
    .output(z.array(processingUploadSchema))
    .errors(signInErrors),
  /** Deletes the record of a refused upload. */
  dismiss: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/dismiss', summary: 'Forget a refused upload' })
    .input(uploadInput)
    .output(z.strictObject({}))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
  /**
   * Checks, converts and stores an upload. Returns `working` during long work; the client calls again. Later calls return the same result.
   * A refused file is deleted.
   */
  finish: oc
    .route({ method: 'POST', path: '/admin/uploads/{upload}/finish', summary: 'Check and keep an upload' })
    .input(uploadInput)
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
  /** «Usa»: makes the configuration point to this file. */
  use: oc
    .route({ method: 'POST', path: '/admin/media/{slot}/{id}/use', summary: 'Make a file the active one' })
    .input(slotItemInput)
    .output(saved)
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
  /** Creates the video's poster, shown before it begins, from its frame at this second or soon after. */
  poster: oc
    .route({
      method: 'POST',
      path: '/admin/media/video/{id}/poster',
      summary: 'Take a picture of a video for its poster',
    })
    .input(z.strictObject({ id: z.string().max(64), second: z.number().min(0).max(LONGEST_FILM_SECONDS) }))
    .output(z.strictObject({ item: mediaItemSchema, versione: z.int() }))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND', 'FILES_BUSY', ...BLOCK_REASONS) }),
  /** Sets the point of a destination's picture that must stay visible; null for its centre. */
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
  /** Joins stored tickets into one PDF, in this order, and makes it the active file; the originals stay. */
  join: oc
    .route({ method: 'POST', path: '/admin/media/{slot}/join', summary: 'Join tickets to one PDF' })
    .input(
      z.strictObject({
        slot: z.enum(TICKET_SLOTS),
        ids: z
          .array(z.string().max(64))
          .min(JOINED_TICKETS.min)
          .max(JOINED_TICKETS.max)
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
  /** Deletes a file; the field of an active one is cleared. Its bytes stay while it is in the bin or an open visit needs them. */
  remove: oc
    .route({ method: 'DELETE', path: '/admin/media/{slot}/{id}', summary: 'Delete a file' })
    .input(slotItemInput)
    .output(saved.extend(binnedSchema.shape))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
};
