import { z } from 'zod';
import { CAPTION_MODES } from '../../domain/captions.ts';
import { LOUDNESS_WARNINGS } from '../../domain/loudness.ts';
import { PAGE_FINDINGS } from '../../domain/ticket-pages.ts';
import { drawnHuesSchema, fuocoSchema } from '../records.ts';
import { lightFilmSchema } from './light-film.ts';

/**
 * What was kept though it may disappoint: no sound in the video, too heavy for a phone on mobile data, or a song whose format older
 * iPhones don't play. The sentences are in texts/admin/media.ts.
 */
export const STORED_WARNINGS = ['NO_SOUND', 'HEAVY', 'NOT_ON_OLD_IPHONES'] as const;
/** With what depends on other files, too: how loud it is beside the film in use, and captions that go on after their film. */
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
  /** As in the spec's tables: pdf, image, secondo_viaggio, or null. */
  tipo: z.string().nullable(),
  content_type: z.string(),
  /** Bytes. */
  size: z.int(),
  poster_url: z.string().nullable(),
  /** Of a destination's picture: the point that must stay visible; null for its middle, and for every other file. */
  fuoco: fuocoSchema.nullable(),
  /** Of a destination's picture: its hues, once they are drawn. */
  hues: drawnHuesSchema,
  /** Of a film: its captions, as WebVTT, and to whom they are shown; null where it has none. */
  captions: z.strictObject({ url: z.string(), mode: z.enum(CAPTION_MODES) }).nullable(),
  /** Of a film: its light version; null of every other file. */
  light: lightFilmSchema.nullable(),
  warnings: z.array(z.enum(MEDIA_WARNINGS)),
  /** Of tickets in a PDF: their pages as she sees them, none if they can't be drawn; null until they are drawn, and of every other file. */
  pages: z.array(ticketPageSchema).nullable(),
  /** The configuration's field points to it. */
  attivo: z.boolean(),
  created_at: z.string(),
});
export type MediaItem = z.infer<typeof mediaItemSchema>;
