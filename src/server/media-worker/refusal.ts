import type { FileProblem } from './door.ts';

/** Thrown when a task fails because of its file. */
export class FileRejected extends Error {
  readonly problem: FileProblem;

  /** @param options the original error, as `cause` */
  constructor(problem: FileProblem, options?: ErrorOptions) {
    super(`The file can't be used: ${problem}.`, options);
    this.problem = problem;
  }
}
