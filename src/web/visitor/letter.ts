import { type AnimationEvent, type ComponentType, useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

/** The letter of the access screen, which stays on the screen while it opens over the evening. What opens it comes with the evening (experience/opening.ts). */
export type Letter = {
  /** `opening`: it covers the evening, whose time stands still. `leaving`: it dissolves over it, whose time still stands. */
  phase: 'sealed' | 'opening' | 'leaving';
  /** Whose name is written; null for nobody's. Undefined where nothing is broken, and one screen just dissolves into the other. */
  name: string | null | undefined;
  /** The name can be read, or there is none to wait for: the evening is drawn. */
  held: boolean;
  /** What is seen of it once it is broken. */
  Broken: ComponentType | null;
  /** It has dissolved. */
  gone: () => void;
};

export const SEALED: Letter = { phase: 'sealed', name: undefined, held: false, Broken: null, gone: () => {} };

export const letter = createStore(SEALED);

export const useLetter = (): Letter => useSyncExternalStore(letter.subscribe, letter.state, letter.state);

/**
 * The recipient whose evening has just ended on this page; the closed envelope shows the name (decision 059). Null if no evening ended here, or after the
 * visitor asked for the form. In memory only.
 */
export const ended = createStore<{ name: string | null; isHandwritten: boolean } | null>(null);

/** What the page of a letter tells its style sheets, and hears of its own animation. */
export function lookOf({ phase, name, held, gone }: Letter) {
  const open = phase !== 'sealed';
  return {
    'data-letter': phase,
    'data-broken': open && name !== undefined,
    'data-held': held,
    inert: open,
    onAnimationEnd: ({ target, currentTarget, pseudoElement }: AnimationEvent) => {
      if (target === currentTarget && pseudoElement === '') gone();
    },
  };
}
