import { FileRejected } from '../refusal.ts';
import { toFileProblem } from './complaints.ts';

/** Rejects with `FileRejected` if a picture can't be read, or with the error itself if the machine is at fault. */
export async function rejectUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileRejected || isOfTheMachine(error)) throw error;
    throw new FileRejected(toFileProblem(error), { cause: error });
  }
}

/** Returns true for errors of Node's file access, which the file's content doesn't cause. */
const isOfTheMachine = (error: unknown) => error instanceof Error && 'syscall' in error;
