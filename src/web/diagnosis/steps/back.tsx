import { useEffect, useEffectEvent, useState } from 'react';
import { stepTexts } from '../../../texts/diagnosis.ts';
import { Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Is Back without effect, as in the evening? @param backs how many were neutralised since the page is open */
export function BackStep({ index, onResult, onSkip, backs }: StepProps & { backs: number }) {
  const [before] = useState(backs);
  const found = useEffectEvent((back_held: boolean) => onResult({ back_held }));
  useEffect(() => {
    if (backs > before) found(true);
  }, [backs, before]);
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent) => {
      // Brought back from the browser's memory: it was left.
      if (persisted) found(false);
    };
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);
  return <Question {...stepTexts.back} step={index} onSkip={onSkip} />;
}
