import type { Findings } from '../../../domain/diagnosis.ts';

/** What every step is given. */
export type StepProps = {
  /** Its number, from 0. */
  place: number;
  /** Goes on with what was found. */
  onFound: (found: Findings) => void;
  onSkip: () => void;
};
