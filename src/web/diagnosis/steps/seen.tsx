import { useState } from 'react';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { Button } from '../../ui/button.tsx';
import { Answers, Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Asks whether the film was audible. After a no, shows a hint and offers the film again. */
export function SoundStep({ index, onResult, onSkip, onAgain }: StepProps & { onAgain: () => void }) {
  const [isUnheard, setUnheard] = useState(false);
  if (isUnheard)
    return (
      <Question title={stepTexts.sound.title} text={texts.unmute} step={index}>
        <Button wide onClick={onAgain}>
          {texts.replay}
        </Button>
        <Button wide look="quiet" onClick={() => onResult({ heard: 'no' })}>
          {texts.stillNo}
        </Button>
      </Question>
    );
  return (
    <Question {...stepTexts.sound} step={index} onSkip={onSkip}>
      <Answers onAnswer={(heard) => (heard === 'no' ? setUnheard(true) : onResult({ heard }))} />
    </Question>
  );
}

export function PictureStep({ index, onResult, onSkip }: StepProps) {
  return (
    <Question {...stepTexts.picture} step={index} onSkip={onSkip}>
      <Answers onAnswer={(fills) => onResult({ fills })} />
    </Question>
  );
}

export function ButtonsStep({ index, onResult, onSkip }: StepProps) {
  return (
    <Question {...stepTexts.buttons} step={index} onSkip={onSkip}>
      <Answers onAnswer={(buttons) => onResult({ buttons })} />
    </Question>
  );
}
