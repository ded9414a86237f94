import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/failure.ts';
import { retryDelayMs } from '../ui/waiting.ts';

/** Tries after the first, and the longest wait between two, in milliseconds (spec 9). */
const RETRY = { count: 3, first: 1_000, longest: 30_000 } as const;
/** How long what nobody looks at is kept, in milliseconds (spec 9). */
const KEPT_MS = 5 * 60_000;

/**
 * The cache of what was read. What the server refused is not asked again; what got lost on the way is. Without a network both fail and
 * say so, instead of waiting unseen; what is shown is read again when the network is back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: KEPT_MS,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failed, error) => failed < RETRY.count && mayPass(error),
        retryDelay: (failed) => retryDelayMs(failed, RETRY),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function mayPass(error: Error): boolean {
  return (
    error instanceof ApiError && ['NETWORK', 'UNREADABLE', 'UNAVAILABLE', 'INTERNAL'].includes(error.codice)
  );
}
