import { useCallback, useEffect, useRef, useState } from 'react';
import { HEARTBEAT_MS } from '../../../domain/limits.ts';
import type { Rehearsed } from '../../api/rehearsal.ts';
import { takePass } from '../../ui/take-pass.ts';
import { canContinue, findRehearsal, type RehearsalUnavailable } from './find-rehearsal.ts';

export type RehearsalState =
  | { state: 'opening' }
  /** `run` increases with each start; the content is then read again. */
  | ({ state: 'open'; run: number } & Rehearsed)
  | RehearsalUnavailable
  | { state: 'left' };

/** Opens the rehearsal with the pass in the address, else with the browser's cookie. */
export function useRehearsal() {
  const [opening, setOpening] = useState<RehearsalState>({ state: 'opening' });
  const pass = useRef<string | null>(null);
  const run = useRef(0);

  const open = useCallback(async () => {
    setOpening({ state: 'opening' });
    run.current += 1;
    const currentRun = run.current;
    const found = await findRehearsal(pass.current);
    // Ignores the result if a newer request was made: another code scanned, or another start.
    if (run.current !== currentRun) return;
    if (found.state !== 'failed') pass.current = null;
    setOpening(found.state === 'open' ? { ...found, run: currentRun } : found);
  }, []);

  useEffect(() => {
    const begin = () => {
      pass.current = takePass() ?? pass.current;
      void open();
    };
    const onHash = () => {
      if (location.hash !== '') begin();
    };
    begin();
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, [open]);

  usePassCheck(opening, setOpening);
  return { opening, open: () => void open(), leave: () => setOpening({ state: 'left' }) };
}

/** Checks regularly whether a guest's pass is still valid; the administrator may have revoked it. */
function usePassCheck(opening: RehearsalState, setState: (over: RehearsalState) => void): void {
  const guest = opening.state === 'open' && opening.as === 'guest' ? opening.run : null;
  useEffect(() => {
    if (guest === null) return;
    let cancelled = false;
    const ask = async () => {
      if (document.hidden || (await canContinue()) || cancelled) return;
      setState({ state: 'over' });
    };
    const listener = () => void ask();
    const timer = setInterval(listener, HEARTBEAT_MS);
    document.addEventListener('visibilitychange', listener);
    return () => {
      cancelled = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', listener);
    };
  }, [guest, setState]);
}
