import { useEffect, useState } from 'react';
import { savesData } from '../media/preload.ts';

/** Below this share of its charge a phone that isn't being charged spares what it has. */
const LOW_CHARGE = 0.2;

/** Is the phone to be spared? It saves data, or its battery, where it tells, is nearly empty. */
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
