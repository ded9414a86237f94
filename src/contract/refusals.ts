import { z } from 'zod';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';

const waiting = z.strictObject({ secondi: z.int().min(0) }).optional();

/** The `.errors()` of a call: its own refusals, with their statuses. */
export function refusals<C extends ErrorCode>(...codes: C[]) {
  const entries = codes.map((code) => [code, { status: ERROR_STATUS[code], data: waiting }] as const);
  return Object.fromEntries(entries) as unknown as Record<C, { status: number; data: typeof waiting }>;
}
