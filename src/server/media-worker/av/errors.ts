import { getSystemErrorMap } from 'node:util';
import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';
import { FileRejected } from '../refusal.ts';

/** What FFmpeg couldn't do; `code` as Node names it where the machine is at fault (ENOSPC, EIO). */
class AvError extends Error {
  readonly code: string | null;

  constructor(what: string, status: number) {
    super(`${what}: ${FFmpegError.strerror(status)}`);
    this.code = getSystemErrorMap().get(status)?.[0] ?? null;
  }
}

/** What FFmpeg refuses to write as it is, or to begin with: the file's doing, and not the machine's. */
export class UnsupportedInput extends FileRejected {
  constructor() {
    super('damaged');
  }
}

/** The system's own names for «this makes no sense» and «nobody does that»; every other of its errors is the machine's. */
const SENSELESS = ['EINVAL', 'ERANGE', 'EDOM', 'EILSEQ', 'ENOTSUP', 'ENOSYS'];

/**
 * Throws what a call answered that must not fail.
 * @throws {FileRejected} where it lies in the file: `Unfit`, or more memory is asked for than there is
 */
export function checkStatus(status: number, what: string): void {
  if (status >= 0) return;
  const error = new AvError(what, status);
  if (error.code === 'ENOMEM') throw new FileRejected('memory', { cause: error });
  if (error.code !== null && !SENSELESS.includes(error.code)) throw error;
  console.error(error.message);
  throw new UnsupportedInput();
}

/** Nothing more now, or nothing more at all: neither is an error. */
export const needsMoreInput = (status: number) => status === AVERROR_EAGAIN || status === AVERROR_EOF;

/** The same for what is made by a constructor that may find nothing. */
export function requireAllocated<T>(one: T | null, what: string): T {
  if (one === null) throw new Error(`FFmpeg has no ${what}.`);
  return one;
}
