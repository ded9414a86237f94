import { getSystemErrorMap } from 'node:util';
import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';
import { FileRejected } from '../refusal.ts';

/** An FFmpeg error. `code`: Node's name of a system error such as ENOSPC or EIO, else null. */
class AvError extends Error {
  readonly code: string | null;

  constructor(what: string, status: number) {
    super(`${what}: ${FFmpegError.strerror(status)}`);
    this.code = getSystemErrorMap().get(status)?.[0] ?? null;
  }
}

/** Input that FFmpeg can't write or process; a fault of the file, not of the machine. */
export class UnsupportedInput extends FileRejected {
  constructor() {
    super('damaged');
  }
}

/** System errors that mean invalid or unsupported input; all others are faults of the machine. */
const SENSELESS = ['EINVAL', 'ERANGE', 'EDOM', 'EILSEQ', 'ENOTSUP', 'ENOSYS'];

/**
 * Throws if a call failed.
 * @throws {FileRejected} if the file is at fault: `UnsupportedInput`, or `memory` if it needs more than there is
 */
export function checkStatus(status: number, what: string): void {
  if (status >= 0) return;
  const error = new AvError(what, status);
  if (error.code === 'ENOMEM') throw new FileRejected('memory', { cause: error });
  if (error.code !== null && !SENSELESS.includes(error.code)) throw error;
  console.error(error.message);
  throw new UnsupportedInput();
}

/** Returns true for "no more now" and "no more at all", which aren't errors. */
export const needsMoreInput = (status: number) => status === AVERROR_EAGAIN || status === AVERROR_EOF;

/** Returns `one`. Throws if its constructor found nothing. */
export function requireAllocated<T>(one: T | null, what: string): T {
  if (one === null) throw new Error(`FFmpeg has no ${what}.`);
  return one;
}
