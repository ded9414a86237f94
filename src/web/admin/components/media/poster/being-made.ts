import { useSyncExternalStore } from 'react';

/* Videos whose poster is just being drawn: nobody need be told that it lacks. */
let videos: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** A poster of this video is on its way. @returns the function that says it no longer is */
export function beingMade(video: string): () => void {
  change(new Set([...videos, video]));
  return () => change(new Set([...videos].filter((other) => other !== video)));
}

/** Is a poster of this video on its way? */
export function useBeingMade(video: string): boolean {
  return useSyncExternalStore(subscribe, () => videos.has(video));
}

function change(next: ReadonlySet<string>): void {
  videos = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
