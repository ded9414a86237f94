import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Loading, type Shape } from './loading.tsx';
import { useErrorToast } from './use-error-toast.ts';

type LoadedProps<T> = {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** The specification's sentence for what can't be read. */
  loadFailed: string;
  /** What it will look like; its shapes stand there until it has come. */
  shape: Shape;
  count?: number;
  children: (data: T) => ReactNode;
};

/** What is read from the server: waiting, failed with «Riprova» and told once, or there. What was read before stays under an error. */
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
