import { useEffect } from 'react';
import { toastError } from '../../ui/toaster/toast.ts';
import { messageOf } from '../failure.ts';

/**
 * Tells once, as a notice and in the console, what couldn't be read (spec 8); the page itself keeps showing it.
 * @param error what the call threw, or null
 * @param fallback the specification's sentence, for when the server gave none
 */
export function useErrorToast(error: unknown, fallback: string): void {
  useEffect(() => {
    if (error !== null) toastError(messageOf(error, fallback));
  }, [error, fallback]);
}
