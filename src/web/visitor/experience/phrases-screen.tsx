import { useSelector } from '@xstate/react';
import { type CurrentPhrase, currentPhrase } from '../../../experience/selectors.ts';
import { Phrase } from '../../scenes/phrase.tsx';
import type { ScreenProps } from './screen-props.ts';

/** Any of the five sequences of phrases. In the pause after the last one the words are gone. */
export function PhrasesScreen({ actor }: ScreenProps) {
  const phrase = useSelector(actor, currentPhrase, samePhrase);
  if (phrase === null || phrase.resting) return null;
  return <Phrase key={phrase.run} {...phrase} />;
}

/** Selectors make a new object each time; only these differences show. */
export function samePhrase(a: CurrentPhrase | null, b: CurrentPhrase | null): boolean {
  return a?.run === b?.run && a?.resting === b?.resting && a?.paused === b?.paused;
}
