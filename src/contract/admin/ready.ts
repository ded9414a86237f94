import { oc } from '@orpc/contract';
import { z } from 'zod';
import { READINESS_IDS, READINESS_STATES } from '../../domain/readiness-ids.ts';
import { READY_VERDICTS } from '../../domain/ready.ts';
import { REASON_IDS, REASON_LEVELS } from '../../domain/ready-ids.ts';
import { signedIn } from './signed-in.ts';

const reasonSchema = z.strictObject({
  id: z.enum(REASON_IDS),
  level: z.enum(REASON_LEVELS),
  /** Where it is mended; `part`: the part of that page, where it opens with another one. */
  page: z.string(),
  part: z.string().nullable(),
});

const preparedSchema = z.strictObject({
  id: z.enum(READINESS_IDS),
  state: z.enum(READINESS_STATES),
  page: z.string(),
});
export type Prepared = z.infer<typeof preparedSchema>;

const readySchema = z.strictObject({
  verdict: z.enum(READY_VERDICTS),
  /** The gravest first. */
  reasons: z.array(reasonSchema),
  /** What is prepared and what lacks, out of the same facts; what was only tried isn't among it. */
  prepared: z.array(preparedSchema),
  /** When everything was tried last; null: never yet. What needs no trying is looked at anew each time. */
  asked_at: z.iso.datetime().nullable(),
  /** How many of the things to try have been tried, while that is under way; of 0 it isn't known yet. */
  progress: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
  /** Since when there is a key to ask from outside; null: there is none. */
  key_at: z.iso.datetime().nullable(),
});
export type Ready = z.infer<typeof readySchema>;

/** Is the evening ready? One answer, computed by the server. From outside it is asked at `GET /api/admin/ready`, by a key. */
export const ready = {
  read: oc
    .route({
      method: 'GET',
      path: '/admin/ready/answer',
      summary: 'Is the evening ready, and what speaks against it',
    })
    .output(readySchema)
    .errors(signedIn),
  /** Has everything tried again; how far that is says `read`. */
  check: oc
    .route({ method: 'POST', path: '/admin/ready/check', summary: 'Try everything again' })
    .output(z.strictObject({}))
    .errors(signedIn),
  /** A new key, told this once; the one before is good no more. */
  makeKey: oc
    .route({ method: 'POST', path: '/admin/ready/key', summary: 'A key to ask from outside' })
    .output(z.strictObject({ key: z.string() }))
    .errors(signedIn),
  withdrawKey: oc
    .route({ method: 'DELETE', path: '/admin/ready/key', summary: 'Withdraw that key' })
    .output(z.strictObject({}))
    .errors(signedIn),
};
