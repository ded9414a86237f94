import { pacedBy, secondsLeft, startPace } from './pace.ts';
import { findUpload, updateUpload } from './store.ts';

/** Tells the store how far the bytes of an upload are, and how fast they go. */
export function createProgress(key: string) {
  let pace = startPace(0, 0);
  let begun = false;
  return {
    /** A pause was no slowness. */
    restart: () => {
      begun = false;
    },
    sent: (sent: number) => {
      const now = performance.now();
      pace = begun ? pacedBy(pace, now, sent) : startPace(now, sent);
      begun = true;
      const left = secondsLeft(pace, findUpload(key)?.size ?? 0);
      const state = { phase: 'sending', bytesPerSecond: pace.bytesPerSecond, secondsLeft: left } as const;
      updateUpload(key, { sent, state });
    },
  };
}
