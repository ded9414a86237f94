import type { FileProblem } from './door.ts';

/** Thrown where work on a file ends because of the file. */
export class FileRejected extends Error {
  readonly problem: FileProblem;

  /** @param options the complaint that led to it, as its cause */
  constructor(problem: FileProblem, options?: ErrorOptions) {
    super(`The file can't be used: ${problem}.`, options);
    this.problem = problem;
  }
}
