import { z } from 'zod';
import { LIGHT_STATES } from '../../domain/light.ts';

/** State of a film's light version, for the administrator. */
export const lightFilmSchema = z.strictObject({
  /** True if enabled: new visits get the light version if there is one. */
  on: z.boolean(),
  state: z.enum(LIGHT_STATES),
  /** Size in bytes; null until the current film has a light version. */
  size: z.int().nullable(),
  /** Length of the film; null until it is known. */
  seconds: z.number().nullable(),
});
export type LightFilm = z.infer<typeof lightFilmSchema>;
