import { FileRejected } from '../refusal.ts';
import { toFileProblem } from './complaints.ts';

/** Rejects with `FileRejected` where a picture can't be read; with the error itself where the machine is at fault. */
export async function rejectUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileRejected || isOfTheMachine(error)) throw error;
    throw new FileRejected(toFileProblem(error), { cause: error });
  }
}

/** What Node couldn't read or write, and not what was found in the file. */
const isOfTheMachine = (error: unknown) => error instanceof Error && 'syscall' in error;
