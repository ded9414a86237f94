import { useQuery } from '@tanstack/react-query';
import { queries } from './api.ts';

/** Returns the signed-in administrator, read once. A later end of the session shows as a refused call. */
export function useSignedIn() {
  return useQuery(
    queries.me.queryOptions({
      context: { whenSignedOut: 'refuse' },
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    }),
  );
}
