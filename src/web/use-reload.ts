import { useEffect, useState } from 'react';
import { reloadOnce } from './reload.ts';

const unfetched = new WeakSet<Error>();

/** Notes an error as that of code that could not be fetched. */
export function noteUnfetched(error: Error): void {
  unfetched.add(error);
}

export const isUnfetched = (error: unknown): boolean => error instanceof Error && unfetched.has(error);

/**
 * Loads the page anew where that may bring the code that could not be fetched.
 * @param cause that code’s error; null where nothing is to be done
 * @returns true until it is known whether the page goes, and then until it is gone
 */
export function useReload(cause: unknown): boolean {
  const [reloading, setReloading] = useState(cause !== null);
  useEffect(() => {
    if (cause !== null) void reloadOnce().then(setReloading);
  }, [cause]);
  return reloading;
}
