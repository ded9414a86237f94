import type { Findings } from '../../../domain/diagnosis.ts';

/** Props of every step. */
export type StepProps = {
  /** Index of the step, from 0. */
  index: number;
  /** Continues with the findings of this step. */
  onResult: (found: Findings) => void;
  onSkip: () => void;
};
