import { useEffect, useState } from 'react';
import { savesData } from '../media/preload.ts';

/** Share of charge below which a phone that is not charging saves energy. */
const LOW_CHARGE = 0.2;

/** Returns true if effects should be reduced: with the data saver on, or with a nearly empty battery where the browser reports it. */
export function useReducedEffects(): boolean {
  const [low, setLow] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    void navigator.getBattery?.().then(
      (battery) => {
        const look = () => setLow(!battery.charging && battery.level < LOW_CHARGE);
        if (stop.signal.aborted) return;
        look();
        for (const change of ['chargingchange', 'levelchange'])
          battery.addEventListener(change, look, { signal: stop.signal });
      },
      () => undefined,
    );
    return () => stop.abort();
  }, []);
  return low || savesData();
}
