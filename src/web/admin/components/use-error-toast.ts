import { useEffect } from 'react';
import { toastError } from '../../ui/toaster/toast.ts';
import { messageOf } from '../failure.ts';

/**
 * Reports a failed read once, as a toast and in the console (spec 8); the page keeps showing the error.
 * @param error thrown by the call, or null
 * @param fallback the specification's sentence, used if the server sent none
 */
export function useErrorToast(error: unknown, fallback: string): void {
  useEffect(() => {
    if (error !== null) toastError(messageOf(error, fallback));
  }, [error, fallback]);
}
