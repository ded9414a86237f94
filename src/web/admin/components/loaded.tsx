import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Loading, type Shape } from './loading.tsx';
import { useErrorToast } from './use-error-toast.ts';

type LoadedProps<T> = {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** The specification's sentence for a failed read. */
  loadFailed: string;
  /** Shape of the placeholder while loading. */
  shape: Shape;
  count?: number;
  children: (data: T) => ReactNode;
};

/** Shows a query's state: loading, failed with «Riprova» and one toast, or loaded. Earlier data stays visible below an error. */
export function Loaded<T>({
  query: { data, error, refetch },
  loadFailed,
  shape,
  count,
  children,
}: LoadedProps<T>) {
  useErrorToast(error, loadFailed);
  return (
    <>
      {error !== null && <ErrorState error={error} fallback={loadFailed} onRetry={() => void refetch()} />}
      {data !== undefined && children(data)}
      {data === undefined && error === null && (
        <Loading shape={shape} {...(count !== undefined && { count })} />
      )}
    </>
  );
}
