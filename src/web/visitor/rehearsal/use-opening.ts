import { useCallback, useEffect, useRef, useState } from 'react';
import { enterRehearsal, type Rehearsed, readRehearsal } from '../../api/rehearsal.ts';
import type { Failure } from '../../api/request.ts';
import { takePass } from './take-pass.ts';

export type Opening =
  | { state: 'opening' }
  /** `run` grows each time it begins anew: the content is read again, too. */
  | ({ state: 'open'; run: number } & Rehearsed)
  | { state: 'stranger' }
  | { state: 'over' }
  | { state: 'unready' | 'failed'; messaggio: string }
  | { state: 'left' };

/** Opens the rehearsal: with the pass of the address, if it brings one, else with what the browser holds already. */
export function useOpening() {
  const [opening, setOpening] = useState<Opening>({ state: 'opening' });
  const pass = useRef<string | null>(null);
  const run = useRef(0);

  const open = useCallback(async () => {
    setOpening({ state: 'opening' });
    run.current += 1;
    const mine = run.current;
    const found = await find(pass.current);
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

  return { opening, open: () => void open(), leave: () => setOpening({ state: 'left' }) };
}

async function find(pass: string | null): Promise<Opening> {
  const entered = pass === null ? null : await enterRehearsal(pass);
  if (entered?.ok === false) return closed(entered);
  const read = await readRehearsal();
  return read.ok ? { state: 'open', run: 0, ...read.value } : closed(read);
}

function closed(failure: Failure): Opening {
  if (failure.kind !== 'refused' || failure.status >= 500)
    return { state: 'failed', messaggio: failure.messaggio };
  if (failure.codice === 'SIGN_IN_REQUIRED') return { state: 'stranger' };
  // What isn't even the shape of a pass is no better than one that is over.
  if (failure.codice === 'REHEARSAL_OVER' || failure.codice === 'BAD_INPUT') return { state: 'over' };
  return { state: 'unready', messaggio: failure.messaggio };
}
