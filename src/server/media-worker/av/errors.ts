import { getSystemErrorMap } from 'node:util';
import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { FFmpegError } from 'node-av/lib';

/** What FFmpeg couldn't do; `code` as Node names it where the machine is at fault (ENOSPC, EIO). */
class AvError extends Error {
  readonly code: string | null;

  constructor(what: string, status: number) {
    super(`${what}: ${FFmpegError.strerror(status)}`);
    this.code = getSystemErrorMap().get(status)?.[0] ?? null;
  }
}

/** Throws what a call answered that must not fail. */
export function must(status: number, what: string): void {
  if (status < 0) throw new AvError(what, status);
}

/** Nothing more now, or nothing more at all: neither is an error. */
export const isDry = (status: number) => status === AVERROR_EAGAIN || status === AVERROR_EOF;

/** The same for what is made by a constructor that may find nothing. */
export function made<T>(one: T | null, what: string): T {
  if (one === null) throw new Error(`FFmpeg has no ${what}.`);
  return one;
}
