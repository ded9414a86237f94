import { type ComponentType, useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

/** The letter of the access screen, which stays on the screen while it opens over the evening. What opens it comes with the evening (experience/opening.ts). */
export type Letter = {
  /** `opening`: it covers the evening, whose time stands still. `leaving`: it dissolves over it. */
  phase: 'sealed' | 'opening' | 'leaving';
  /** How long it opens, in milliseconds; 0 where nothing moves, and one screen just dissolves into the other. */
  ms: number;
  /** How long it dissolves, in milliseconds. */
  leaving: number;
  /** What is seen of it once it is broken. */
  Broken: ComponentType | null;
};

export const SEALED: Letter = { phase: 'sealed', ms: 0, leaving: 0, Broken: null };

export const letter = createStore(SEALED);

export const useLetter = (): Letter => useSyncExternalStore(letter.subscribe, letter.state, letter.state);

/** What the page of a letter tells its style sheets; where nothing is to move there is nothing to break. Prerendered it has no style: the policy would refuse it. */
export function lookOf({ phase, ms, leaving }: Letter) {
  const open = phase !== 'sealed';
  return {
    'data-letter': phase,
    'data-broken': open && ms > 0,
    inert: open,
    ...(open && { style: { '--open': `${ms}ms`, '--leave': `${leaving}ms` } }),
  };
}
