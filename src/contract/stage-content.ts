import { z } from 'zod';
import type { StageContent } from '../domain/stage-content.ts';
import { captionsSchema, colourSchema, fuocoSchema, viaggioSchema } from './records.ts';

const viaggio = viaggioSchema;
const phrases = { frasi: z.array(z.string()), durata_frase_secondi: z.number(), secondi_esatti: z.boolean() };

/** The domain's `StageContent` on the wire: a stage and its content. */
export const stageContentSchema: z.ZodType<StageContent> = z.union([
  z.strictObject({ stage: z.literal('pre_phrases'), viaggio: z.literal(1), ...phrases }),
  z.strictObject({
    stage: z.literal('video'),
    viaggio: z.literal(1),
    video_url: z.string(),
    poster_url: z.string().nullable(),
    light_url: z.string().nullable(),
    captions: captionsSchema.nullable(),
    video_bitrate: z.number().nullable(),
    video_playback_rate: z.number(),
    video_button_text: z.string(),
  }),
  z.strictObject({ stage: z.literal('between_phrases'), viaggio: z.literal(2), ...phrases }),
  z.strictObject({ stage: z.literal('phrases'), viaggio, ...phrases }),
  z.strictObject({
    stage: z.literal('destination'),
    viaggio,
    immagine_destinazione_url: z.string(),
    fuoco: fuocoSchema.nullable(),
    hues: z.strictObject({ high: colourSchema, low: colourSchema }).nullable(),
    titolo_destinazione: z.string(),
    titolo_viaggio: z.string(),
    durata_immagine_destinazione_secondi: z.number(),
  }),
  z.strictObject({
    stage: z.literal('card'),
    viaggio,
    immagine_destinazione_url: z.string().nullable(),
    fuoco: fuocoSchema.nullable(),
    titolo_destinazione: z.string(),
    titolo_viaggio: z.string(),
    data_partenza: z.string(),
    data_ritorno: z.string(),
    biglietti_url: z.string().nullable(),
    ticket_pages: z.array(z.string()).nullable(),
    testo_istruzioni_biglietti: z.string(),
  }),
  z.strictObject({ stage: z.literal('questions'), viaggio, domanda_1: z.string(), domanda_2: z.string() }),
  z.strictObject({
    stage: z.literal('closing'),
    viaggio: z.literal(1),
    frase: z.string().nullable(),
    answered: z.boolean(),
  }),
  z.strictObject({ stage: z.literal('closing'), viaggio: z.literal(2), ...phrases }),
]);
