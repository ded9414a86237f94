import { type AnimationEvent, type ComponentType, useSyncExternalStore } from 'react';
import { createStore } from '../ui/store.ts';

/**
 * State of the access screen's letter, which stays visible while it opens over the evening. The code that opens it loads with the evening
 * (experience/opening.ts).
 */
export type Letter = {
  /** `opening`: covers the evening. `leaving`: fades over the evening. The evening's time is paused in both. */
  phase: 'sealed' | 'opening' | 'leaving';
  /** Recipient's name to write; null without one. Undefined keeps the seal whole, and one screen fades into the other. */
  name: string | null | undefined;
  /** The name is readable, or there is none: the evening may be rendered. */
  held: boolean;
  /** The broken letter, once the seal is broken. */
  Broken: ComponentType | null;
  /** Called when the letter has faded. */
  onFaded: () => void;
};

export const SEALED: Letter = {
  phase: 'sealed',
  name: undefined,
  held: false,
  Broken: null,
  onFaded: () => {},
};

export const letter = createStore(SEALED);

export const useLetter = (): Letter => useSyncExternalStore(letter.subscribe, letter.state, letter.state);

/**
 * Recipient of the evening that has just ended on this page; the closed envelope shows the name (decision 058). Null if no evening ended
 * here, or after the visitor asked for the form. In memory only.
 */
export const ended = createStore<{ name: string | null; isHandwritten: boolean } | null>(null);

/** Returns the letter page's attributes for the style sheets, and the handler for its own animation. */
export function toLetterProps({ phase, name, held, onFaded }: Letter) {
  const open = phase !== 'sealed';
  return {
    'data-letter': phase,
    'data-broken': open && name !== undefined,
    'data-held': held,
    inert: open,
    onAnimationEnd: ({ target, currentTarget, pseudoElement }: AnimationEvent) => {
      if (target === currentTarget && pseudoElement === '') onFaded();
    },
  };
}
