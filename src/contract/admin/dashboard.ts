import { oc } from '@orpc/contract';
import { z } from 'zod';
import { certificateSchema } from './certificate.ts';
import { eventSchema } from './logs.ts';
import { signInErrors } from './sign-in-errors.ts';

export const dashboard = oc
  .route({ method: 'GET', path: '/admin/dashboard', summary: 'Numbers and latest events' })
  .output(
    z.strictObject({
      token_totali: z.int(),
      token_attivi: z.int(),
      /** `access_logs` with success true (spec 7 «Dashboard»). */
      accessi_totali: z.int(),
      /** The last 30 days in the order of time, days without accesses too; a day is `YYYY-MM-DD` in Italy. */
      accessi_per_giorno: z.array(
        z.strictObject({ giorno: z.string(), riusciti: z.int(), rifiutati: z.int() }),
      ),
      ultimi_eventi: z.array(eventSchema),
      /** The certificate, where the product asks for one by itself (HTTPS_DOMAIN). */
      certificato: certificateSchema.nullable(),
    }),
  )
  .errors(signInErrors);
