import { z } from 'zod';
import { CAPTION_MODES } from '../../domain/captions.ts';
import { LOUDNESS_WARNINGS } from '../../domain/loudness.ts';
import { PAGE_FINDINGS } from '../../domain/ticket-pages.ts';
import { drawnHuesSchema, fuocoSchema } from '../records.ts';
import { lightFilmSchema } from './light-film.ts';

/**
 * Warnings about a stored file: no sound in the video, too heavy for mobile data, or a song format that older iPhones don't play. The
 * sentences are in texts/admin/media.ts.
 */
export const STORED_WARNINGS = ['NO_SOUND', 'HEAVY', 'NOT_ON_OLD_IPHONES'] as const;
/** Includes warnings that depend on other files: loudness compared to the film in use, and captions that end after their film. */
export const MEDIA_WARNINGS = [...STORED_WARNINGS, ...LOUDNESS_WARNINGS, 'CAPTIONS_AFTER_END'] as const;
export type MediaWarning = (typeof MEDIA_WARNINGS)[number];

/** The domain's `TicketPage`. */
export const ticketPageSchema = z.strictObject({
  url: z.string(),
  small_url: z.string(),
  finding: z.enum(PAGE_FINDINGS).nullable(),
});

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
