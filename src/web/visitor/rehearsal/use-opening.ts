import { useCallback, useEffect, useRef, useState } from 'react';
import { HEARTBEAT_MS } from '../../../domain/limits.ts';
import type { Rehearsed } from '../../api/rehearsal.ts';
import { takePass } from '../../ui/take-pass.ts';
import { canContinue, findRehearsal, type RehearsalUnavailable } from './find-rehearsal.ts';

export type RehearsalState =
  | { state: 'opening' }
  /** `run` grows each time it begins anew: the content is read again, too. */
  | ({ state: 'open'; run: number } & Rehearsed)
  | RehearsalUnavailable
  | { state: 'left' };

/** Opens the rehearsal: with the pass of the address, if it brings one, else with what the browser holds already. */
export function useRehearsal() {
  const [opening, setOpening] = useState<RehearsalState>({ state: 'opening' });
  const pass = useRef<string | null>(null);
  const run = useRef(0);

  const open = useCallback(async () => {
    setOpening({ state: 'opening' });
    run.current += 1;
    const mine = run.current;
    const found = await findRehearsal(pass.current);
    // A newer one may have been asked for meanwhile: another code scanned, another beginning.
    if (run.current !== mine) return;
    if (found.state !== 'failed') pass.current = null;
    setOpening(found.state === 'open' ? { ...found, run: mine } : found);
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

  useGuestsLeave(opening, setOpening);
  return { opening, open: () => void open(), leave: () => setOpening({ state: 'left' }) };
}

/** A phone asks now and then whether its pass still is good: the administrator may have taken it back. */
function useGuestsLeave(opening: RehearsalState, become: (over: RehearsalState) => void): void {
  const guest = opening.state === 'open' && opening.as === 'guest' ? opening.run : null;
  useEffect(() => {
    if (guest === null) return;
    let gone = false;
    const ask = async () => {
      if (document.hidden || (await canContinue()) || gone) return;
      become({ state: 'over' });
    };
    const listener = () => void ask();
    const timer = setInterval(listener, HEARTBEAT_MS);
    document.addEventListener('visibilitychange', listener);
    return () => {
      gone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', listener);
    };
  }, [guest, become]);
}
