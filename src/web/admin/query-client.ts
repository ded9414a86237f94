import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/failure.ts';
import { retryDelayMs } from '../ui/waiting.ts';

/** Number of retries, and the first and longest delay between them, in ms (spec 9). */
const RETRY = { count: 3, first: 1_000, longest: 30_000 } as const;
/** Time in ms for which unused data stays cached (spec 9). */
const CACHE_MS = 5 * 60_000;

/**
 * Creates the cache of the administration. Retries calls that were lost or failed on the server, never refused ones. Without a
 * network, calls fail at once instead of waiting; visible data is refetched when the network returns.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: CACHE_MS,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failed, error) => failed < RETRY.count && isTemporary(error),
        retryDelay: (failed) => retryDelayMs(failed, RETRY),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function isTemporary(error: Error): boolean {
  return (
    error instanceof ApiError && ['NETWORK', 'UNREADABLE', 'UNAVAILABLE', 'INTERNAL'].includes(error.codice)
  );
}
