import { oc } from '@orpc/contract';
import { z } from 'zod';
import { CAPTION_MODES } from '../../domain/captions.ts';
import { errorMap } from '../error-map.ts';
import { mediaItemSchema } from './media-item.ts';
import { signInErrors } from './sign-in-errors.ts';

const id = z.string().max(64);
const saved = z.strictObject({ item: mediaItemSchema, versione: z.int() });

/** Reasons why a text can't be a film's captions; the last two name its line. The sentences are in texts/errors.ts. */
export const CAPTION_REFUSALS = [
  'CAPTIONS_EMPTY',
  'CAPTIONS_UNREADABLE',
  'CAPTIONS_TOO_LARGE',
  'CAPTION_TIMES',
  'CAPTION_TOO_LONG',
] as const;
export type CaptionRefusal = (typeof CAPTION_REFUSALS)[number];

/** Captions of a film in the list. Their content is read from their address, as WebVTT. */
export const captions = {
  /** Accepts WebVTT or SRT and stores it as plain-text WebVTT. Visits that have begun keep the captions of their snapshot. */
  save: oc
    .route({
      method: 'POST',
      path: '/admin/media/video/{id}/captions',
      summary: "Save a film's captions, and to whom they are shown",
    })
    .input(z.strictObject({ id, text: z.string(), mode: z.enum(CAPTION_MODES) }))
    .output(saved)
    .errors({
      ...signInErrors,
      ...errorMap('NOT_FOUND', 'STORAGE_FULL', 'UNAVAILABLE', ...CAPTION_REFUSALS),
    }),
  remove: oc
    .route({
      method: 'DELETE',
      path: '/admin/media/video/{id}/captions',
      summary: "Delete a film's captions",
    })
    .input(z.strictObject({ id }))
    .output(saved)
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
};
