import { oc } from '@orpc/contract';
import { z } from 'zod';
import { certificateSchema } from './certificate.ts';
import { signInErrors } from './sign-in-errors.ts';

export const dashboard = oc
  .route({ method: 'GET', path: '/admin/dashboard', summary: 'Numbers of codes and accesses' })
  .output(
    z.strictObject({
      token_totali: z.int(),
      token_attivi: z.int(),
      /** Rows of `access_logs` with success true (spec 7 «Dashboard»). */
      accessi_totali: z.int(),
      /** The last 30 days in ascending order, including days without accesses; a day is `YYYY-MM-DD` in Italy. */
      accessi_per_giorno: z.array(
        z.strictObject({ giorno: z.string(), riusciti: z.int(), rifiutati: z.int() }),
      ),
      /** Certificate requested automatically (HTTPS_DOMAIN), or null. */
      certificato: certificateSchema.nullable(),
    }),
  )
  .errors(signInErrors);
