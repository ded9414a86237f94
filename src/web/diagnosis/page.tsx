import { useEffect } from 'react';
import { diagnosisTexts as texts } from '../../texts/diagnosis.ts';
import { usePalette } from '../palette.ts';
import { Button } from '../ui/button.tsx';
import { Question } from './question.tsx';
import { Trial } from './trial.tsx';
import { useEntrance } from './use-entrance.ts';

/** `/diagnostica`: tries a phone days before the evening, and shows nothing of it (decision 56). */
export function DiagnosisPage() {
  usePalette('theme');
  useEffect(() => {
    document.title = texts.name;
  }, []);
  const { opening, retry } = useEntrance();
  switch (opening.state) {
    case 'opening':
      return <Question title={texts.name} text={texts.opening} />;
    case 'stranger':
      return <Question title={texts.strangerTitle} text={texts.stranger} />;
    case 'over':
      return <Question title={texts.overTitle} text={texts.over} />;
    case 'failed':
      return (
        <Question title={texts.failedTitle} text={opening.messaggio}>
          <Button onClick={retry}>{texts.retry}</Button>
        </Question>
      );
    case 'open':
      return <Trial pass={opening.pass} />;
  }
}
