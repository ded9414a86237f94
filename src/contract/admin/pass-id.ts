import { z } from 'zod';

/** The number of a pass, in an address. */
export const passId = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(z.int32());
