import { z } from 'zod';
import { type MediaKind, SLOT_NAMES } from '../../domain/media-slots.ts';

export const slotName = z.enum(SLOT_NAMES);

/** Reasons why a file is refused, at its announcement or its check; sending it again doesn't help. The sentences are in texts/errors.ts. */
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
