import { useEffect, useEffectEvent, useState } from 'react';
import { stepTexts } from '../../../texts/diagnosis.ts';
import { Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/**
 * Tests whether the back action is neutralised, as in the evening.
 * @param backs number of neutralised back actions since the page was opened
 */
export function BackStep({ index, onResult, onSkip, backs }: StepProps & { backs: number }) {
  const [before] = useState(backs);
  const reportResult = useEffectEvent((back_held: boolean) => onResult({ back_held }));
  useEffect(() => {
    if (backs > before) reportResult(true);
  }, [backs, before]);
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      // A page restored from the browser's memory was left before.
      if (persisted) reportResult(false);
    };
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  return <Question {...stepTexts.back} step={index} onSkip={onSkip} />;
}
