import { useEffect, useState } from 'react';
import { reloadOnce } from './reload.ts';

const failedChunks = new WeakSet<Error>();

/** Marks an error as a failed chunk. */
export function markFailedChunk(error: Error): void {
  failedChunks.add(error);
}

export const isFailedChunk = (error: unknown): boolean => error instanceof Error && failedChunks.has(error);

/**
 * Reloads the page if that may bring the missing chunk.
 * @param cause the chunk's error; null to do nothing
 * @returns true while the reload is being decided or is running
 */
export function useReload(cause: unknown): boolean {
  const [reloading, setReloading] = useState(cause !== null);
  useEffect(() => {
    if (cause !== null) void reloadOnce().then(setReloading);
  }, [cause]);
  return reloading;
}
