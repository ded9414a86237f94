import { z } from 'zod';
import { LIGHT_STATES } from '../../domain/light.ts';

/** A film's light version, as the administrator is told of it. */
export const lightFilmSchema = z.strictObject({
  /** It is wanted: visits that begin are handed it, where there is one. */
  on: z.boolean(),
  state: z.enum(LIGHT_STATES),
  /** Bytes; null while there is none of the film as it is. */
  size: z.int().nullable(),
  /** The film's length; null until it is known. */
  seconds: z.number().nullable(),
});
export type LightFilm = z.infer<typeof lightFilmSchema>;
