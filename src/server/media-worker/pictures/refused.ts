import { FileRefused } from '../refusal.ts';
import { problemOf } from './complaints.ts';

/** Rejects with `FileRefused` where a picture can't be read; with the error itself where the machine is at fault. */
export async function readingRefused<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof FileRefused || isOfTheMachine(error)) throw error;
    throw new FileRefused(problemOf(error), { cause: error });
  }
}

/** What Node couldn't read or write, and not what was found in the file. */
const isOfTheMachine = (error: unknown) => error instanceof Error && 'syscall' in error;
