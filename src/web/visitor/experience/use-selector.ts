import { useCallback, useRef, useSyncExternalStore } from 'react';
import type { VisitActor, VisitSnapshot } from '../../../experience/visit-machine.ts';

/** Reads a value from the evening's actor and re-renders when it changes. Throws a failed actor's error while rendering. */
export function useSelector<T>(
  actor: VisitActor,
  read: (snapshot: VisitSnapshot) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): T {
  const last = useRef<{ value: T }>(undefined);
  const subscribe = useCallback(
    (changed: () => void) => actor.subscribe({ next: changed, error: changed }).unsubscribe,
    [actor],
  );
  return useSyncExternalStore(subscribe, () => {
    const snapshot = actor.getSnapshot();
    if (snapshot.status === 'error') throw snapshot.error;
    const value = read(snapshot);
    if (last.current === undefined || !isSame(last.current.value, value)) last.current = { value };
    return last.current.value;
  });
}
