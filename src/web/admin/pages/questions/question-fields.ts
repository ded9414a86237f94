import type { Questions, Viaggio } from '../../../../domain/content.ts';

/** Where a trip's two questions stand in the one row of questions. */
export const QUESTION_FIELDS = {
  1: ['domanda_1', 'domanda_2'],
  2: ['domanda_1_viaggio_2', 'domanda_2_viaggio_2'],
} as const satisfies Record<Viaggio, readonly [keyof Questions, keyof Questions]>;
