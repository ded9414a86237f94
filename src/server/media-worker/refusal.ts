import type { FileProblem } from './door.ts';

/** Thrown where work on a file ends because of the file. */
export class FileRefused extends Error {
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(`The file can't be used: ${problem}.`);
    this.problem = problem;
  }
}
