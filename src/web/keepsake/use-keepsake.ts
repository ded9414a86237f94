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
    const asked = await readKeepsake();
    setShown((before) => after(before, asked));
  }, []);
  useEffect(() => {
    const over = new AbortController();
    const look = () => {
      if (document.visibilityState === 'visible') void ask();
    };
    const leave = () => flushSync(() => setShown({ state: 'asking' }));
    void ask();
    const timer = setInterval(look, HEARTBEAT_MS);
    document.addEventListener('visibilitychange', look, over);
    window.addEventListener('pagehide', leave, over);
    window.addEventListener('pageshow', (event) => event.persisted && void ask(), over);
    return () => {
      clearInterval(timer);
      over.abort();
    };
  }, [ask]);
  return { shown, show: (evening) => setShown({ state: 'open', evening }), ask: () => void ask() };
}

function after(before: KeepsakeState, asked: Awaited<ReturnType<typeof readKeepsake>>): KeepsakeState {
  if (asked.ok) return before.state === 'open' && asked.value.open ? before : { state: 'closed' };
  if (isRefused(asked.failure)) return { state: 'gone' };
  // Keeps an open evening while the server doesn't answer: the network may be down.
  return before.state === 'open' || before.state === 'closed'
    ? before
    : { state: 'failed', messaggio: asked.failure.messaggio };
}
