import type { Findings } from '../../../domain/diagnosis.ts';

/** What every step is given. */
export type StepProps = {
  /** Its number, from 0. */
  index: number;
  /** Goes on with what was found. */
  onResult: (found: Findings) => void;
  onSkip: () => void;
};
