import { z } from 'zod';
import { eachOf } from '../domain/records.ts';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';

const details = z
  .strictObject({
    secondi: z.int().min(0).optional(),
    line: z.int().min(1).optional(),
    opens_at: z.iso.datetime().optional(),
  })
  .optional();

/** Returns the `.errors()` of a call: its own refusals, with their statuses. */
export function errorMap<C extends ErrorCode>(...codes: C[]) {
  return eachOf<C, { status: number; data: typeof details }>(codes, (code) => ({
    status: ERROR_STATUS[code],
    data: details,
  }));
}
