import { useQuery } from '@tanstack/react-query';
import { queries } from './api.ts';

/** Who is signed in. Asked once: what happens to the session later is told by the call that is refused for it. */
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
