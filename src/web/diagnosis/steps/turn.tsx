import { useEffect, useEffectEvent } from 'react';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { Button } from '../../ui/button.tsx';
import { Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Tests whether the page rotates with the phone. */
export function TurnStep({ index, onResult, onSkip }: StepProps) {
  const turned = useEffectEvent(() => onResult({ turned: true }));
  useEffect(() => {
    const wide = matchMedia('(orientation: landscape)');
    const listener = () => turned();
    wide.addEventListener('change', listener);
    return () => wide.removeEventListener('change', listener);
  }, []);
  return (
    <Question {...stepTexts.turn} step={index} onSkip={onSkip}>
      <Button wide look="quiet" onClick={() => onResult({ turned: false })}>
        {texts.notTurning}
      </Button>
    </Question>
  );
}
