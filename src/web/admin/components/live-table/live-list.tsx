import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '../error-state.tsx';
import { Loading } from '../loading.tsx';
import { useErrorToast } from '../use-error-toast.ts';

type LiveListProps<T> = {
  query: UseQueryResult<T>;
  /** The specification's sentence for a list that can't be read. */
  loadFailed: string;
  children: (data: T) => ReactNode;
};

/** Records that are read from the server: waiting, failed with «Riprova», or there. What was read before stays under an error. */
export function LiveList<T>({ query, loadFailed, children }: LiveListProps<T>) {
  const { data, error, refetch } = query;
  useErrorToast(error, loadFailed);
  return (
    <>
      {error !== null && <ErrorState error={error} fallback={loadFailed} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Loading lines={6} />}
    </>
  );
}
