import { useCallback, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { KeepsakeView } from '../../contract/keepsake.ts';
import { HEARTBEAT_MS } from '../../domain/limits.ts';
import { isRefused } from '../api/failure.ts';
import { readKeepsake } from './calls.ts';

export type KeepsakeState =
  | { state: 'asking' }
  /** No keepsake for this device, or no longer. */
  | { state: 'gone' }
  | { state: 'failed'; messaggio: string }
  /** Waiting for the code. */
  | { state: 'closed' }
  | { state: 'open'; evening: KeepsakeView };

/**
 * Returns the keepsake's state. The evening is held in memory only and dropped when the page is left or the server refuses. Checks every
 * 30 s and whenever the page becomes visible.
 */
export function useKeepsake(): {
  shown: KeepsakeState;
  show: (evening: KeepsakeView) => void;
  ask: () => void;
} {
  const [shown, setShown] = useState<KeepsakeState>({ state: 'asking' });
  const ask = useCallback(async () => {
    const result = await readKeepsake();
    setShown((before) => nextState(before, result));
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    const check = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    const leave = () => flushSync(() => setShown({ state: 'asking' }));
    void ask();
    const timer = setInterval(check, HEARTBEAT_MS);
    document.addEventListener('visibilitychange', check, stop);
    window.addEventListener('pagehide', leave, stop);
    window.addEventListener('pageshow', (event) => event.persisted && void ask(), stop);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, [ask]);
  return { shown, show: (evening) => setShown({ state: 'open', evening }), ask: () => void ask() };
}

function nextState(before: KeepsakeState, result: Awaited<ReturnType<typeof readKeepsake>>): KeepsakeState {
  if (result.ok) return before.state === 'open' && result.value.open ? before : { state: 'closed' };
  if (isRefused(result.failure)) return { state: 'gone' };
  // Keeps an open evening while the server doesn't answer: the network may be down.
  return before.state === 'open' || before.state === 'closed'
    ? before
    : { state: 'failed', messaggio: result.failure.messaggio };
}
