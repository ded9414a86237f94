import { z } from 'zod';
import { type MediaKind, SLOT_NAMES } from '../../domain/media-slots.ts';

export const slotName = z.enum(SLOT_NAMES);

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
export const WRONG_KIND_REFUSAL: Record<MediaKind, FileRefusal> = {
  video: 'FILE_NOT_VIDEO',
  image: 'FILE_NOT_IMAGE',
  tickets: 'FILE_NOT_TICKETS',
  song: 'FILE_NOT_AUDIO',
};

/** Work on an upload whose every byte is there: when it is her turn, how far it is (0 to 1), and how long still, in seconds, once that can be told. */
export const processingSchema = z.object({
  waiting: z.boolean(),
  progress: z.number(),
  secondsLeft: z.number().nullable(),
});
export type ProcessingProgress = z.infer<typeof processingSchema>;

/** What keeps the server from going on with a file that may be good: asked again, it begins again. */
export const BLOCK_REASONS = ['STORAGE_FULL', 'UNAVAILABLE', 'NO_FFMPEG'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** An upload that the server is at, or that it refused while nobody was looking. */
const arrived = z.object({
  upload: z.string(),
  slot: slotName,
  nome: z.string(),
  /** Bytes, as they came. */
  size: z.int(),
});
export const processingUploadSchema = z.discriminatedUnion('state', [
  arrived.extend({ state: z.literal('working'), ...processingSchema.shape }).strict(),
  arrived.extend({ state: z.literal('stopped'), codice: z.enum(BLOCK_REASONS) }).strict(),
  arrived.extend({ state: z.literal('refused'), codice: z.enum(FILE_REFUSALS) }).strict(),
]);
export type ProcessingUpload = z.infer<typeof processingUploadSchema>;
