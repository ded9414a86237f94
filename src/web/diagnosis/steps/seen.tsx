import { useState } from 'react';
import { stepTexts, diagnosisTexts as texts } from '../../../texts/diagnosis.ts';
import { Button } from '../../ui/button.tsx';
import { Answers, Question } from '../question.tsx';
import type { StepProps } from './step-props.ts';

/** Was the film heard? Who says no is told what helps, and may see it again. */
export function SoundStep({ place, onFound, onSkip, onAgain }: StepProps & { onAgain: () => void }) {
  const [unheard, setUnheard] = useState(false);
  if (unheard)
    return (
      <Question title={stepTexts.sound.title} text={texts.unmute} step={place}>
        <Button wide onClick={onAgain}>
          {texts.replay}
        </Button>
        <Button wide look="quiet" onClick={() => onFound({ heard: 'no' })}>
          {texts.stillNo}
        </Button>
      </Question>
    );
  return (
    <Question {...stepTexts.sound} step={place} onSkip={onSkip}>
      <Answers onAnswer={(heard) => (heard === 'no' ? setUnheard(true) : onFound({ heard }))} />
    </Question>
  );
}

export function PictureStep({ place, onFound, onSkip }: StepProps) {
  return (
    <Question {...stepTexts.picture} step={place} onSkip={onSkip}>
      <Answers onAnswer={(fills) => onFound({ fills })} />
    </Question>
  );
}

export function ButtonsStep({ place, onFound, onSkip }: StepProps) {
  return (
    <Question {...stepTexts.buttons} step={place} onSkip={onSkip}>
      <Answers onAnswer={(buttons) => onFound({ buttons })} />
    </Question>
  );
}
